import { plain, section } from '../../src/slack/views/blocks/message.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sample } from './sample.ts';
import { asSent } from '../support/as-sent.ts';
import { sampleIn } from './in-language.ts';
import { allSaid, type Said, samplesWithNames } from './collect.ts';

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
let said: Said[] = [];
let remove = () => {};

/** The samples again, in which everything has these names. */
beforeAll(async () => {
  const copied = await samplesWithNames(names);
  ({ remove } = copied);
  // What screen readers say has no places.
  said = allSaid(
    copied.areas.map((area) => ({ ...area, samples: area.samples.map((sample) => sampleIn(inSlack(sample), asSent)) })),
  ).filter(({ isHeard }) => isHeard !== true);
});
afterAll(() => remove());

/** A sentence alone, as it stands in messages and on buttons. */
function inSlack({ when, shown }: Sample): Sample {
  if (typeof shown !== 'string') return { when, shown };
  return { when, shown: { text: shown, blocks: [{ ...section(shown), text: plain(shown) }] } };
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
      // What is to be copied stands in one piece.
      .filter((held) => !held.startsWith('"'))
      .filter((held) => letters.test(held) && /[%·:,;()]|\d/.test(held.replaceAll(anyName, '')))
      .map((held) => `${where}: ${held}`),
  );
  expect(filled).toEqual([]);
});

test('every isolate that is opened is closed', () => {
  const open = said.filter(({ text }) => /[\u2068\u2069]/u.test(text.replaceAll(isolate, '')));
  expect(open.map(({ where, text }) => `${where}: ${text}`)).toEqual([]);
});
