import type { Actor } from '../../directory/identity.ts';
import type { OperationContext, Right, Visibility } from '../../operations/context.ts';
import { todayFacts } from '../../features/administration/today-facts.ts';
import type { TodayFacts } from '../../features/administration/today.ts';
import { catalog } from '../../operations/catalog.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { kindOf, type Field, type Value } from '../../operations/fields/fields.ts';
import type { Entered, Plan } from '../../domain/plan.ts';
import { createContext, type OperationContextDependencies } from '../perform/operation-context.ts';
import { canHave } from './policy.ts';
import { resolveField } from '../perform/meaning.ts';
import { denialMessage, rightsOf, visibilityOf } from './rights.ts';

/** What a person may see and is offered, by their rights in the directory. Nothing is decided here: `execute` checks again when they act. */
export interface Permissions {
  /** Finds out who the person is, and what they may do. */
  of(personId: string, options?: { personMaxAgeMs: number }): Promise<Standing>;
  /** Resolves the fields whose input makes sense already, to fill in a form. */
  readSome(
    operation: Operation,
    raw: TextInput,
    person: { personId: string; teamId: string },
  ): Promise<Record<string, Value>>;
  /** What the person entered for a plan; undefined where the plan is too old, was started, or is another person’s. */
  enteredFor(planId: string, person: { personId: string; teamId: string }): Promise<Entered | undefined>;
  /** The previews of imports by this operation that the person made and did not start, the latest first. */
  openPreviews(operation: Operation, person: { personId: string; teamId: string }): Promise<readonly Plan[]>;
  /** The values that a picker offers the person for a typed text, the best first. */
  narrow(field: Field, text: string, person: { personId: string; teamId: string }, limit: number): Promise<Value[]>;
  /**
   * What an operation that only reads works with for a person, or why they may not run it, in plain text. Leaves no entry on the
   * record: who asks puts on it what comes of it.
   */
  contextOf(
    operation: Operation,
    person: { personId: string; teamId: string },
  ): Promise<{ context: OperationContext } | { refusal: string }>;
  /** What may need the person now. Unlike the operation that shows it, this leaves no entry on the record. */
  todayOf(person: { personId: string; teamId: string }): Promise<TodayFacts>;
}

export interface Standing {
  actor: Actor;
  rights: ReadonlySet<Right>;
  visibility: Visibility;
  /** The operations the person may run or ask for; those for access tokens and for workflows only where these are turned on. */
  operations: readonly Operation[];
  /** Why the person lacks the right, in plain text; undefined when they have it. */
  refusal(right: Right): string | undefined;
  /** Why the person may neither run nor ask for the operation, likewise. */
  refusalOf(operation: Operation): string | undefined;
}

/** What the platform says of a person for whom the bot acts by itself. */
const recentMs = 60_000;

export function createPermissions(deps: OperationContextDependencies): Permissions {
  const { directory, identity, platform } = deps;
  const offered = catalog.filter(({ needs }) => needs === undefined || deps[needs] !== undefined);

  async function of(personId: string, options?: { personMaxAgeMs: number }): Promise<Standing> {
    const actor = await identity.actorOf(personId, { fresh: false, ...options });
    const rights = rightsOf(actor);
    return {
      actor,
      rights,
      visibility: visibilityOf(actor, directory.quizGroups),
      operations: offered.filter((operation) => canHave(operation, rights)),
      refusal: (right) => (rights.has(right) ? undefined : denialMessage(actor, right, platform)),
      refusalOf: (operation) =>
        canHave(operation, rights) ? undefined : denialMessage(actor, operation.right, platform, operation),
    };
  }

  const contextFor = async ({ personId, teamId }: { personId: string; teamId: string }) =>
    createContext(deps, await identity.actorOf(personId, { fresh: false }), { teamId, call: {} });

  return {
    of,
    async contextOf(operation, person) {
      const refusal = (await of(person.personId, { personMaxAgeMs: recentMs })).refusalOf(operation);
      return refusal === undefined ? { context: await contextFor(person) } : { refusal };
    },
    todayOf: async (person) => todayFacts(await contextFor(person)),
    async enteredFor(planId, { personId, teamId }) {
      const plan = await deps.ofWorkspace(teamId).plans.byId(planId);
      return plan?.personId === personId ? plan.entered : undefined;
    },
    async openPreviews({ name }, { personId, teamId }) {
      const plans = await deps.ofWorkspace(teamId).plans.latest(personId);
      return plans.filter(({ content }) => content.kind === 'batch' && content.imported && content.operation === name);
    },
    async narrow(field, text, person, limit) {
      const context = await contextFor(person);
      return kindOf(field).narrow(text, field, { ...context, limit });
    },
    async readSome(operation, raw, person) {
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
