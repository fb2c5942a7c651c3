import { createNodeRedisClient, Queue, Worker, type IRedisClient, type Job } from 'bullmq';
import { setTimeout as sleep } from 'node:timers/promises';
import { pauseMsAfter } from '../queue-pause.ts';
import { isRefused, type RedisConnection } from './connection.ts';
import type { GuardedConnection } from './guarded-connection.ts';
import { evenWhenFull } from './script.ts';
import { StoreAwayError, type Queues } from '../storage.ts';

/** Queues that one instance runs concurrently. */
const queuesAtOnce = 50;
/** What an instance was running when it died is run by another after this, and at most half of it more. */
const standardLockMs = 6_000;
const reconnectPauseMs = 1_000;
const closeTimeoutMs = 1_000;
/** A worker makes two connections at its start, and again when Redis restarts. */
const [reconnectsAtMost, reconnectsWithinMs] = [6, 2_000];
const eventsKept = 100;
/** BullMQ's name for the jobs that run the queues. */
const bullQueueName = 'queues';

/** KEYS: when queues run. ARGV: a queue, a time. Keeps the earliest. */
const plan = evenWhenFull(`
local planned = redis.call('HGET', KEYS[1], ARGV[1])
if not planned or tonumber(planned) > tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end`);

/** KEYS: when queues run. ARGV: a queue, a time. Whether the queue is to run by then. */
const isPlanned = `
local planned = redis.call('HGET', KEYS[1], ARGV[1])
if planned and tonumber(planned) <= tonumber(ARGV[2]) then return 1 end
return 0`;

interface QueueJob {
  queue: string;
  /** Of an alarm: the time it was set to. */
  at?: number;
}
type QueueJobKind = 'run' | 'alarm';
type JobQueue = Queue<QueueJob, void, QueueJobKind>;
type QueueWorker = Worker<QueueJob, void, QueueJobKind>;
type Run = Parameters<Queues['start']>[0];

interface OpenedWorker {
  bull: QueueWorker;
  client: RedisConnection;
  /** The client and its duplicates, as BullMQ has them. */
  connections: Set<IRedisClient>;
  isOpen: boolean;
}

/**
 * Runs queues over all instances, as jobs of one BullMQ queue. Each queue has at most one `run` job. BullMQ's
 * deduplication drops a second job while the first one waits. While the first one runs, BullMQ keeps the second and
 * queues it in the step that ends the first, so no wake is lost between two runs. A wake for later is an `alarm` job,
 * which queues the `run` job when it is due, unless the queue has run since. A failed run is retried as the same job.
 *
 * @param options.guarded fails at once while Redis cannot be used, and is open before a queue is woken
 * @param options.createQueueingClient a new connection, not open yet, whose commands wait for Redis
 * @param options.onFailure called with every run that failed
 */
