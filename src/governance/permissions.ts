import type { Directory } from '../directory/directory.ts';
import type { Actor, WhoIsWho } from '../directory/identity.ts';
import { catalog } from '../operations/catalog.ts';
import type { AlertsDesk } from '../operations/subscription-service.ts';
import type { Operation, Right, Sight, Value } from '../operations/operation.ts';
import { canHave } from './policy.ts';
import { readField, type RawInput } from './resolve-input.ts';
import { explainLack, rightsOf, sightOf } from './rights.ts';

/** What a person may see and is offered. Nothing is decided here: `execute` asks again, freshly, when they act. */
export interface Permissions {
  /** Who the person is and what follows from it. */
  of(slackId: string): Promise<Standing>;
  /** What of the input can be read already, to be put into a form. */
  readSome(operation: Operation, raw: RawInput, person: { slackId: string; teamId: string }): Promise<Record<string, Value>>;
}

export interface Standing {
  actor: Actor;
  rights: ReadonlySet<Right>;
  sight: Sight;
  /** What the person may have done, on their own word or with somebody else's approval. */
  operations: readonly Operation[];
  /** Why the person lacks the right, as a sentence in plain text; undefined when they have it. */
  refusal(right: Right): string | undefined;
  /** Why the person may not have this done at all, likewise. */
  refusalOf(operation: Operation): string | undefined;
}

export function createPermissions(deps: { directory: Directory; whoIsWho: WhoIsWho; alerts: (teamId: string) => AlertsDesk }): Permissions {
  const { directory, whoIsWho } = deps;

  async function of(slackId: string): Promise<Standing> {
    const actor = await whoIsWho.whoIs(slackId, { fresh: false });
    const rights = rightsOf(actor);
    return {
      actor,
      rights,
      sight: sightOf(actor),
      operations: catalog.filter((operation) => canHave(operation, rights)),
      refusal: (right) => (rights.has(right) ? undefined : explainLack(actor, right)),
      refusalOf: (operation) => (canHave(operation, rights) ? undefined : explainLack(actor, operation.right)),
    };
  }

  return {
    of,
    async readSome(operation, raw, { slackId, teamId }) {
      const given = Object.entries(operation.fields).flatMap(([name, field]) => (raw[name]?.some((text) => text.trim() !== '') ? [{ name, field, typed: raw[name] }] : []));
      if (given.length === 0) return {};
      const reader = { directory, whoIsWho, alerts: deps.alerts(teamId), channelId: undefined, call: {}, ...(await of(slackId)) };
      const read: Record<string, Value> = {};
      for (const { name, field, typed } of given) {
        const one = await readField(name, field, typed, reader);
        if (one.kind === 'value') read[name] = one.value;
      }
      return read;
    },
  };
}
