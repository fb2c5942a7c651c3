import { expect, test } from 'vitest';
import { changingCalls } from '../../src/quiz-api/endpoints.ts';
import { lintPlanted } from './lint-planted.ts';

const calls = [...changingCalls].map((call) => `await api.${call}('an-id');`);
const changes = [
  ...calls,
  `await users.update('an-id', {});`,
  `await api['users'].update('an-id', {});`,
  `await api.users['update']('an-id', {});`,
  `await deps.api().users?.update('an-id', {});`,
  `const { update } = api.users;`,
  `const { users: { update } } = api;`,
  `const { update: change } = users;`,
  `const change = ({ users: { delete: remove } }) => remove;`,
  `queue.push(api.quizzes.update);`,
];
const reading = `await api.users.get('an-id'); const { list, get } = api.users; const { users: { find } } = api;`;
const runs = [
  'await operation.run(context, input);',
  'await closeQuiz.run(context, input);',
  `await operationNamed('close-quiz')?.run(context, input);`,
  `await operation['run'](context, input);`,
  'const { run } = operation;',
  'const begin = ({ run: go }) => go;',
  'rows.push(operation.run);',
];
const lasts = [
  'setTimeout(() => {}, 1_000);',
  'globalThis.setInterval(() => {}, 1_000);',
  `import { setTimeout as sleep } from 'node:timers/promises';`,
  `await outbox.commit('queue', { version: 1 });`,
  `const { commit } = storage.outbox;`,
  `await deps.leases.withLease('name', 1_000, async () => {});`,
  'await approvals.replace(request, 1);',
];

/** How a function can be used, and the files that may. */
const usesOf = (name: string) => [
  `import { ${name} as taken } from '../governance/any.ts';\nexport const used = taken;`,
  `export { ${name} } from './any.ts';`,
  `export const it = (context) => context.${name}();`,
  `export const it = ({ ${name} }) => ${name}();`,
];
const mayImport = {
  policyDecision: ['governance/perform/judge.ts'],
  createCarryOut: ['governance/governance.ts'],
  setNewPassword: ['governance/passwords/passwords.ts'],
  makePassword: ['assembly/bot.ts', 'features/users/create-user.ts', 'features/users/state.ts'],
};
const others = ['governance/other', 'slack/admit', 'features/batches/execute', 'any'];

/** Texts that a rule refuses or accepts in files of any name with this beginning, or with this very name. */
const table: readonly [rule: string, isRefused: boolean, files: readonly string[], texts: readonly string[]][] = [
  ['changes-in-operations', true, ['governance/any'], changes],
  ['changes-in-operations', true, ['features/batches', 'slack/in/any', 'directory/any', 'any'], calls.slice(0, 1)],
  ['changes-in-operations', false, ['features/users/any', 'operations/any', 'quiz-api/any'], changes],
  ['changes-in-operations', false, ['governance/any'], [reading]],
  ['run-by-the-kernel', true, ['governance/perform/execute', 'features/quizzes/any', 'slack/in/any', 'any'], runs],
  ['run-by-the-kernel', true, ['governance/approvals/any', 'features/campaigns/any'], runs.slice(0, 1)],
  ['run-by-the-kernel', false, ['storage/sqlite/any', 'observability/any'], ['statement.run(1);']],
  ['run-by-the-kernel', false, ['governance/perform/carry-out.ts'], runs.slice(0, 1)],
  ['lasts-in-durable', true, ['governance/any', 'features/alerts/any', 'slack/any', 'http/any', 'quiz-api/any'], lasts],
  ['lasts-in-durable', false, ['durable/any', 'storage/any', 'time/any'], lasts],
  ['lasts-in-durable', false, ['features/alerts/any'], [`'a b'.replace('a', 'b');`]],
  ...Object.entries(mayImport).flatMap(([name, files]): (typeof table)[number][] => [
    ['imported-by', true, others, usesOf(name)],
    ['imported-by', false, files, usesOf(name).slice(0, 1)],
  ]),
];

test('the linter refuses what only operations, the kernel and what lasts may do, however it is written, and nothing else', () => {
  const planted = table.flatMap(([rule, isRefused, files, texts]) =>
    files.flatMap((file) => texts.map((text) => ({ rule, isRefused, file, text }))),
  );
  const named = planted.map(({ file, ...one }, index) => ({
    ...one,
    path: file.endsWith('.ts') ? `src/${file}` : `src/${file}-${index}.ts`,
  }));
  const complaints = lintPlanted(Object.fromEntries(named.map(({ path, text }) => [path, text])));
  const refused = new Set(complaints.map(({ code, filename }) => `${code} ${filename}`));
  expect(
    named.filter(({ rule, path, isRefused }) => refused.has(`invigilator(${rule}) ${path}`) !== isRefused),
  ).toEqual([]);
});