export function createRedisQueues(options: {
  guarded: Pick<GuardedConnection, 'client' | 'isUsable' | 'onUsable'>;
  createQueueingClient: () => RedisConnection;
  prefix: string;
  now: () => number;
  onFailure: (queue: string, error: unknown) => void;
  onError: (error: unknown) => void;
  /** Tests shorten these. */
  lockMs?: number;
  retryPauseMs?: (failures: number) => number;
}): Queues {
  const {
    guarded,
    guarded: { client },
    createQueueingClient,
    prefix,
    now,
    onFailure,
    lockMs = standardLockMs,
    retryPauseMs = pauseMsAfter,
  } = options;
  const report = options.onError;
  const plannedKey = `${prefix}:queues:planned`;
  const runs = new Set<Promise<void>>();
  /** Wakes that Redis did not take: they are made again when it is back. */
  const missed = new Map<string, number>();
  let jobQueue: JobQueue | undefined;
  let worker: OpenedWorker | undefined;
  let refusals = 0;
  let isStopped = false;

  /** Creates the queue on first use, because BullMQ would open a client that is not open yet. */
  function openJobQueue(): JobQueue {
    if (!guarded.isUsable()) throw new StoreAwayError('not connected');
    // Without the check of Redis' version nothing can fail while it opens, and an open queue is never opened again.
    jobQueue ??= new Queue<QueueJob, void, QueueJobKind>(bullQueueName, {
      connection: asHeard(client, report),
      prefix,
      skipVersionCheck: true,
      streams: { events: { maxLen: eventsKept } },
    }).on('error', report);
    return jobQueue;
  }

  async function add(kind: QueueJobKind, job: QueueJob, deduplicationId: string, delay = 0): Promise<void> {
    await openJobQueue().add(kind, job, {
      delay,
      deduplication: { id: deduplicationId, keepLastIfActive: true },
      attempts: 1e6,
      backoff: { type: 'custom' },
      removeOnComplete: true,
      removeOnFail: true,
    });
  }

  async function wake(queue: string, at: number): Promise<void> {
    if (at <= now()) return add('run', { queue }, queue);
    // The plan comes first, because an alarm without a plan does nothing.
    await client.eval(plan, { keys: [plannedKey], arguments: [queue, String(at)] });
    await add('alarm', { queue, at }, `${queue}@${at}`, at - now());
  }

  async function ring(queue: string, at: number): Promise<void> {
    const reply = await client.eval(isPlanned, { keys: [plannedKey], arguments: [queue, String(at)] });
    if (reply === 1) await wake(queue, now());
  }

  async function runOnce(queue: string, run: Run): Promise<void> {
    try {
      await client.hDel(plannedKey, queue);
      const again = await run(queue);
      if (again !== undefined) await wake(queue, again);
    } catch (error) {
      onFailure(queue, error);
      throw error;
    }
  }

  function openWorker(run: Run): OpenedWorker {
    const queueingClient = createQueueingClient();
    const connections = new Set<IRedisClient>();
    const isClosedAgain = createReconnectWatch();
    const watch = (connection: IRedisClient) =>
      void connections.add(connection.on('ready', () => isClosedAgain() && void putAside(opened)));
    const connection = asHeard(queueingClient, report, watch);
    watch(connection);
    const bull = new Worker<QueueJob, void, QueueJobKind>(
      bullQueueName,
      async ({ data: { queue, at } }: Job<QueueJob, void, QueueJobKind>) => {
        if (at !== undefined) return ring(queue, at);
        const ending = runOnce(queue, run).finally(() => runs.delete(ending));
        runs.add(ending);
        return ending;
      },
      {
        connection,
        prefix,
        concurrency: queuesAtOnce,
        lockDuration: lockMs,
        stalledInterval: lockMs / 2,
        maxStalledCount: Number.MAX_SAFE_INTEGER,
        runRetryDelay: reconnectPauseMs,
        settings: { backoffStrategy: retryPauseMs },
      },
    );
    const opened: OpenedWorker = { bull, client: queueingClient, connections, isOpen: false };
    bull.on('error', (error) => {
      report(error);
      if (isRefused(error)) void putAside(opened);
    });
    void waitUntilOpen(opened, run);
    return opened;
  }

  async function waitUntilOpen(opened: OpenedWorker, run: Run): Promise<void> {
    try {
      await opened.bull.waitUntilReady();
      opened.isOpen = true;
    } catch (error) {
      // What broke while BullMQ looked at Redis' version is not looked at again.
      report(error);
      await end(opened);
      await sleep(reconnectPauseMs);
      if (!isStopped && worker === opened) worker = openWorker(run);
    }
  }

  /** Ends a worker that Redis refuses: BullMQ would ask again without a pause. What it was running runs again, as after a crash. */
  async function putAside(refused: OpenedWorker): Promise<void> {
    if (worker !== refused) return;
    worker = undefined;
    refusals += 1;
    await end(refused);
    await sleep(pauseMsAfter(refusals), undefined, { ref: false });
    if (guarded.isUsable() && !isStopped) startWorker();
  }

  async function end(opened: OpenedWorker): Promise<void> {
    disconnect(opened);
    await opened.bull.close(true).catch(report);
  }

  /** Redis may go away again, or refuse some commands at first. */
  async function wakeMissed(): Promise<void> {
    const again = [...missed];
    missed.clear();
    for (const [queue, at] of again) await wakeOrKeep(queue, at).catch(report);
    if (missed.size > 0 && !isStopped) setTimeout(() => void wakeMissed(), reconnectPauseMs).unref();
  }

  async function wakeOrKeep(queue: string, at: number): Promise<void> {
    try {
      await wake(queue, at);
    } catch (error) {
      missed.set(queue, Math.min(at, missed.get(queue) ?? Infinity));
      throw error;
    }
  }

  let startWorker = () => {};
  const stopListening = guarded.onUsable(() => {
    refusals = 0;
    startWorker();
    void wakeMissed();
  });

  return {
    wake: (queue, at = now()) => wakeOrKeep(queue, at),
    async start(run) {
      // BullMQ tries again without a pause where Redis refuses its connection.
      startWorker = () => {
        worker ??= openWorker(run);
      };
      if (guarded.isUsable()) startWorker();
    },
    async stop() {
      isStopped = true;
      stopListening();
      // A worker whose connections never opened would wait for them.
      const closing = worker?.bull.close(!worker.isOpen || !worker.client.isReady).catch(report);
      await Promise.allSettled(runs);
      // While Redis is away, BullMQ waits to report finished jobs. Another instance runs those jobs again.
      if (worker?.client.isReady)
        await Promise.race([closing, new Promise((resolve) => worker?.client.once('reconnecting', resolve))]);
      if (worker) disconnect(worker);
      await Promise.race([closing, sleep(closeTimeoutMs, undefined, { ref: false })]);
      await jobQueue?.close();
    },
  };
}

function disconnect({ connections }: OpenedWorker): void {
  for (const connection of connections) connection.disconnect();
}

/**
 * Returns a function to call with each connection, which tells whether Redis has closed too many in a row. Redis closes a
 * connection without a password on which a command of more than ten parts comes, and the client connects again at once:
 * https://github.com/redis/redis/security/advisories/GHSA-f6pw-v9gw-v64p
 */
function createReconnectWatch(): () => boolean {
  let connectedAt: number[] = [];
  return () => {
    connectedAt = [...connectedAt, performance.now()].filter((at) => at > performance.now() - reconnectsWithinMs);
    return connectedAt.length > reconnectsAtMost;
  };
}

/** Wraps a client for BullMQ. BullMQ stops listening for errors while it closes a client; an unheard error would end the process. */
function asHeard(
  raw: RedisConnection,
  onError: (error: unknown) => void,
  onDuplicate: (duplicate: IRedisClient) => void = () => {},
): IRedisClient {
  const client = createNodeRedisClient(raw);
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (...options) => {
    const another = duplicate(...options).on('error', onError);
    onDuplicate(another);
    return another;
  };
  const define = client.defineCommand.bind(client);
  // Without jobs nothing that waits would be posted, and a full Redis would stay full. There is one job for each queue.
  client.defineCommand = (name, { lua, ...definition }) => define(name, { ...definition, lua: evenWhenFull(lua) });
  return client.on('error', onError);
}
