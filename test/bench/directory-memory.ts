import { createNameIndex } from '../../src/directory/name-index.ts';
import { collectGarbage } from '../support/measurements.ts';
import { sampleUsers, userKeys } from '../support/sample-users.ts';

// A program that measures the memory of users, as the client returns them, and of their index.
const base = usedBytes();
const users = sampleUsers(Number(process.argv[2]));
const withUsers = usedBytes();
const index = createNameIndex(users, userKeys);
const withIndex = usedBytes();
if (!users.every((user) => index.byId(user.user_id) === user)) throw new Error('the index lacks a user');

process.send?.({ usersMb: (withUsers - base) / 1e6, indexMb: (withIndex - withUsers) / 1e6 });
process.disconnect?.();

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
