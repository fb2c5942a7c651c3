import { describe, expect, test } from 'vitest';
import { changingCalls } from '../../src/quiz-api/endpoints.ts';
import { lintPlanted } from './lint-planted.ts';

/** The planted texts that a rule of the project refuses. */
function refused(rule: string, planted: readonly (readonly [file: string, text: string])[]): string[] {
  const named = planted.map(([file, text], index) => [file.replace('.ts', `-${index}.ts`), text] as const);
  const files = new Set(
    lintPlanted(Object.fromEntries(named))
      .filter(({ code }) => code === `invigilator(${rule})`)
      .map(({ filename }) => filename),
  );
  return named.filter(([file]) => files.has(file)).map(([, text]) => text);
}

describe('a request that changes the account', () => {
  const rule = 'changes-in-operations';
  const calls = [...changingCalls].map((call) => `await api.${call}('an-id');`);
  const dodges = [
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

  test('is refused outside operations, however it is written', () => {
    const rooms = ['governance', 'batches', 'campaigns', 'slack/in', 'workflows', 'mcp', 'directory'];
    const everywhere = rooms.map((room) => [`src/${room}/any.ts`, calls[0]!] as const);
    const planted = [...calls, ...dodges].map((text) => ['src/governance/any.ts', text] as const);
    expect(refused(rule, [...planted, ...everywhere, ['src/any.ts', calls[0]!]])).toEqual([
      ...calls,
      ...dodges,
      ...everywhere.map(([, text]) => text),
      calls[0],
    ]);
  });

  test('is allowed in operations and in the client, as reading is everywhere', () => {
    const reading = `await api.users.get('an-id'); const { list, get } = api.users; const { users: { find } } = api;`;
    const planted = ['src/features/users/any.ts', 'src/operations/any.ts', 'src/quiz-api/any.ts'].flatMap((file) =>
      [...calls, ...dodges].map((text) => [file, text] as const),
    );
    expect(refused(rule, [...planted, ['src/governance/any.ts', reading]])).toEqual([]);
  });
});

describe('the run of an operation', () => {
  const rule = 'run-by-the-kernel';
  const runs = [
    'await operation.run(context, input);',
    'await closeQuiz.run(context, input);',
    `await operationNamed('close-quiz')?.run(context, input);`,
    `await operation['run'](context, input);`,
    'const { run } = operation;',
    'const begin = ({ run: go }) => go;',
    'rows.push(operation.run);',
  ];

  test.each([
    'src/governance/perform/execute.ts',
    'src/governance/approvals/prepare.ts',
    'src/features/quizzes/any.ts',
    'src/features/batches/any.ts',
    'src/features/campaigns/any.ts',
    'src/features/agents/any.ts',
    'src/features/workflows/any.ts',
    'src/slack/in/any.ts',
    'src/any.ts',
  ])('is refused in %s', (file) => {
    expect(
      refused(
        rule,
        runs.map((text) => [file, text] as const),
      ),
    ).toEqual(runs);
  });

  test('is the kernel’s, and what stores and observability call so is not the run of an operation', () => {
    const files = ['src/storage/sqlite/any.ts', 'src/observability/any.ts'];
    expect(
      refused(
        rule,
        files.map((file) => [file, 'statement.run(1);'] as const),
      ),
    ).toEqual([]);
    const complaints = lintPlanted({ 'src/governance/perform/carry-out.ts': runs[0]! });
    expect(complaints.filter(({ code }) => code.startsWith('invigilator'))).toEqual([]);
  });
});

describe('what few files may import', () => {
  const statement = (name: string) =>
    `import { ${name} as taken } from '../governance/any.ts';\nexport const used = taken;`;
  const mayImport = {
    policyDecision: ['src/governance/perform/judge.ts'],
    createCarryOut: ['src/governance/governance.ts'],
    setNewPassword: ['src/governance/passwords/passwords.ts'],
    makePassword: ['src/assembly/bot.ts', 'src/features/users/create-user.ts', 'src/features/users/state.ts'],
  };

  test.each(Object.entries(mayImport))('%s is refused to every other file', (name, files) => {
    const others = ['src/governance/other.ts', 'src/slack/admit.ts', 'src/features/batches/execute.ts', 'src/any.ts'];
    const complain = (paths: readonly string[], text: string) =>
      lintPlanted(Object.fromEntries(paths.map((path) => [path, text])))
        .filter(({ code }) => code === 'invigilator(imported-by)')
        .map(({ filename }) => filename);
    expect(complain([...files, ...others], statement(name)).toSorted()).toEqual(others.toSorted());
    expect(complain(others, `export { ${name} } from './any.ts';`).toSorted()).toEqual(others.toSorted());
    expect(complain(others, `export const it = (context) => context.${name}();`).toSorted()).toEqual(others.toSorted());
    expect(complain(others, `export const it = ({ ${name} }) => ${name}();`).toSorted()).toEqual(others.toSorted());
    expect(complain(others, statement('valueOf'))).toEqual([]);
  });
});

describe('what lasts', () => {
  const texts = [
    'setTimeout(() => {}, 1_000);',
    'globalThis.setInterval(() => {}, 1_000);',
    `import { setTimeout as sleep } from 'node:timers/promises';`,
    `await outbox.commit('queue', { version: 1 });`,
    `const { commit } = storage.outbox;`,
    `await deps.leases.withLease('name', 1_000, async () => {});`,
    'await approvals.replace(request, 1);',
  ];

  test('is kept, timed and leased by durable, storage and time alone', () => {
    const rooms = ['governance', 'alerts', 'batches', 'campaigns', 'workflows', 'slack', 'mcp', 'http', 'quiz-api'];
    const inRooms = (names: readonly string[]) =>
      names.flatMap((room) => texts.map((text) => [`src/${room}/any.ts`, text] as const));
    const fine = ['src/features/alerts/any.ts', `'a b'.replace('a', 'b');`] as const;
    expect(refused('lasts-in-durable', [...inRooms([...rooms, 'durable', 'storage', 'time']), fine])).toEqual(
      inRooms(rooms).map(([, text]) => text),
    );
  });
});
