import { expect, onTestFinished, test } from 'vitest';
import { createRender } from '../../src/words/render.ts';
import { collectSamples, type Area, samplesWithNames, allSaid } from './collect.ts';
import { sampleIn } from './in-language.ts';

const names = { commandPrefix: 'exam', botName: 'Examiner' };

const render = createRender(names);

const linesIn = (areas: readonly Area[]): string[] =>
  allSaid(areas.map((area) => ({ ...area, samples: area.samples.map((sample) => sampleIn(sample, render)) }))).flatMap(
    ({ where, text }) => text.split('\n').map((line) => `${where}: ${line}`),
  );

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
