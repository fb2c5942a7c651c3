import { expect, test } from 'vitest';
import { isWorded } from '../../src/domain/said.ts';
import { changeShownTexts } from '../../src/slack/shown-texts.ts';
import { betweenForms } from '../../src/words/catalogues.ts';
import { parseSaid, type Node } from '../../src/words/parse.ts';
import { createTranslate } from '../../src/words/translate.ts';
import { everySentence } from './catalogue/every-sentence.ts';
import { collectSamples } from './collect.ts';
import { sampleIn } from './in-language.ts';

/** Words that only sentences of the bot have, not the names of the samples. */
const ofTheBot =
  /\b(?:the|is|are|was|were|has|have|had|not|yet|of|in|at|by|for|from|to|with|without|nobody|until|since|due|you|your|it|its|they|this|that|who|and|or|other|others|more|all|each|every|never|now|today|tomorrow|approved|approval|denied|passed|failed|graded|people|person|quizzes|users?|groups?|attempts?|results?|campaigns?|alerts?|reminders?|show|view|open|close|delete|change|cancel|undo|done|remind|assign|suspend|create|rename|find|list)\b/i;

/** The words that are in no sentence: what was said as plain text, and would stay English for everyone. */
function unsaid(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return isWorded(node) && ofTheBot.test(withoutNames(node)) ? [node] : [];
    // What stands between the parts is translated.
    if (node.kind === 'sentence' || node.kind === 'count' || node.kind === 'list')
      return node.children.flatMap((child) => (typeof child === 'object' ? unsaid([child]) : []));
    return unsaid(node.children);
  });
}

/** Names, commands, and the words that a sentence chooses from: its translations do, too. */
function withoutNames(text: string): string {
  return chosen.has(text.trim())
    ? ''
    : text.replaceAll(/`[^`]*`|\u2068[^\u2069]*\u2069|\*[^*]*\*|Person \d+|First aid at work/g, '');
}

const chosen = new Set(
  everySentence().flatMap(({ parts }) => parts.flatMap(({ words }) => words.map((word) => word.trim()))),
);

/** What people said in the samples. */
const fromOutside = /^(?:She has left|Fine by me|The room is taken|on leave until May|\/quiz.*)$/;

test('every text of every sample is a sentence that knows which one it is, or came from outside', async () => {
  const areas = await collectSamples();
  const found = areas.flatMap(({ name, samples }) =>
    samples.flatMap(({ when, shown }) => {
      const texts: string[] = [];
      const note = (text: string) => {
        texts.push(text);
        return text;
      };
      if (typeof shown === 'string') note(shown);
      else changeShownTexts(shown, note);
      return texts
        .flatMap((text) => unsaid(parseSaid(text)))
        .filter((text) => !fromOutside.test(text.trim()))
        .map((text) => `${name}: ${when}: ${text}`);
    }),
  );
  expect([...new Set(found)]).toEqual([]);
});

test('every sentence of every sample is in the catalogues', async () => {
  const keys = everySentence().flatMap(({ key }) => key.split(betweenForms));
  const missing: string[] = [];
  for (const { name, samples } of await collectSamples())
    for (const sample of samples) {
      const translate = createTranslate('de', {
        catalogue: new Map(keys.map((key) => [key, key])),
        formality: 'formal',
        onMissing: (key) => missing.push(`${name}: ${sample.when}: ${key}`),
      });
      sampleIn(sample, translate);
    }
  expect([...new Set(missing)]).toEqual([]);
});
