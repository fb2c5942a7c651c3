import { ErrorReply } from '@redis/client';
import { createNodeRedisClient, Queue, Worker, type IRedisClient, type Job } from 'bullmq';
import { sweepQueue } from '../../domain/queues.ts';
import { createMemoryQueues, pauseMsAfter } from '../memory-queues.ts';
import type { SetTimer } from '../../time/clock.ts';
import { evenWhenFull, type RedisConnection } from './connection.ts';
import type { GuardedConnection } from './guarded-connection.ts';
import { StoreAwayError, type Queues } from '../storage.ts';

/** Queues that one instance runs concurrently. */
const queuesAtOnce = 50;
/** What an instance was running when it died is run by another after this, and at most two thirds of it more. */
const standardLockMs = 3_000;
/** An instance looks by itself as often as this for work whose time has come, in case its announcement was lost. */
const lookAgainS = 10;
/** BullMQ asks a Redis that refuses its commands again without a pause. */
const restMs = 1_000;
const eventsKept = 100;
/** BullMQ's name for the jobs that run the queues. */
const bullQueueName = 'queues';

/** KEYS: when queues run. ARGV: a queue, a time. Keeps the earliest. */
const plan = evenWhenFull(`
local planned = redis.call('HGET', KEYS[1], ARGV[1])
if not planned or tonumber(planned) > tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end`);

interface QueueJob {
  queue: string;
  /** Of an alarm: the time it was set to. */
  at?: number;
}
type QueueJobKind = 'run' | 'alarm';
type Running = Job<QueueJob, void, QueueJobKind>;
type Run = Parameters<Queues['start']>[0];

class QueueWorker extends Worker<QueueJob, void, QueueJobKind> {
  override get maximumBlockTimeout(): number {
    return lookAgainS;
  }
}

/**
 * Runs queues over all instances, as jobs of one BullMQ queue. Each queue has at most one `run` job. BullMQ's
 * deduplication drops a second job while the first one waits. While the first one runs, BullMQ keeps the second and
 * queues it in the step that ends the first, so no wake is lost between two runs. A wake for later is an `alarm` job,
 * which queues the `run` job when it is due, unless the queue has run since. A failed run is repeated as the same job.
 * What an instance was running when it died, or when Redis went away, runs again as soon as its lock has expired.
 *
 * The sweep runs on each instance by itself: it may run twice, and as a job it would cost an idle bot more than all else.
 *
 * @param options.guarded fails at once while Redis cannot be used
 * @param options.onFailure called with every run that failed
 */
