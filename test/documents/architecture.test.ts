import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { read } from '../support/project-files.ts';

const page = read('ARCHITECTURE.md');
const section = (heading: string): string => page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;

test('the tables of folders have everything directly under src and src/features', () => {
  const listed = [...section('Folders').matchAll(/^\| \[(src\/[^\]]+)\]\(\1\) \| \S/gm)].map(([, path]) => path!);
  const there = ['src', 'src/features'].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
  expect(listed.toSorted()).toEqual(there.toSorted());
});

/** Other tests check that these paths exist. */
test('every file is named by its path from the root', () => {
  const named = [...page.matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g)].map(([, path]) => path!);
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((path) => !/^(?:src|test)\//.test(path))).toEqual([]);
});

test('the tables of lasting work have every mailbox and job', () => {
  const kinds = [...read('src/domain/queues.ts').matchAll(/return `(\w+)\/|Queue = '(\w+)'/g)].map(
    ([, mailbox, job]) => mailbox ?? job!,
  );
  const listed = [...section('The two kernels').matchAll(/^\| `(\w+)(?:\/…)?` \| `src\//gm)].map(([, kind]) => kind!);
  expect(listed.toSorted()).toEqual(kinds.toSorted());
});

const questions = [...section('Where to find it').matchAll(/^\| (.+\?) \| (.+) \|$/gm)].map(
  ([, question = '', answer = '']) => ({ question, answer }),
);

test('a newcomer finds an answer to more than ten questions', () => {
  expect(questions.length).toBeGreaterThan(10);
});

test.each(questions)('$question is answered by a file that has what the answer names', ({ answer }) => {
  const files = [...answer.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, file]) => file!);
  expect(files).not.toEqual([]);
  const text = files.map((file) => (/\.\w+$/.test(file) ? read(file) : '')).join('\n');
  const named = [...answer.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  expect(named.filter((name) => !text.includes(name))).toEqual([]);
});
