import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Area } from './collect.ts';
import type { Sample } from './sample.ts';
import { plain, quotedSentence, sentenceMrkdwn } from '../../src/slack/views/blocks/mrkdwn.ts';
import { allSaid, type Said } from './said.ts';

/** What the samples call people, quizzes and groups, and an Arabic or Hebrew name for each. */
const names: Readonly<Record<string, string>> = {
  Rosa: 'محمد',
  Almeida: 'العلي',
  Kim: 'דוד',
  Doe: 'לוי',
  Tom: 'نور',
  Lindqvist: 'الهاشمي',
  'Ravi Banerjee': 'יעל כהן',
  'Ana Costa': 'سارة حداد',
  'Uma Devi': 'מרים אזולאי',
  'Member ': 'أمين ',
  'Fire safety': 'السلامة من الحرائق 2',
  'Food hygiene': 'בטיחות מזון',
  Kitchen: 'المطبخ',
  'new-hires.csv': 'موظفون.csv',
};
const renamedFiles = ['test/words/samples/**/*.ts', 'test/support/builders/*.ts', 'src/sandbox/workspace/people.ts'];

let copy = '';
let said: Said[] = [];

/** The samples again, from a copy of the sources in which everything has these names. */
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'invigilator-names-'));
  for (const name of ['src', 'test/words', 'test/support', 'package.json'])
    cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const path of globSync(renamedFiles)) writeFileSync(join(copy, path), renamed(readFileSync(path, 'utf8')));
  const areas = await Promise.all(globSync('test/words/samples/*.ts').map(readArea));
  // What screen readers say has no places.
  said = allSaid(areas).filter(({ isHeard }) => isHeard !== true);
}, 120_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function renamed(source: string): string {
  return Object.entries(names).reduce(
    (text, [latin, other]) => text.replaceAll(new RegExp(String.raw`(?<![\w-])${latin}(?!\w)`, 'g'), other),
    source,
  );
}

async function readArea(path: string): Promise<Area> {
  const url = pathToFileURL(join(copy, path)).href;
  const { samples } = (await import(/* @vite-ignore */ url)) as { samples: readonly Sample[] };
  return { name: path, path, samples: samples.map(inSlack) };
}

/** A sentence alone, as it stands in messages and on buttons. */
function inSlack({ when, shown }: Sample): Sample {
  if (typeof shown !== 'string') return { when, shown };
  const text = { type: 'section', text: plain(quotedSentence(shown), 3_000) } as const;
  return { when, shown: { text: sentenceMrkdwn(shown).mrkdwn, blocks: [text] } };
}

const letters = /[\u0590-\u08FF]/u;
const isolate = /\u2068([^\u2068\u2069]*)\u2069/gu;
/** Slack’s own words for people, channels and moments, and the addresses of links. */
const withoutTokens = (text: string): string =>
  text.replaceAll(/<!date\^[^|>]*\|([^>]*)>/g, '$1').replaceAll(/<[@#!][^>]*>|(?<=<)[^|>]*\|/g, '');

const anyName = new RegExp(
  `(?:${Object.values(names).join('|')})(?:(?<=${names['Member ']})\\d+| 2027| \\(copy\\))?`,
  'gu',
);
/** A name that is all there is of a line has nothing beside it. */
const isAlone = (line: string): boolean => !/[\p{L}\p{N}%]/u.test(line.replaceAll(anyName, ''));

test('samples say these names', () => {
  const all = said.map(({ text }) => text).join('\n');
  for (const name of Object.values(names)) expect(all).toContain(name.trim());
  expect(said.filter(({ text }) => letters.test(text)).length).toBeGreaterThan(500);
});

test('right-to-left letters stand in isolates wherever something is beside them', () => {
  const loose = said.filter(({ text }) =>
    withoutTokens(text)
      .split('\n')
      .some((line) => letters.test(line.replaceAll(isolate, '')) && !isAlone(line)),
  );
  expect(loose.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});

test('an isolate holds one name, without the figures and words beside it', () => {
  const filled = said.flatMap(({ where, text }) =>
    [...withoutTokens(text).matchAll(isolate)]
      .map(([, held = '']) => held)
      // A command to copy stands in one piece.
      .filter((held) => !held.startsWith('/quiz'))
      .filter((held) => letters.test(held) && /[%·:,;()]|\d/.test(held.replaceAll(anyName, '')))
      .map((held) => `${where}: ${held}`),
  );
  expect(filled).toEqual([]);
});

test('every isolate that is opened is closed', () => {
  const open = said.filter(({ text }) => /[\u2068\u2069]/u.test(text.replaceAll(isolate, '')));
  expect(open.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});
