import { createNameIndex } from '../../src/directory/name-index.ts';
import { type User, userSchema } from '../../src/quiz-api/users.ts';
import { crowd, personKeys } from '../support/crowd.ts';

// Weighs, in a process of its own, users as the client reads them, and the index over them.
const count = Number(process.argv[2]);
const asServiceWrites = (_: string, value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? value.slice(0, 19).replace('T', ' ') : value;

const base = usedBytes();
const users: User[] = crowd(count).map((user) => userSchema.parse(JSON.parse(JSON.stringify(user), asServiceWrites)));
const withUsers = usedBytes();
const index = createNameIndex(users, personKeys);
const withIndex = usedBytes();

process.send?.({ usersMb: (withUsers - base) / 1e6, indexMb: (withIndex - withUsers) / 1e6, isInUse: index.byId('') === users[0] });
process.disconnect?.();

function usedBytes(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
