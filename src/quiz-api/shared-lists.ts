import { setImmediate as nextTurn } from 'node:timers/promises';
import { isOfOneCaller } from './errors.ts';
import type { CallOptions } from './transport.ts';

/** What is read once for everybody who asks for it at the same time. */
interface SharedRead<Item> {
  isForPeople: boolean;
  items: Promise<Item[]>;
  turn: ReturnType<ListTurns['take']>;
  readers: number;
  /** The uses of the list, one after the other. */
  uses: Promise<unknown>;
}

/** More than an account has quizzes. */
const sizesAtMost = 20_000;

/**
 * Makes equal reads that are under way one read, and takes large lists a few at a time. A read before a change, which has
 * `turns`, and a read that can be aborted are never shared.
 */
export function createSharedLists<Item>(deps: {
  read: (key: string, options: CallOptions) => Promise<Item[]>;
  now: () => number;
}) {
  const turns = createListTurns();
  const reads = new Map<string, SharedRead<Item>>();
  const sizes = new Map<string, number>();

  function begin(key: string, options: CallOptions): SharedRead<Item> {
    const turn = turns.take({ length: sizes.get(key), isBackground: options.priority === 'background' });
    const items = turn.granted.then(() => deps.read(key, options));
    const begun: SharedRead<Item> = {
      isForPeople: options.priority !== 'background',
      items,
      turn,
      readers: 0,
      uses: Promise.resolve(),
    };
    items
      .then(
        ({ length }) => remember(key, length),
        () => {},
      )
      .finally(() => forget(key, begun));
    return begun;
  }

  function remember(key: string, length: number): void {
    if (sizes.size >= sizesAtMost) sizes.clear();
    sizes.set(key, length);
  }

  function forget(key: string, read: SharedRead<Item> | undefined = reads.get(key)): void {
    if (reads.get(key) === read) reads.delete(key);
  }

  /** The read under way that a call may share, or a new one. A person does not wait for what is read in the background. */
  function readFor(key: string, options: CallOptions): { shared: SharedRead<Item>; isOwn: boolean } {
    if (options.turns !== undefined || options.signal !== undefined)
      return { shared: begin(key, options), isOwn: true };
    const known = reads.get(key);
    if (known && (known.isForPeople || options.priority === 'background')) return { shared: known, isOwn: false };
    const shared = begin(key, options);
    reads.set(key, shared);
    return { shared, isOwn: true };
  }

  /** The wait for a turn among large lists does not count against the deadline. */
  async function itemsOf({ turn, items }: SharedRead<Item>, options: CallOptions): Promise<Item[]> {
    const from = deps.now();
    if (turn.isWaiting()) options.onQueued?.();
    await turn.granted;
    if (options.deadline !== undefined) options.deadline += deps.now() - from;
    return items;
  }

  return {
    /** Reads a list, and keeps its turn until `use` has ended. Uses of one read run one after the other. */
    async using<Value>(
      key: string,
      options: CallOptions,
      use: (items: Item[]) => Value | Promise<Value>,
    ): Promise<Value> {
      for (;;) {
        const { shared, isOwn } = readFor(key, options);
        shared.readers += 1;
        try {
          const items = await itemsOf(shared, options).catch((error: unknown) => {
            if (isOwn || !isOfOneCaller(error)) throw error;
          });
          if (items === undefined) continue;
          const isLarge = items.length >= longFrom;
          const used = shared.uses.then(async () => (isLarge ? nextTurn() : undefined)).then(async () => use(items));
          shared.uses = used.catch(() => {});
          return await used;
        } finally {
          shared.readers -= 1;
          if (shared.readers === 0) shared.turn.release();
        }
      }
    },
    /** Call after a change: what is read from now on shows it. */
    forget: (key: string) => forget(key),
  };
}

/** The records of all lists that are read at the same time: two lists of 50,000 responses, which take about 60 MiB each. */
const recordsAtOnce = 100_000;
/** Of a list whose length is not known yet. */
const usualLength = 25_000;
/** Shorter lists never wait. */
const longFrom = 5_000;

interface Waiting {
  length: number;
  isBackground: boolean;
  grant: () => void;
}

type ListTurns = ReturnType<typeof createListTurns>;

/** Has large lists take turns, so that memory holds few of them. People come before the background, which reads one at a time. */
function createListTurns() {
  const reading = new Set<Waiting>();
  const waiting: Waiting[] = [];

  const inOrder = () => [
    ...waiting.filter(({ isBackground }) => !isBackground),
    ...waiting.filter(({ isBackground }) => isBackground),
  ];

  function fits({ length, isBackground }: Waiting): boolean {
    const others = [...reading];
    if (isBackground && others.some((other) => other.isBackground)) return false;
    return others.length === 0 || others.reduce((sum, other) => sum + other.length, length) <= recordsAtOnce;
  }

  function grantNext(): void {
    for (const next of inOrder()) {
      if (!fits(next)) {
        if (next.isBackground) continue;
        return;
      }
      waiting.splice(waiting.indexOf(next), 1);
      reading.add(next);
      next.grant();
    }
  }

  return {
    /** @param length that of the list when it was last read; undefined where it is not known */
    take({ length = usualLength, isBackground }: { length: number | undefined; isBackground: boolean }): {
      granted: Promise<void>;
      isWaiting: () => boolean;
      release: () => void;
    } {
      const { promise: granted, resolve: grant } = Promise.withResolvers<void>();
      if (length < longFrom) {
        grant();
        return { granted, isWaiting: () => false, release() {} };
      }
      const own: Waiting = { length, isBackground, grant };
      waiting.push(own);
      grantNext();
      return {
        granted,
        isWaiting: () => waiting.includes(own),
        release() {
          reading.delete(own);
          grantNext();
        },
      };
    },
  };
}
