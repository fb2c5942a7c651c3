import { expect, test } from 'vitest';
import { documents, repeatedPassages } from '../support/documents.ts';
import { read } from '../support/project-files.ts';

test('nothing stands twice in the documents, apart from the changelog', () => {
  const texts = documents.filter((path) => path !== 'CHANGELOG.md').map(read);
  expect(repeatedPassages(texts)).toEqual([]);
});

const sentence = 'The bot keeps submissions that arrive during a pause for 7 days and posts them afterwards.';

test.each([
  ['a paragraph', `# Alerts\n\n${sentence}\n`],
  ['an item of a list', `- ${sentence}\n- Another one.\n`],
  ['a step', `1. ${sentence}\n`],
  ['a sentence of a paragraph', `Subscriptions can be paused. ${sentence} Resume them.\n`],
  ['a sentence with markup', `${sentence.replace('a pause', '**a [pause](docs/alerts.md#pauses)**')}\n`],
])('%s that another document has is noticed', (_, text) => {
  expect(repeatedPassages([`${sentence} It says so.\n`, text])).toEqual([sentence.toLowerCase()]);
});

test('a row of a table that occurs twice is noticed, a line of code is not', () => {
  const row = '| `/quiz rename <quiz> to <name>` | Rename a quiz, and nothing else about it |';
  const text = `| Command | |\n|---|---|\n${row}\n\n\`\`\`sh\n${sentence}\n\`\`\`\n`;
  expect(repeatedPassages([text, text])).toEqual([
    '/quiz rename <quiz> to <name> rename a quiz, and nothing else about it',
  ]);
});

test('the README has at most 70 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(70);
});

test('the documents are short enough to be read to their end', () => {
  const written = documents.filter((path) => !/^(?:src|docs\/reference)\//.test(path));
  const words = written.flatMap((path) => read(path).split(/\s+/));
  expect(words.length).toBeLessThan(30_000);
});

test('no line of the changelog is longer than 320 characters', () => {
  const lines = read('CHANGELOG.md').split('\n');
  expect(lines.filter((line) => line.length > 320)).toEqual([]);
});
