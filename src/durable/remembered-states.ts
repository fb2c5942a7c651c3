import { readQueue } from '../domain/queues.ts';
import type { ChangedParts, Outbox } from '../storage/storage.ts';

/** How a large state is taken apart, so that a step writes only what it changes. */
export interface Division<State, Part> {
  divide(state: State): { head: State; parts: readonly Part[] };
  join(head: State, parts: readonly Part[]): State;
}

/** For states that are small, or that change as a whole. */
export const undivided: Division<unknown, never> = {
  divide: (state) => ({ head: state, parts: [] }),
  join: (state) => state,
};

/** A division of any types, as the outbox has it. */
// oxlint-disable-next-line typescript/no-explicit-any -- each kind of state has types of its own
type AnyDivision = Division<any, any>;

/** A state as it was kept last, and its parts by their numbers in the store; undefined where they have to be written anew. */
interface Known {
  version: number;
  state: unknown;
  parts: readonly unknown[] | undefined;
}

const rememberedAtMost = 50;

/**
 * An outbox that remembers the states of some kinds of mailboxes as they were kept last: of one that has not changed since, only the
 * version is read. It keeps them in parts, of which nobody else knows. Those of mailboxes with nothing to do are kept whole, where
 * they take less room. States are never edited.
 *
 * @param divisions of each kind that is remembered
 */
export function rememberStates(outbox: Outbox, divisions: Readonly<Record<string, AnyDivision>>): Outbox {
  const remembered = new Map<string, Known>();

  function remember(queue: string, known: Known): void {
    remembered.delete(queue);
    remembered.set(queue, known);
    for (const oldest of [...remembered.keys()].slice(0, -rememberedAtMost)) remembered.delete(oldest);
  }

  async function read(queue: string, division: AnyDivision): Promise<Known> {
    const known = remembered.get(queue);
    if (known !== undefined && known.version === (await outbox.versionOf(queue))) return known;
    const { version, state: head, parts } = await outbox.stateWithParts(queue);
    const inOrder = [...parts].toSorted(([one], [other]) => one - other);
    const values = inOrder.map(([, part]) => part);
    // Where one could not be read, the others have other places from now on.
    const isIntact = inOrder.every(([number], place) => number === place);
    const state: unknown = values.length === 0 ? head : division.join(head, values);
    return { version, state, parts: isIntact ? values : undefined };
  }

  return {
    ...outbox,
    async stateOf<State>(queue: string) {
      const division = divisions[readQueue(queue).kind];
      if (division === undefined) return outbox.stateOf<State>(queue);
      const known = await read(queue, division);
      remember(queue, known);
      return { version: known.version, state: known.state as State | undefined };
    },
    async commit(queue, change) {
      const division = divisions[readQueue(queue).kind];
      if (division === undefined) return outbox.commit(queue, change);
      const { version, state, isBusy } = change;
      const { head, parts } = isBusy ? division.divide(state) : { head: state, parts: [] };
      const known = remembered.get(queue);
      const before = known?.version === version ? known.parts : undefined;
      const changed = changedParts(before ?? [], parts);
      if (!(await outbox.commit(queue, { ...change, state: head, parts: { count: parts.length, changed } })))
        return false;
      const kept = parts.map((part, place) => (changed.has(place) ? asKept(part) : before?.[place]));
      const keptHead = asKept(head);
      remember(queue, {
        version: version + 1,
        state: kept.length === 0 ? keptHead : division.join(keptHead, kept),
        parts: kept,
      });
      return true;
    },
  };
}

function changedParts(before: readonly unknown[], parts: readonly unknown[]): ChangedParts['changed'] {
  const changed = new Map<number, unknown>();
  for (const [place, part] of parts.entries())
    if (!(place < before.length && isSame(before[place], part))) changed.set(place, part);
  return changed;
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** What the store gives back of a value. */
function asKept<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
