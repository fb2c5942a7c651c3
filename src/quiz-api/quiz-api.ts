import { Agent, type Dispatcher } from 'undici';
import { createRequestBudget, type RequestBudget } from './budget/request-budget.ts';
import { accountDatesIn } from './fields.ts';
import { createCalls, type CallsOf, endpoints } from './endpoints.ts';
import { createReadList, createUnreadableRecords, type UnreadableRecords } from './read-list.ts';
import type { QuizResponse } from './responses.ts';
import { sleep as realSleep, type Now, type Sleep } from '../time/clock.ts';
import { createTransport, type CallOptions, type ObservedCall } from './transport.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isOfOneCaller } from './errors.ts';

export interface QuizApiOptions {
  /** The specification's base_url, without `/api`; a path in it is kept. */
  baseUrl: string;
  apiKey: string;
  /** The time zone of dates without an offset; UTC unless given. */
  timeZone?: string | undefined;
  /** The `User-Agent` of every request: some firewalls refuse requests without. `invigilator` unless given. */
  userAgent?: string | undefined;
  /** Unless given: in memory, with the service's limits. */
  budget?: RequestBudget | undefined;
  /** The longest wait for the head of an answer, and for each part of its body; 10,000 unless given. */
  timeoutMs?: number | undefined;
  /** Of its own pool of kept-alive connections, such as how they leave the network. */
  agentOptions?: Agent.Options | undefined;
  /** Unless given: a pool of kept-alive connections, which `close` ends. */
  dispatcher?: Dispatcher | undefined;
  now?: Now | undefined;
  sleep?: Sleep | undefined;
  /** From 0 to 1, for the jitter of retries. */
  random?: (() => number) | undefined;
  onCall?: ((call: ObservedCall) => void) | undefined;
  /** Called once for each list and reason. */
  onUnreadable?: ((records: UnreadableRecords) => void) | undefined;
  /** Called with `unreadable()` when it changes. */
  onUnreadableChange?: ((records: readonly UnreadableRecords[]) => void) | undefined;
}

type Calls = CallsOf<typeof endpoints>;

/** The whole quiz service: a method for each operation of the specification's section 4. */
export interface QuizApi extends Calls {
  readonly responses: Responses;
  /** The records that the latest readings of the lists left out because they could not be read, a line for each list. */
  unreadable(): UnreadableRecords[];
  /** Waits for calls in flight, then ends the connections. */
  close(): Promise<void>;
}

export interface Responses extends Omit<Calls['responses'], 'list'> {
  /** All responses to a quiz, including those that are not submitted yet. Calls at the same time may get the same array. */
  list(quizId: string, options?: CallOptions): Promise<QuizResponse[]>;
  /**
   * Like `list`, for what takes as much memory again: of all calls at the same time for a quiz, one uses the responses at a
   * time.
   */
  using<Value>(
    quizId: string,
    options: CallOptions,
    use: (responses: QuizResponse[]) => Value | Promise<Value>,
  ): Promise<Value>;
}

/** A list of 100,000 users takes 60 MiB. */
const longestAnswerBytes = 256 * 1024 * 1024;

/**
 * @throws {TypeError} for a `baseUrl` that is not an http or https address, or has a user, a query or a fragment
 * @throws {RangeError} for an unknown time zone
 */
export function createQuizApi(options: QuizApiOptions): QuizApi {
  const { now = Date.now, sleep = realSleep, random = Math.random, timeoutMs = 10_000, onCall = () => {} } = options;
  const { origin, basePath } = parseBaseUrl(options.baseUrl);
  const dispatcher =
    options.dispatcher ??
    new Agent({ ...options.agentOptions, connectTimeout: timeoutMs, maxResponseSize: longestAnswerBytes });
  const transport = createTransport({
    origin,
    basePath,
    apiKey: options.apiKey,
    userAgent: options.userAgent ?? 'invigilator',
    dispatcher,
    budget: options.budget ?? createRequestBudget({ now: options.now, sleep }),
    timeoutMs,
    now,
    sleep,
    random,
    onCall,
  });
  const unreadable = createUnreadableRecords({
    onFirst: options.onUnreadable ?? (() => {}),
    onChange: options.onUnreadableChange ?? (() => {}),
  });
  const readList = createReadList({ transport, origin, basePath, unreadable });
  const dates = accountDatesIn(options.timeZone ?? 'UTC');
  const calls = createCalls(endpoints, { transport, readList, dates });
  let closed: Promise<void> | undefined;
  return {
    ...calls,
    responses: withSharedLists(calls.responses, now),
    unreadable: unreadable.counted,
    close: async () => (closed ??= options.dispatcher ? undefined : dispatcher.close()),
  };
}

function withSharedLists(calls: Calls['responses'], now: Now): Responses {
  const lists = createSharedLists({ read: calls.list, now });
  return {
    ...calls,
    list: async (quizId, options = {}) => lists.using(quizId, options, (responses) => responses),
    using: lists.using,
    delete: async (quizId, responseId, options) =>
      calls.delete(quizId, responseId, options).finally(() => lists.forget(quizId)),
  };
}

/** @throws {TypeError} for anything but an http or https address without user, query and fragment */
function parseBaseUrl(baseUrl: string): { origin: string; basePath: string } {
  const url = URL.parse(baseUrl);
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isUsable) throw new TypeError('baseUrl must be an http or https address without user, query and fragment');
  return { origin: url.origin, basePath: `${url.pathname.replace(/\/+$/, '')}/api` };
}

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
