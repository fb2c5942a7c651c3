import type { NewQueueEntry } from '../../../src/domain/queues.ts';
import type { Outbox } from '../../../src/storage/storage.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { labelOf, letterIn, type Letter } from './scenario.ts';
import type { ModelState } from './random-machine.ts';

/** What was kept of a mailbox. */
interface Account {
  /** Every letter that was ever put into it. */
  came: Letter[];
  /** Those that wait, by their position. */
  waiting: Map<number, Letter>;
  state: ModelState | undefined;
  changedAt: number;
}

/** A state that all share: which letters were put with it. */
export interface SharedList {
  revision: number;
  put: readonly string[];
}
export const sharedList = 'list/T1';

/**
 * An outbox, and a second account of it: each change is compared with what was kept before.
 *
 * @param expect called with what the runtime promises of what it keeps, and whether it is so
 */
export function createLedger(now: () => number, expect: (isSo: boolean, promise: string) => void) {
  const memory = createMemoryOutbox(now);
  const accounts = new Map<string, Account>();
  const labels = new Set<string>();
  const keptDeeds = new Set<string>();
  let lastPosition = 0;
  let list: SharedList = { revision: 0, put: [] };

  function accountOf(mailbox: string): Account {
    const account = accounts.get(mailbox) ?? { came: [], waiting: new Map(), state: undefined, changedAt: 0 };
    accounts.set(mailbox, account);
    return account;
  }

  function book(entries: readonly NewQueueEntry[]): void {
    for (const entry of entries) {
      const letter = letterIn(entry);
      lastPosition += 1;
      expect(!labels.has(labelOf(letter)), 'a letter is put once');
      labels.add(labelOf(letter));
      const account = accountOf(entry.queue);
      account.came.push(letter);
      account.waiting.set(lastPosition, letter);
      account.changedAt = now();
    }
  }

  function bookStep(mailbox: string, state: ModelState, remove: readonly number[]): void {
    const account = accountOf(mailbox);
    const taken = remove.map((position) => account.waiting.get(position));
    expect(!taken.includes(undefined), 'what is taken out has waited');
    const before = account.state?.applied ?? [];
    const after = [...before, ...taken.map((letter) => (letter ? labelOf(letter) : '?'))];
    expect(JSON.stringify(state.applied) === JSON.stringify(after), 'a state is kept with what it takes out');
    expect(state.revision === (account.state?.revision ?? 0) + 1, 'no state overwrites one that it does not follow');
    for (const position of remove) account.waiting.delete(position);
    account.state = state;
    account.changedAt = now();
    if (state.deed) keptDeeds.add(state.deed.key);
  }

  function bookShared(next: SharedList, entries: readonly NewQueueEntry[]): void {
    expect(next.revision === list.revision + 1, 'no shared state overwrites one that it does not follow');
    const put = [...list.put, ...entries.map((entry) => labelOf(letterIn(entry)))];
    expect(JSON.stringify(next.put) === JSON.stringify(put), 'a shared state is kept with what it puts');
    list = next;
  }

  const outbox: Outbox = {
    ...memory,
    async commit(queue, change) {
      const isKept = await memory.commit(queue, change);
      if (!isKept) return false;
      const { state, remove = [], put = [] } = change;
      if (queue === sharedList) bookShared(state as SharedList, put);
      else bookStep(queue, state as ModelState, remove);
      book(put);
      return true;
    },
    async put(entries) {
      await memory.put(entries);
      book(entries);
    },
  };

  return {
    outbox,
    accounts,
    accountOf,
    isKept: (deed: { key: string }) => keptDeeds.has(deed.key),
    isPut: (letter: Pick<Letter, 'id' | 'nth'>) => labels.has(labelOf(letter)),
    isSettled: () => [...accounts.values()].every(isAtRest),
  };
}

/** Whether nothing waits in a mailbox, and nothing is under way. */
export function isAtRest(account: Account): boolean {
  return account.waiting.size === 0 && !isUnderWay(account);
}

export function isUnderWay({ state }: Account): boolean {
  return state?.deed !== undefined || state?.owed !== undefined;
}

export type Ledger = ReturnType<typeof createLedger>;