export function createRedisQueues({
  guarded,
  guarded: { client },
  prefix,
  now,
  setTimer,
  onFailure,
  onError,
  lockMs = standardLockMs,
  retryPauseMs = pauseMsAfter,
}: {
  guarded: Pick<GuardedConnection, 'client' | 'isUsable' | 'onUsable'>;
  prefix: string;
  now: () => number;
  /** For the sweep. */
  setTimer?: SetTimer | undefined;
  onFailure: (queue: string, error: unknown) => void;
  onError: (error: unknown) => void;
  /** Tests shorten these. */
  lockMs?: number;
  retryPauseMs?: (failures: number) => number;
}): Queues {
  const plannedKey = `${prefix}:queues:planned`;
  /** Wakes that Redis did not take: they are made again when it is back. */
  const missed = new Map<string, number>();
  const runs = new Set<Promise<void>>();
  /** What was begun before all connections were open, which it needs to end. */
  const early: [job: Running, token: string | undefined][] = [];
  const own = createMemoryQueues({ now, onFailure, setTimer });
  let connection: IRedisClient | undefined;
  let jobs: Queue<QueueJob, void, QueueJobKind> | undefined;
  let worker: QueueWorker | undefined;
  let isOpen = false;
  let run: Run | undefined;
  let resting: NodeJS.Timeout | undefined;
  let endWatch = () => {};

  /** Created on first use, because BullMQ would open a client that is not open yet. */
  function openJobs(): NonNullable<typeof jobs> {
    if (!guarded.isUsable()) throw new StoreAwayError('not connected');
    connection ??= forBull(client, () => run === undefined);
    // Without the check of Redis' version nothing can fail while it opens, and an open queue is never opened again.
    jobs ??= new Queue<QueueJob, void, QueueJobKind>(bullQueueName, {
      connection,
      prefix,
      skipVersionCheck: true,
      streams: { events: { maxLen: eventsKept } },
      defaultJobOptions: { attempts: 1e6, backoff: { type: 'custom' }, removeOnComplete: true, removeOnFail: true },
    }).on('error', () => {});
    return jobs;
  }

  async function wake(queue: string, at: number): Promise<void> {
    try {
      const isAlarm = at > now();
      // The plan comes first, because an alarm without a plan does nothing.
      if (isAlarm) await client.eval(plan, { keys: [plannedKey], arguments: [queue, String(at)] });
      await openJobs().add(isAlarm ? 'alarm' : 'run', isAlarm ? { queue, at } : { queue }, {
        delay: isAlarm ? at - now() : 0,
        deduplication: { id: isAlarm ? `${queue}@${at}` : queue, keepLastIfActive: true },
      });
    } catch (error) {
      missed.set(queue, Math.min(at, missed.get(queue) ?? Infinity));
      rest();
      throw error;
    }
  }

  async function ring(queue: string, at: number): Promise<void> {
    const planned = await client.hGet(plannedKey, queue);
    if (planned !== null && Number(planned) <= at) await wake(queue, now());
  }

  async function runOnce(queue: string, runQueue: Run): Promise<void> {
    try {
      await client.hDel(plannedKey, queue);
      const again = await runQueue(queue);
      if (again !== undefined) await wake(queue, again);
    } catch (error) {
      onFailure(queue, error);
      throw error;
    }
  }

  function openWorker(runQueue: Run, shared: IRedisClient): QueueWorker {
    const opened = new QueueWorker(
      bullQueueName,
      async (job: Running, token) => {
        const { queue, at } = job.data;
        if (!isOpen) early.push([job, token]);
        if (at !== undefined) return ring(queue, at);
        const ending = runOnce(queue, runQueue).finally(() => runs.delete(ending));
        runs.add(ending);
        return ending;
      },
      {
        connection: shared,
        prefix,
        concurrency: queuesAtOnce,
        drainDelay: lookAgainS,
        lockDuration: lockMs,
        lockRenewTime: lockMs / 3,
        skipStalledCheck: true,
        stalledInterval: lockMs / 3,
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        runRetryDelay: restMs,
        settings: { backoffStrategy: retryPauseMs },
      },
    );
    opened.on('error', (error) => {
      onError(error);
      if (!(error instanceof StoreAwayError || error instanceof ErrorReply)) return;
      void opened.pause(true);
      rest();
    });
    opened.waitUntilReady().then(
      () => watch(opened),
      () => {
        // What broke while BullMQ looked at Redis' version is not looked at again.
        if (worker === opened) worker = undefined;
        void opened.close(true);
        rest();
      },
    );
    return opened;
  }

  function watch(opened: QueueWorker): void {
    endWatch();
    if (run === undefined) return;
    isOpen = true;
    endWatch = watchLeftJobs({
      ...guarded,
      keyOf: (part) => opened.toKey(part),
      moveStalled: () => opened.backend.moveStalledJobsToWait(),
      everyMs: lockMs / 3,
      onError,
    });
  }

  function rest(): void {
    resting ??= setTimeout(() => {
      resting = undefined;
      void goOn();
    }, restMs).unref();
  }

  /** Opens the worker, or lets it go on after an error, and makes the wakes that were missed. */
  async function goOn(): Promise<void> {
    if (run === undefined || !guarded.isUsable()) return;
    openJobs();
    if (worker) void worker.resume();
    else worker = openWorker(run, connection!);
    const again = [...missed];
    missed.clear();
    for (const [queue, at] of again) await wake(queue, at).catch(onError);
  }

  const stopListening = guarded.onUsable(() => void goOn());

  return {
    wake: (queue, at = now()) => (queue === sweepQueue ? own : { wake }).wake(queue, at),
    async start(runQueue) {
      run = runQueue;
      await own.start(async (queue) => (guarded.isUsable() ? runQueue(queue) : now() + restMs));
      void goOn();
    },
    async stop() {
      run = undefined;
      stopListening();
      endWatch();
      // A worker whose connections never opened would wait for them.
      await worker?.close(!isOpen);
      await Promise.allSettled([own.stop(), ...runs]);
      // Others take it at once, not when its lock ends.
      if (!isOpen) await Promise.allSettled(early.map(([job, token]) => job.moveToWait(token)));
      await jobs?.close();
    },
  };
}

/** @param isStopped whether no client is to connect any more: BullMQ would, while it closes and Redis is away */
function forBull(raw: RedisConnection, isStopped: () => boolean): IRedisClient {
  // BullMQ does not listen to the end, and an unheard error would end the process.
  const client = createNodeRedisClient(raw).on('error', () => {});
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (...options) => {
    const another = duplicate(...options).on('error', () => {});
    const connect = another.connect.bind(another);
    another.connect = async () => (isStopped() ? undefined : connect());
    return another;
  };
  const define = client.defineCommand.bind(client);
  // Without jobs nothing that waits would be posted, and a full Redis would stay full. There is one job for each queue.
  client.defineCommand = (name, { lua, ...definition }) => define(name, { ...definition, lua: evenWhenFull(lua) });
  return client;
}

// KEYS: BullMQ's list of jobs that wait, and its announcement (https://docs.bullmq.io/bull/important-notes: a marker that an
// idle worker takes).
const announceAgain = evenWhenFull(`if redis.call('LLEN', KEYS[1]) > 0 then redis.call('ZADD', KEYS[2], 0, '0') end`);

/**
 * Looks for jobs that an instance has left that died or stands still: those that it was running, and those that were announced to
 * it alone. While nothing runs and nothing waits, which is most of the time, Redis is asked one question.
 *
 * @param deps.keyOf a key of BullMQ's
 * @param deps.moveStalled puts jobs back of which nobody renews the lock
 * @returns ends it
 */
export function watchLeftJobs(deps: {
  client: RedisConnection;
  isUsable: () => boolean;
  keyOf: (part: 'active' | 'wait' | 'marker') => string;
  moveStalled: () => Promise<unknown>;
  everyMs: number;
  onError: (error: unknown) => void;
}): () => void {
  const { client, keyOf } = deps;
  let isOver = false;
  let timer: NodeJS.Timeout;

  async function look(): Promise<void> {
    if (!deps.isUsable() || (await client.exists([keyOf('active'), keyOf('wait')])) === 0) return;
    await deps.moveStalled();
    await client.eval(announceAgain, { keys: [keyOf('wait'), keyOf('marker')] });
  }

  function lookSoon(): void {
    timer = setTimeout(() => {
      void look()
        .catch(deps.onError)
        .finally(() => {
          if (!isOver) lookSoon();
        });
    }, deps.everyMs);
  }

  lookSoon();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
