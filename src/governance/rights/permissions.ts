import type { OperationContext, Right } from '../../operations/context.ts';
import { todayFacts } from '../../features/administration/today-facts.ts';
import { catalog } from '../../operations/catalog.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { kindOf, type Field, type Value } from '../../operations/fields/fields.ts';
import { createContext, type OperationContextDependencies } from '../perform/operation-context.ts';
import { canHave } from './policy.ts';
import { resolveField } from '../perform/meaning.ts';
import { denialMessage, rightsOf, visibilityOf } from './rights.ts';

/** What the platform says of a person for whom the bot acts by itself. */
const recentMs = 60_000;

/** A person of the platform, and where they are. */
export interface Asking {
  personId: string;
  teamId: string;
  channelId?: string | undefined;
}

/** What a person may see and is offered, by their rights in the directory. Nothing is decided here: `execute` checks again when they act. */
export function createPermissions(deps: OperationContextDependencies) {
  const { directory, identity, platform } = deps;
  const offered = catalog.filter(({ needs }) => needs === undefined || deps[needs] !== undefined);

  /** Finds out who the person is, and what they may do. */
  async function of(personId: string, options?: { personMaxAgeMs: number }) {
    const actor = await identity.actorOf(personId, { fresh: false, ...options });
    const rights = rightsOf(actor);
    return {
      actor,
      rights,
      visibility: visibilityOf(actor, directory.quizGroups),
      /** The operations the person may run or ask for; those for access tokens and for workflows only where these are turned on. */
      operations: offered.filter((operation) => canHave(operation, rights)),
      /** Why the person lacks the right, in plain text; undefined when they have it. */
      refusal: (right: Right) => (rights.has(right) ? undefined : denialMessage(actor, right, platform)),
      /** Why the person may neither run nor ask for the operation, likewise. */
      refusalOf: (operation: Operation) =>
        canHave(operation, rights) ? undefined : denialMessage(actor, operation.right, platform, operation),
    };
  }

  const contextFor = async ({ personId, teamId, channelId }: Asking) =>
    createContext(deps, await identity.actorOf(personId, { fresh: false }), { teamId, channelId, call: {} });

  return {
    of,
    /**
     * What an operation that only reads works with for a person, or why they may not run it, in plain text. Leaves no entry on the
     * record: who asks puts on it what comes of it.
     */
    async contextOf(
      operation: Operation,
      person: Asking,
    ): Promise<{ context: OperationContext } | { refusal: string }> {
      const refusal = (await of(person.personId, { personMaxAgeMs: recentMs })).refusalOf(operation);
      return refusal === undefined ? { context: await contextFor(person) } : { refusal };
    },
    /** What may need the person now. Unlike the operation that shows it, this leaves no entry on the record. */
    todayOf: async (person: Asking) => todayFacts(await contextFor(person)),
    /** What the person entered for a plan; undefined where the plan is too old, was started, or is another person’s. */
    async enteredFor(planId: string, { personId, teamId }: Asking) {
      const plan = await deps.ofWorkspace(teamId).plans.byId(planId);
      return plan?.personId === personId ? plan.entered : undefined;
    },
    /** The previews of imports by this operation that the person made and did not start, the latest first. */
    async openPreviews({ name }: Operation, { personId, teamId }: Asking) {
      const plans = await deps.ofWorkspace(teamId).plans.latest(personId);
      return plans.filter(({ content }) => content.kind === 'batch' && content.imported && content.operation === name);
    },
    /** The values that a picker offers the person for a typed text, the best first. */
    async narrow(field: Field, text: string, person: Asking, limit: number) {
      const context = await contextFor(person);
      return kindOf(field).narrow(text, field, { ...context, limit });
    },
    /** Resolves the fields whose input makes sense already, to fill in a form. */
    async readSome(operation: Operation, raw: TextInput, person: Asking) {
      const given = Object.entries(operation.fields).flatMap(([name, field]) =>
        raw[name]?.some((text) => text.trim() !== '') ? [{ name, field, typed: raw[name] }] : [],
      );
      if (given.length === 0) return {};
      const context = await contextFor(person);
      const read: Record<string, Value> = {};
      for (const { name, field, typed } of given) {
        const resolved = await resolveField(name, field, typed, context);
        if (resolved.kind === 'value') read[name] = resolved.value;
      }
      return read;
    },
  };
}

export type Permissions = ReturnType<typeof createPermissions>;
export type Standing = Awaited<ReturnType<Permissions['of']>>;
