import { createFailFastConnection } from '../../src/storage/redis/connection.ts';
import { createRedisQueues } from '../../src/storage/redis/queues.ts';
import { unguarded } from './redis.ts';

/** A program to be killed: it prints each queue it runs and never finishes one. */
const url = process.argv[2]!;
const client = createFailFastConnection(url);
await client.connect();
const queues = createRedisQueues({
  guarded: unguarded(client),
  prefix: 'invigilator',
  now: Date.now,
  onFailure: () => {},
  onError: () => {},
  lockMs: Number(process.argv[3]),
});
await queues.start(async (queue) => {
  process.stdout.write(`${queue}\n`);
  return new Promise(() => {});
});
