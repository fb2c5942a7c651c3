import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../src/sandbox/workspace/people.ts';
import { textOf, type TestBed, type openTestBed as openHouseHere } from './support/open-test-bed.ts';

const page = readFileSync('CONTRIBUTING.md', 'utf8');
const steps = /\n## Add an operation in three steps\n(.+?)\n## /s.exec(page)![1]!;

/** The code blocks of the steps, each with the file that the text before it links to last. */
const blocks = [...steps.matchAll(/```(\w+)\n(.+?)```/gs)].map(({ 1: language, 2: code, index }) => ({
  language: language!,
  code: code!,
  file: [...steps.slice(0, index).matchAll(/\]\(([^)]+)\)/g)].at(-1)![1]!,
}));
const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.trim().split('\n'));

const check = 'npm run check';

/** What the steps change, and what it takes to run and to check it. */
const copied = ['src', 'test', 'manifest.yml', 'README.md', 'package.json', 'tsconfig.json', 'vitest.config.ts', '.oxlintrc.json'];

const copy = mkdtempSync(join(tmpdir(), 'invigilator-copy-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

beforeAll(() => {
  for (const name of copied) cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const { language, file, code } of blocks) {
    if (language === 'ts') appendFileSync(join(copy, file), `\n${code}`);
    if (language === 'diff') for (const hunk of code.split('@@\n')) change(join(copy, file), hunk);
  }
});

/** What a hunk takes away has to stand in the file exactly once. */
function change(file: string, hunk: string): void {
  const lines = hunk.trimEnd().split('\n');
  const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => `\n${line.slice(1)}`).join('');
  const parts = readFileSync(file, 'utf8').split(without('+'));
  if (parts.length !== 2) throw new Error(`${file} has these lines ${parts.length - 1} times: ${without('+')}`);
  writeFileSync(file, parts.join(without('-')));
}

describe('an operation that is added as CONTRIBUTING.md says', () => {
  test('is answered in Slack, stands in the help, and has a form for what is left out', async () => {
    const { workspace } = await houseOfTheCopy();
    const ada = workspace.as(people.ada.id);
    await ada.command('/quiz-group count kitchen');
    const answer = await workspace.until(() => workspace.ephemerals(people.ada.id)[0]);
    expect(textOf(answer)).toMatch(/“Kitchen” has \d+ members/);

    await ada.command('/quiz-group help');
    expect(textOf(await workspace.until(() => workspace.ephemerals(people.ada.id)[1]))).toContain('Say how many people are in a group');

    const form = await (await ada.command('/quiz-group count')).view();
    expect(form.callback_id).toBe('count-members');
    expect(textOf(form)).toContain('Group');
  });

  test('is neither run for nor shown to who has no right to it', async () => {
    const { workspace } = await houseOfTheCopy();
    const rosa = workspace.as(people.rosa.id);
    await rosa.command('/quiz-group count kitchen');
    expect(textOf(await workspace.until(() => workspace.ephemerals(people.rosa.id)[0]))).toContain('🚫');
    await rosa.command('/quiz-group help');
    expect(textOf(await workspace.until(() => workspace.ephemerals(people.rosa.id)[1]))).not.toContain('Say how many');
  });

  test.each(commands.filter((command) => command !== check))('passes %s', { timeout: 120_000 }, (command) => {
    const { status, said } = runInTheCopy(command);
    expect(status === 0 ? 'passed' : said).toBe('passed');
  });

  test('gives types and linter nothing to say', { timeout: 120_000 }, () => {
    const { status, said } = runInTheCopy(check);
    // What they say of other files is not of these steps.
    expect(status === 0 || /error TS|Found \d+ warnings/.test(said)).toBe(true);
    expect(blocks.filter(({ file }) => said.includes(file))).toEqual([]);
  });
});

test('the steps are three, change files and end with commands', () => {
  expect([...steps.matchAll(/^### (\d)\. /gm)].map(([, number]) => number)).toEqual(['1', '2', '3']);
  expect(new Set(blocks.map(({ file }) => file))).toEqual(new Set(['src/operations/groups.ts', 'src/operations/catalog.ts', 'manifest.yml', 'README.md', 'test/scenarios/operations.test.ts']));
  expect(commands.at(-1)).toBe(check);
  expect(commands.length).toBeGreaterThan(2);
});

function runInTheCopy(command: string) {
  // A run of Vitest leaves variables behind that another one would take for its own.
  const { PATH, HOME } = process.env;
  const { status, stdout, stderr } = spawnSync(command, { shell: true, cwd: copy, env: { PATH, HOME }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 110_000 });
  return { status, said: stdout + stderr };
}

/** A house in which the copy's bot works. */
async function houseOfTheCopy(): Promise<TestBed> {
  const { openTestBed } = (await import(join(copy, 'test/support/open-test-bed.ts'))) as { openTestBed: typeof openHouseHere };
  return openTestBed({}, onTestFinished);
}
