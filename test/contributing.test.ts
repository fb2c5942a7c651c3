import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../src/sandbox/workspace/people.ts';
import { programEnv } from './support/child-process.ts';
import { leftToCi } from './support/drawn.ts';
import { textOf, type openTestBed as openTestBedHere } from './support/open-test-bed.ts';
import { watchdogMs } from './support/watchdog.ts';

interface Block {
  language: string;
  code: string;
  /** The file that the text before the block links to last. */
  file: string;
}

const page = readFileSync('CONTRIBUTING.md', 'utf8');

function recipeOf(heading: string): Block[] {
  const steps = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  return [...steps.matchAll(/```(\w+)\n(.+?)```/gs)].map(({ 1: language, 2: code, index }) => ({
    language: language!,
    code: code!,
    file: [...steps.slice(0, index).matchAll(/\]\(([^)]+)\)/g)].at(-1)![1]!,
  }));
}

/** What the steps change, and what it takes to run and to check it. */
const copied = [
  'src',
  'test',
  'manifest.yml',
  'docs',
  'README.md',
  'package.json',
  'tsconfig.json',
  'knip.json',
  'stryker.config.js',
  'vitest.config.ts',
  '.env.example',
  '.oxlintrc.json',
  '.oxfmtrc.json',
];

/** Its compiler checks with one checker: several check types anew that they share. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'invigilator-copy-'));
  for (const name of copied) cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  change(join(copy, 'tsconfig.json'), '     "noEmit": true,\n+    "checkers": 1,\n');
  return copy;
}

/** Follows the steps on a copy of the sources. */
function follow(blocks: readonly Block[], copy: string): void {
  for (const { language, file, code } of blocks) {
    if (language === 'ts') writeFileSync(join(copy, file), code);
    if (language === 'diff') for (const hunk of code.split('@@\n')) change(join(copy, file), hunk);
  }
}

/** What `npm run check` looks at in the files that the steps change. */
const checking = (files: readonly string[]): string =>
  `npx tsc && npx oxlint --type-aware --deny-warnings ${files.join(' ')} && npx oxfmt --check ${files.join(' ')}`;

/** What a hunk takes away has to stand in the file exactly once. */
function change(file: string, hunk: string): void {
  const lines = hunk.trimEnd().split('\n');
  const without = (sign: string) =>
    lines
      .filter((line) => !line.startsWith(sign))
      .map((line) => `\n${line.slice(1)}`)
      .join('');
  const parts = readFileSync(file, 'utf8').split(without('+'));
  if (parts.length !== 2) throw new Error(`${file} has these lines ${parts.length - 1} times: ${without('+')}`);
  writeFileSync(file, parts.join(without('-')));
}

