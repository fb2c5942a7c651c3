import { createRender, type Node, parseSaid } from '../../src/words/render.ts';
import { expect, test } from 'vitest';
import { isWorded } from '../../src/domain/said.ts';
import { steps } from '../../src/features/workflows/steps.ts';
import { writeTexts } from '../../src/slack/connection/outgoing.ts';
import { betweenForms } from '../../src/words/catalogues.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import { createPhrases } from '../../src/words/translate.ts';
import { collectTemplates, hasWords, everySentence } from './catalogue/collect-sentences.ts';
import { collectSamples } from './collect.ts';
import { sampleIn } from './in-language.ts';

/** Words that only sentences of the bot have, not the names of the samples. */
const ofTheBot =
  /\b(?:the|is|are|no|yes|points?|respondents?|trainers?|administrators?|was|were|has|have|had|not|yet|of|in|at|by|for|from|to|with|without|nobody|until|since|due|you|your|it|its|they|this|that|who|and|or|other|others|more|all|each|every|never|now|today|tomorrow|approved|approval|denied|passed|failed|graded|people|person|quizzes|users?|groups?|attempts?|results?|campaigns?|alerts?|reminders?|show|view|open|close|delete|change|cancel|undo|done|remind|assign|suspend|create|rename|find|list)\b/i;

/** The words that are in no sentence: what was said as plain text, and would stay English for everyone. */
function unsaid(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (typeof node === 'string') return isWorded(node) && ofTheBot.test(withoutNames(node)) ? [node] : [];
    // A name from outside.
    if (node.kind === 'person') return [];
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

const sentences = everySentence();
const chosen = new Set(
  [...sentences.values()].flatMap(({ parts }) => parts.flatMap(({ words }) => words.map((word) => word.trim()))),
);

/** What is not the bot’s, and why. */
const ofOthers: readonly [why: string, what: { samples: RegExp } | { texts: ReadonlySet<string> }][] = [
  ['The record is in English', { samples: /^audit: (?:The audit channel: |\/quiz-admin audit$)/ }],
  ['Slack shows a step as the manifest describes it', { samples: /^workflows: A person sets up the step / }],
  [
    'Sentences call a step and its inputs by their names in the manifest',
    { texts: new Set(steps.flatMap(({ title, inputs }) => [title, ...Object.values(inputs).map((one) => one.title)])) },
  ],
  [
    'Administrators read what a webhook or a record lacked as the log has it',
    {
      texts: new Set([
        'user_id is missing',
        'the record is null',
        'body: no X-Webhook-Signature header',
        'body: X-Webhook-Signature does not match',
      ]),
    },
  ],
  [
    'People gave a reason, a comment, a message or a note',
    {
      texts: new Set([
        'She has left',
        'She has left ·',
        'She works for a competitor',
        'Fine by me',
        'The room is taken',
        'Not yet',
        'on leave until May',
        'Works at night.',
        'Please take it before the audit & the visit',
        'Please <!channel> take it before the audit & the visit',
        'The audit is on Friday',
      ]),
    },
  ],
  [
    'People typed it, or can type it',
    {
      texts: new Set([
        'max(at)quiz.example',
        'remind banana',
        'remind 7d, 1d',
        'since kitchen',
        'the weather is lovely',
        'tomorrow',
        'until yesterday',
        'for 800d',
        'food to rosa',
        'food to rosa by friday',
        'all each',
        '"Fire safety" failed each names off',
        '"Fire safety" passed thread Europe/Berlin',
      ]),
    },
  ],
  ['The quiz service says why it refuses an input', { texts: new Set(['The user name is taken']) }],
  [
    'A quiz asks, and a person answers',
    {
      texts: new Set([
        'You find a spill in a walkway. What do you do first?',
        'Warn people',
        'Who may use an extinguisher?',
        'What do you do first when oil burns?',
        'The lid on the pan',
        'Where do you meet after an alarm?',
        'In the car park',
        'At the gate',
        '1. What do you do f…',
        '2. Who may use an e…',
        '3. Where do you mee…',
        'Describe your last drill.',
        'We left through the kitchen.',
        'Upload your certificate.',
        'How do you warn people?',
        'With the button',
        'By phone',
        'Other: The porter',
      ]),
    },
  ],
];

function isOfOthers(sample: string, text: string): boolean {
  return ofOthers.some(([, what]) =>
    'samples' in what ? what.samples.test(sample) : what.texts.has(text.trim()) || text.startsWith('/quiz'),
  );
}

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
      else writeTexts(shown, note);
      return texts
        .flatMap((text) => unsaid(parseSaid(text)))
        .filter((text) => !isOfOthers(`${name}: ${when}`, text))
        .map((text) => `${name}: ${when}: ${text}`);
    }),
  );
  expect([...new Set(found)]).toEqual([]);
});

test('no template consists of the words alone that it chooses from: it would be no sentence', () => {
  const found = collectTemplates().filter(
    (template) => !hasWords(template) && template.parts.some(({ words }) => words.some(isWorded)),
  );
  expect(found.map(({ file, parts }) => `${file}: ${parts.map(({ source }) => source).join(' ')}`)).toEqual([]);
});

test('every sentence of every sample is in the catalogues', async () => {
  const keys = [...sentences.keys()].flatMap((key) => key.split(betweenForms));
  const missing = new Set<string>();
  let shownIn = '';
  const render = createRender(
    standardNames,
    createPhrases('de', {
      catalogue: new Map(keys.map((key) => [key, key])),
      formality: 'formal',
      onMissing: (key) => missing.add(`${shownIn}: ${key}`),
    }),
  );
  for (const { name, samples } of await collectSamples())
    for (const sample of samples) {
      shownIn = `${name}: ${sample.when}`;
      sampleIn(sample, render);
    }
  expect([...missing]).toEqual([]);
});
