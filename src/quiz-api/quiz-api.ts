import { Agent, type Dispatcher } from 'undici';
import { createRequestBudget, type RequestBudget } from './budget/request-budget.ts';
import { accountDatesIn } from './fields.ts';
import { createCalls, type CallsOf, endpoints } from './endpoints.ts';
import { createReadList, createUnreadableRecords, type UnreadableRecords } from './read-list.ts';
import type { QuizResponse } from './responses.ts';
import { createSharedLists } from './shared-lists.ts';
import { sleep as realSleep, type Now, type Sleep } from '../time/clock.ts';
import { createTransport, type CallOptions, type ObservedCall } from './transport.ts';

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
  const ownAgent =
    options.dispatcher === undefined
      ? new Agent({ ...options.agentOptions, connectTimeout: timeoutMs, maxResponseSize: longestAnswerBytes })
      : undefined;
  const transport = createTransport({
    origin,
    basePath,
    apiKey: options.apiKey,
    userAgent: options.userAgent ?? 'invigilator',
    dispatcher: options.dispatcher ?? ownAgent ?? new Agent(),
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
    close: async () => (closed ??= ownAgent?.close()),
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
