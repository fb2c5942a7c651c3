import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { plain, section } from '../../src/slack/views/blocks/message.ts';
import { createRender } from '../../src/words/render.ts';
import { asSent } from '../support/as-sent.ts';
import { allSaid, collectSamples, samplesWithNames, type Area, type Said, type Sample } from './collect.ts';
import { areasIn, sampleIn } from './in-language.ts';

const ofBot = { commandPrefix: 'exam', botName: 'Examiner' };

const render = createRender(ofBot);

const linesIn = (areas: readonly Area[]): string[] =>
  allSaid(areasIn(areas, render)).flatMap(({ where, text }) => text.split('\n').map((line) => `${where}: ${line}`));

test('no sample says the standard names of a bot that has others', async () => {
  const lines = linesIn((await collectSamples()).map((area) => withoutCommandsIn(area)));
  expect(lines.filter((line) => line.includes('/exam')).length).toBeGreaterThan(50);
  expect(lines.filter((line) => /\/quiz|Invigilator/.test(line))).toEqual([]);
});

/** The situations of samples name commands, too. */
const withoutCommandsIn = (area: Area): Area => ({
  ...area,
  samples: area.samples.map((sample) => ({ ...sample, when: sample.when.replaceAll('/quiz', '/…') })),
});

/** What the samples call people, quizzes and groups, and what people say in them; and a name for each that looks like the bot’s own. */
const lookalikes: Readonly<Record<string, string>> = {
  Rosa: 'Invigilator',
  Almeida: '/quiz-user',
  Kim: '/quiz',
  Doe: 'Invigilator',
  Tom: '/quiz list',
  Lindqvist: 'Invigilator',
  'Ravi Banerjee': 'Invigilator /quiz',
  'Ana Costa': '@Invigilator',
  'Uma Devi': 'Invigilator’s',
  'Member ': '/quiz-admin ',
  'Fire safety': '/quiz close (Invigilator)',
  'Food hygiene': 'Invigilator: /quiz help',
  Kitchen: '/quiz-user team',
  'She has left': 'Ask Invigilator, /quiz mine',
  'On leave': 'See /quiz-alerts list',
  'Long leave': 'Says Invigilator',
  'on leave until May': 'type /quiz-campaign list',
  'The room is taken': '/quiz-admin audit says Invigilator',
};
/** Of the same length, and not like the bot’s names. */
const neutral = (name: string): string => name.replaceAll('/quiz', '/quix').replaceAll('Invigilator', 'Invigilatox');
const asItWas = (line: string): string => line.replaceAll('/quix', '/quiz').replaceAll('Invigilatox', 'Invigilator');

test('what came from outside is the same whatever the bot is called', async () => {
  const [others, like] = await Promise.all([
    samplesWithNames(Object.fromEntries(Object.entries(lookalikes).map(([name, other]) => [name, neutral(other)]))),
    samplesWithNames(lookalikes),
  ]);
  onTestFinished(() => {
    others.remove();
    like.remove();
  });
  const [expected, lines] = [linesIn(others.areas), linesIn(like.areas)];
  expect(expected.filter((line) => /\/quix|Invigilatox/.test(line)).length).toBeGreaterThan(500);
  expect(lines.filter((line, index) => line !== asItWas(expected[index] ?? ''))).toEqual([]);
});

describe('with Arabic and Hebrew names', () => {
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
      copied.areas.map((area) => ({
        ...area,
        samples: area.samples.map((sample) => sampleIn(inSlack(sample), asSent)),
      })),
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
});
