import { createHastyConnection, createPatientConnection } from '../../src/storage/redis/connection.ts';
import { createRedisLanes } from '../../src/storage/redis/queues.ts';

/** Says which lanes it runs, and never ends with one: to be killed. */
const url = process.argv[2]!;
const client = createHastyConnection(url);
await client.connect();
const lanes = createRedisLanes({
  client,
  patientClient: createPatientConnection(url),
  prefix: 'invigilator',
  now: Date.now,
  onFailure: () => {},
  onError: () => {},
});
await lanes.start(async (lane) => {
  process.stdout.write(`${lane}\n`);
  return new Promise(() => {});
});
