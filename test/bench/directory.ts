import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildNameIndex, createNameIndex } from '../../src/directory/name-index.ts';
import type { User } from '../../src/quiz-api/records.ts';
import { createSeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { apart } from '../support/apart.ts';
import { sampleUsers, userKeys, typos } from '../support/sample-users.ts';
import { collectGarbage, percentile } from '../support/measurements.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const soughtCount = 100;
const pickerOptions = 100;

/** Measures the search while a person types, and the index, among the people of a large account and of a huge one, which has no goals. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  if (isShort) return among(1_000);
  const huge = await among(100_000);
  return [...(await among(20_000)), ...huge.map(({ name, figure }) => ({ name, figure }))];
}

async function among(peopleCount: number): Promise<BenchRow[]> {
  const { usersMb, indexMb } = await apart(import.meta.url, memoryOf, [peopleCount]);
  const users = sampleUsers(peopleCount);
  const sought = users.filter((_, number) => number % (peopleCount / soughtCount) === 0);
  const buildMs = Math.max(...times([1, 2, 3], () => createNameIndex(users, userKeys)));
  const longestSliceMs = await longestSlice(users);
  const index = createNameIndex(users, userKeys);
  const isTrainer = (user: User) => user.user_type === 'trainer';
  const search = (text: string) => index.search(text, { limit: pickerOptions });
  const searchTrainers = (text: string) => index.search(text, { limit: pickerOptions, accepts: isTrainer });
  const rows: BenchRow[] = [
    timing('a keystroke', 'keystroke', times(keystrokes(sought), search)),
    timing('a keystroke with a filter that excludes everyone', 'keystroke', times(keystrokes(sought), searchTrainers)),
    timing(
      'a match by a name or part of a name',
      'match',
      times(keystrokes(sought), (text) => index.match(text)),
    ),
    timing(
      '“did you mean”',
      'match',
      times(mistyped(sought), (text) => index.match(text)),
    ),
    { name: 'index built', figure: `${buildMs.toFixed(0)} ms`, ...heldAgainst('index', { ms: buildMs }) },
    { name: 'longest slice, built in slices', figure: `${longestSliceMs.toFixed(0)} ms` },
    {
      name: 'memory of the index',
      figure: `${indexMb.toFixed(0)} MB`,
      ...heldAgainst('memory of the index', { mb: indexMb }),
    },
    {
      name: 'memory of users and index',
      figure: `${(usersMb + indexMb).toFixed(0)} MB`,
      ...heldAgainst('memory of users and index', { mb: usersMb + indexMb }),
    },
  ];
  return rows.map((row) => ({ ...row, name: `directory of ${peopleCount.toLocaleString('en')}: ${row.name}` }));
}

/** The searches of a picker while names and addresses, some mistyped, are typed letter by letter. */
function keystrokes(users: readonly User[]): string[] {
  const texts = users.flatMap((user, number) => {
    const typed = [
      `${user.first_name} ${user.last_name}`,
      `${user.last_name} ${user.first_name}`.toLowerCase(),
      user.email_address,
      mistyped([user])[0] ?? '',
    ];
    return typed[number % typed.length] ?? '';
  });
  return texts.flatMap((text) => Array.from(text, (_, letters) => text.slice(0, letters + 1)));
}

function mistyped(users: readonly User[]): string[] {
  const random = createSeededRandom(11);
  return users.flatMap((user) => {
    const { first_name, last_name, email_address } = user;
    const names = [
      `${first_name} ${last_name}`,
      `${last_name}, ${first_name}`,
      `${last_name}${first_name}`,
      email_address,
    ];
    return random.pick(Object.values(typos))(random.pick(names), random);
  });
}

/** The time of each call in milliseconds. */
function times<Input>(inputs: readonly Input[], call: (input: Input) => unknown): number[] {
  return inputs.map((input) => {
    const startedMs = performance.now();
    call(input);
    return performance.now() - startedMs;
  });
}

async function longestSlice(users: readonly User[]): Promise<number> {
  let longestMs = 0;
  let resumedMs = performance.now();
  await buildNameIndex(users, userKeys, async () => {
    longestMs = Math.max(longestMs, performance.now() - resumedMs);
    await nextTurn();
    resumedMs = performance.now();
  });
  return longestMs;
}

interface Memory {
  usersMb: number;
  indexMb: number;
}

/** The memory of users, as the client returns them, and of their index. */
export async function memoryOf(peopleCount: number): Promise<Memory> {
  const base = usedBytes();
  const users = sampleUsers(peopleCount);
  const withUsers = usedBytes();
  const index = createNameIndex(users, userKeys);
  const withIndex = usedBytes();
  if (!users.every((user) => index.byId(user.user_id) === user)) throw new Error('the index lacks a user');
  return { usersMb: (withUsers - base) / 1e6, indexMb: (withIndex - withUsers) / 1e6 };
}

function usedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function timing(name: string, goal: 'keystroke' | 'match', tookMs: readonly number[]): BenchRow {
  const [p50, p99] = [percentile(tookMs, 50), percentile(tookMs, 99)];
  return {
    name,
    figure: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    ...heldAgainst(goal, { p99Ms: p99 }),
  };
}