describe.skipIf(leftToCi)('what CONTRIBUTING.md adds', () => {
  const blocks = recipeOf('Add an operation in three steps');
  const answer = recipeOf('Answer with a page');
  const opposites = recipeOf('Add a pair of opposites');
  const kind = recipeOf('Add a kind of field in two steps');
  const slackRecord = 'src/slack/form/inputs.ts';
  const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.trim().split('\n'));
  const check = 'npm run check';
  let copy = '';
  beforeAll(() => {
    copy = copySources();
    follow(blocks, copy);
  });
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test.each(commands.filter((command) => command !== check))('an operation passes %s', (command) => {
    const { status, said } = runIn(copy, command);
    expect(status === 0 ? 'passed' : said).toBe('passed');
  });

  test('a kind of field, once the core lists it, is asked for by the compiler as an input, and nowhere else', () => {
    follow(
      kind.filter(({ file }) => file !== slackRecord),
      copy,
    );
    const { said } = runIn(copy, 'npx tsc --pretty false');
    const problems = said.split('\n').filter((line) => line.includes('error TS'));
    expect(problems.map((problem) => problem.split('(')[0])).toEqual([slackRecord]);
    for (const problem of problems) expect(problem).toContain("Property 'date' is missing");
  });

  test('all of it together gives types, linter and formatter nothing to say', () => {
    follow(
      kind.filter(({ file }) => file === slackRecord),
      copy,
    );
    follow(answer, copy);
    follow(opposites, copy);
    const planFile = 'src/features/groups/plan-training.ts';
    writeFileSync(join(copy, planFile), planned);
    change(
      join(copy, 'src/operations/catalog.ts'),
      " import { exportResults } from '../features/results/export-results.ts';\n+import { planTraining } from '../features/groups/plan-training.ts';\n",
    );
    change(join(copy, 'src/operations/catalog.ts'), '   markQuiz,\n+  planTraining,\n');
    const changed = [...blocks, ...answer, ...opposites, ...kind]
      .map(({ file }) => file)
      .filter((file) => file.endsWith('.ts'));
    const { status, said } = runIn(copy, checking([...new Set(changed)]));
    expect(status === 0 ? 'passed' : said).toBe('passed');
  });

  describe('in Slack', () => {
    /** The bot of the copy, and what a person reads one after the other. */
    async function open(personId: string = people.ada.id) {
      // The copy is whole by then: what is loaded of it stays loaded.
      const { openTestBed } = (await import(join(copy, 'test/support/open-test-bed.ts'))) as {
        openTestBed: typeof openTestBedHere;
      };
      const { workspace } = await openTestBed({}, onTestFinished);
      const said = async (number: number) =>
        textOf(await workspace.until(() => workspace.ephemerals(personId)[number]));
      return { workspace, person: workspace.as(personId), said };
    }

    test('the operation is made and taken back, stands in the help, and has a form for what is left out', async () => {
      const { person: ada, said } = await open();
      await ada.command('/quiz mark forklift as Draft');
      expect(await said(0)).toContain('it’s called *Draft: Forklift theory test* now.');
      expect(await said(0)).toContain('"Undo"');

      await ada.command('/quiz mark forklift as Draft');
      expect(await said(1)).toContain('has this label already. Nothing changed.');

      await ada.command('/quiz help all');
      expect(await said(2)).toContain('Put a label before the name of a quiz');

      const form = await (await ada.command('/quiz mark')).view();
      expect(form.callback_id).toBe('mark-quiz');
      expect(textOf(form)).toContain('Label');
    });

    test('the operation is neither run for nor shown to who has no right to it', async () => {
      const { person: rosa, said } = await open(people.rosa.id);
      await rosa.command('/quiz mark forklift as Draft');
      expect(await said(0)).toContain('🚫');
      await rosa.command('/quiz help all');
      expect(await said(1)).not.toContain('Put a label');
    });

    test('the page is a list, a chart, two buttons and a question', async () => {
      const { workspace, person: ada } = await open();
      const question = await (await ada.command('/quiz compare s')).reply();
      expect(textOf(question)).toContain('Compare every quiz with “s” in its name?');
      await ada.click({ channel: question.channel, ts: question.ts }, 'choose:confirmed');
      const shown = await workspace.until(() =>
        workspace.ephemerals(people.ada.id).find((message) => textOf(message).includes('with results')),
      );
      expect((shown.blocks ?? []).map(({ type }) => type)).toContain('data_visualization');
      expect(textOf(shown)).toContain('*Workplace safety basics* · ');
      expect(textOf(shown)).toContain('"All results"');
      expect(textOf(shown)).toContain('"List quizzes…"');
    });

    test('each of two opposites takes the other back', async () => {
      const { workspace, person: ada, said } = await open();
      await ada.command('/quiz star forklift');
      expect(await said(0)).toContain('Starred *Forklift theory test*.');
      const [starred] = workspace.ephemerals(people.ada.id);
      await ada.click({ channel: starred!.channel, ts: starred!.ts }, 'choose:unstar-quiz');
      const shown = () => workspace.ephemerals(people.ada.id).map(textOf).join('\n');
      await workspace.until(() => shown().includes('Unstarred *Forklift theory test*.'));
      await ada.command('/quiz unstar forklift');
      await workspace.until(() => shown().includes('stays as it is. Nothing changed.'));
    });

    test('the kind of field works in a command and in a form', async () => {
      const { person: ada, said } = await open();
      await ada.command('/quiz-group plan »2026-12-01«');
      expect(await said(0)).toContain('Planned for 2026-12-01');
      await ada.command('/quiz-group plan tomorrow');
      expect(await said(1)).toContain('This is no day');

      const form = await (await ada.command('/quiz-group plan')).view();
      expect(textOf(form)).toContain('"type":"datepicker"');
      const { view } = await ada.submit(form, { day: '2026-12-24' });
      expect(textOf(view)).toContain('Planned for 2026-12-24');
    });
  });
});

const planned = `import { defineOperation } from '../../operations/operation.ts';

export const planTraining = defineOperation({
  name: 'plan-training',
  command: '/quiz-group plan <day>',
  summary: 'Plan a training',
  access: 'read',
  right: 'manage_groups',
  submit: 'Plan',
  fields: { day: { kind: 'date', label: 'Day' } },
  run: async (_, { day }) => ({ kind: 'done', message: \`Planned for \${day}.\` }),
});
`;

/** Beside other tests, what the compiler and the linter do in several threads at once costs half as much again, and is no sooner done. */
const forOneCore = { GOMAXPROCS: '1' };

function runIn(copy: string, command: string) {
  // A run of Vitest leaves variables behind that another one would take for its own.
  const { PATH, HOME } = process.env;
  const { NODE_COMPILE_CACHE } = programEnv;
  const { status, stdout, stderr, error } = spawnSync(command, {
    shell: true,
    cwd: copy,
    env: { PATH, HOME, NODE_COMPILE_CACHE: resolve(NODE_COMPILE_CACHE), ...forOneCore },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 2 * watchdogMs,
  });
  return { status, said: `${stdout}${stderr}${error === undefined ? '' : String(error)}` };
}
