import type { Directory } from '../directory/directory.ts';
import type { Actor, Identity } from '../directory/identity.ts';
import { catalog } from '../operations/catalog.ts';
import type { Right, SubscriptionService, Visibility } from '../operations/context.ts';
import type { Operation, TextInput } from '../operations/operation.ts';
import type { Value } from '../operations/fields/fields.ts';
import { canHave } from './policy.ts';
import { resolveField } from './resolve-input.ts';
import { denialMessage, rightsOf, visibilityOf } from './rights.ts';

/** What a person may see and is offered. Nothing is decided here: `execute` asks again, freshly, when they act. */
export interface Permissions {
  /** Who the person is and what follows from it. */
  of(personId: string): Promise<Standing>;
  /** What of the input can be read already, to be put into a form. */
  readSome(operation: Operation, raw: TextInput, person: { personId: string; teamId: string }): Promise<Record<string, Value>>;
}

export interface Standing {
  actor: Actor;
  rights: ReadonlySet<Right>;
  visibility: Visibility;
  /** What the person may have done, on their own word or with somebody else's approval. */
  operations: readonly Operation[];
  /** Why the person lacks the right, as a sentence in plain text; undefined when they have it. */
  refusal(right: Right): string | undefined;
  /** Why the person may not have this done at all, likewise. */
  refusalOf(operation: Operation): string | undefined;
}

export function createPermissions(deps: { directory: Directory; identity: Identity; alerts: (teamId: string) => SubscriptionService }): Permissions {
  const { directory, identity } = deps;

  async function of(personId: string): Promise<Standing> {
    const actor = await identity.actorOf(personId, { fresh: false });
    const rights = rightsOf(actor);
    return {
      actor,
      rights,
      visibility: visibilityOf(actor),
      operations: catalog.filter((operation) => canHave(operation, rights)),
      refusal: (right) => (rights.has(right) ? undefined : denialMessage(actor, right)),
      refusalOf: (operation) => (canHave(operation, rights) ? undefined : denialMessage(actor, operation.right)),
    };
  }

  return {
    of,
    async readSome(operation, raw, { personId, teamId }) {
      const given = Object.entries(operation.fields).flatMap(([name, field]) => (raw[name]?.some((text) => text.trim() !== '') ? [{ name, field, typed: raw[name] }] : []));
      if (given.length === 0) return {};
      const reader = { directory, identity, alerts: deps.alerts(teamId), channelId: undefined, call: {}, ...(await of(personId)) };
      const read: Record<string, Value> = {};
      for (const { name, field, typed } of given) {
        const one = await resolveField(name, field, typed, reader);
        if (one.kind === 'value') read[name] = one.value;
      }
      return read;
    },
  };
}
