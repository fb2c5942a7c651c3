import { expect, test, describe } from 'vitest';
import {
  amount,
  asSaid,
  capitalized,
  countOf,
  inEnglish,
  inEnglishThroughout,
  isSaid,
  isWorded,
  lengthInEnglish,
  listed,
  mention,
  parseFromOutside,
  say,
  markedMoment,
  named,
  namedList,
  partsOfSentence,
  plainSentence,
  closeIsolates,
  isolated,
  withoutIsolates,
  joinSaid,
} from '../../src/domain/said.ts';
import fc from 'fast-check';
import { asSent } from '../support/as-sent.ts';
import { shownLabel } from '../../src/slack/views/blocks/message.ts';
import { answerTo } from '../../src/features/agents/answer.ts';
import { catalog } from '../../src/operations/catalog.ts';
import { readMarkup } from '../../src/slack/in/delivery.ts';
import { writeTexts } from '../../src/slack/connection/outgoing.ts';

const shown = (text: string) =>
  Array.from(text, (letter) => (letter >= '\uFDD0' && letter <= '\uFDEF' ? '|' : letter)).join('');

test('a sentence has marks around it and around its parts', () => {
  expect(shown(say`Closed ${'Fire safety'}.`)).toBe('|Closed |Fire safety|.|');
  expect(shown(say`${3} left`)).toBe('|||3|| left|');
  expect(shown(countOf(1_234, 'quiz', 'quizzes'))).toBe('|||1,234|| quizzes|');
});

test('a template without words is one, too, unless there is nothing in it', () => {
  expect(shown(say`${'a'} · ${'b'}`)).toBe('||a| · |b||');
  expect(say`${''}`).toBe('');
});

test('in English, the marks are gone, and nothing counts them', () => {
  const text = say`${countOf(2, 'person', 'people')} and ${listed(['Rosa', 'Kim', 'Tom'])} have ${amount(1_000)} points`;
  expect(isSaid(text)).toBe(true);
  expect(isSaid(inEnglish(text))).toBe(false);
  expect(inEnglish(text)).toBe('2 people and Rosa, Kim and Tom have 1,000 points');
  expect(lengthInEnglish(text)).toBe('2 people and Rosa, Kim and Tom have 1,000 points'.length);
});

test('a text that is said is not said again', () => {
  expect(shown(asSaid('Open'))).toBe('|Open|');
  expect(asSaid(asSaid('Open')).length).toBe(asSaid('Open').length);
  expect(asSaid('')).toBe('');
});

test.each([
  ['`/quiz list`', false],
  ['/quiz-user list', false],
  ['· {0}', false],
  [':bell: ', false],
  ['<https://quiz.example|', false],
  ['View', true],
  ['Type `/quiz list`', true],
])('whether “%s” has words: %s', (text, has) => {
  expect(isWorded(text.replaceAll(/\{\d\}/g, ''))).toBe(has);
});

test('a plain value is put into English in each of its texts, and stays as it is otherwise', () => {
  const date = new Date(0);
  const value = inEnglishThroughout({ one: say`Closed ${1} quiz.`, list: [say`open`, 2, null], date, none: undefined });
  expect(JSON.stringify(value).search(/[\uFDD0-\uFDEF]/)).toBe(-1);
  expect(value).toEqual({ one: 'Closed 1 quiz.', list: ['open', 2, null], date, none: undefined });
});

test.each([
  ['the group', 'The group'],
  [say`close ${'x'}`, 'Close x'],
  [listed([say`the group ${'a'}`, 'b']), 'The group a and b'],
  ['', ''],
])('a phrase begins a sentence, and keeps its marks (%#)', (phrase, sentence) => {
  expect(inEnglish(capitalized(phrase))).toBe(sentence);
  expect(isSaid(capitalized(phrase))).toBe(isSaid(phrase));
});

test.each([
  ['as they are', JSON.stringify({ name: mention('U1'), of: [{ name: say`Closed ${'x'}.` }] })],
  ['as escapes', '{"name":"\\uFDDE@U1\\ufddf","of":[{"name":"\\ufdd0Closed x.\\uFDD1"}]}'],
])('JSON from outside has no marks, written %s', (_, json) => {
  expect(parseFromOutside(json)).toStrictEqual({ name: '@U1', of: [{ name: 'Closed x.' }] });
  expect(isSaid(JSON.stringify(parseFromOutside(json)))).toBe(false);
});

describe('sentences', () => {
  const closed = `Closed ${named('Fire *safety* <!here>')}.`;

  test('in plain text, names are in quotation marks', () => {
    expect(plainSentence(closed)).toBe('Closed “Fire *safety* <!here>”.');
  });

  test('in Slack, names are bold and escaped', () => {
    expect(asSent(closed, 'markup')).toBe('Closed *Fire *safety* &lt;!here&gt;*.');
  });

  test('a name cannot end its own mark, and an empty one is said to be missing', () => {
    expect(partsOfSentence(`${named('a\u2069b\u2068c')} and ${named(' ')}`)).toEqual([
      { text: 'a b c', isName: true },
      { text: ' and ', isName: false },
      { text: 'Unnamed', isName: true },
    ]);
  });

  test('marks without a partner are dropped', () => {
    expect(plainSentence('one \u2068two')).toBe('one two');
    expect(asSent('one \u2069two', 'markup')).toBe('one two');
  });

  describe('a moment', () => {
    const atMs = Date.UTC(2026, 10, 24, 9);
    const sentence = `Paused ${named('a|b')} until ${markedMoment(atMs, 'Tue 24 Nov, 10:00')}.`;

    test('is on each reader’s clock in Slack', () => {
      expect(asSent(sentence, 'markup')).toBe(
        'Paused *a|b* until <!date^1795510800^{date_short_pretty} {time}|Tue 24 Nov, 10:00>.',
      );
    });

    test('is in words without markup', () => {
      expect(plainSentence(sentence)).toBe('Paused “a|b” until Tue 24 Nov, 10:00.');
      expect(asSent(sentence)).toBe('Paused “a|b” until Tue 24 Nov, 10:00.');
    });

    test('leaves nothing visible where its mark is cut', () => {
      for (let length = 1; length < sentence.length; length += 1)
        expect(plainSentence(sentence.slice(0, length))).not.toMatch(/[\u2066-\u2069]|[\u{E0030}-\u{E0039}]/u);
    });

    test('that no client can show is in words', () => {
      expect(markedMoment(-1, 'long ago')).toBe('long ago');
    });
  });

  test('a long list of names says how many are left out', () => {
    expect(plainSentence(namedList(['Ada', 'Ben', 'Cleo'], 2))).toBe('“Ada”, “Ben” and 1 other');
    expect(plainSentence(namedList(['Ada', 'Ben']))).toBe('“Ada” and “Ben”');
  });
});

const arabic = 'محمد العلي';
const hebrew = 'דוד לוי';
const name = fc.oneof(fc.constantFrom(arabic, hebrew, 'Rosa', `${hebrew} 2`), fc.string({ unit: 'grapheme' }));
const balance = (text: string) => text.split('\u2068').length - text.split('\u2069').length;

describe('a name with right-to-left letters', () => {
  test('is isolated from the figures beside it', () => {
    expect(asSent(say`❌ 24 · ${arabic}% (1.67 of 7 points)`, 'markup')).toBe(
      `❌ 24 · \u2068${arabic}\u2069% (1.67 of 7 points)`,
    );
  });

  test('is isolated once, and line by line', () => {
    expect(isolated(isolated(arabic))).toBe(`\u2068${arabic}\u2069`);
    expect(isolated(`${arabic}\nRosa\n${hebrew}`)).toBe(`\u2068${arabic}\u2069\nRosa\n\u2068${hebrew}\u2069`);
  });

  test('stands in quotation marks that aren’t part of it', () => {
    expect(asSent(say`suspend ${named(hebrew)} and ${named('Rosa')}`)).toBe(
      `suspend “\u2068${hebrew}\u2069” and “Rosa”`,
    );
  });

  test('is isolated on a label from what tells it apart', () => {
    expect(asSent(shownLabel(arabic), 'label')).toBe(`\u2068${arabic}\u2069`);
    expect(asSent(shownLabel(`${arabic}, ${hebrew}, rosa@quiz.example`), 'label')).toBe(
      `\u2068${arabic}\u2069, \u2068${hebrew}\u2069, rosa@quiz.example`,
    );
  });

  test('loses its isolates where it is typed again, and where a model reads it', () => {
    expect(readMarkup(`show \u2068${arabic}\u2069`)).toBe(`show ${arabic}`);
    const result = { kind: 'page', heading: say`*${arabic}* · 24%` } as const;
    const answer = answerTo(catalog[0]!, { kind: 'done', result, offered: new Set() }, (said) => asSent(said));
    expect(answer.account_data?.lines).toEqual([`${arabic} · 24%`]);
  });
});

test('a name without right-to-left letters stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(isolated(text)).toBe(text);
    }),
  );
});

test('isolates come off again', () => {
  fc.assert(
    fc.property(name, (text) => {
      const bare = withoutIsolates(text);
      expect(withoutIsolates(isolated(bare))).toBe(bare);
    }),
  );
});

test('what is cut fits, and leaves no isolate open', () => {
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 40 }), (names) => {
      const text = joinSaid(names.map(withoutIsolates), ' 7 ');
      const [button, field] = writeTexts(
        [
          { type: 'button', text: { type: 'plain_text', text } },
          { type: 'confirm', text: { type: 'mrkdwn', text } },
        ],
        asSent,
      );
      for (const [sent, most] of [
        [button.text.text, 75],
        [field.text.text, 300],
      ] as const) {
        expect(sent.length).toBeLessThanOrEqual(most);
        expect(balance(sent)).toBe(0);
      }
    }),
  );
  expect(closeIsolates('\u2068a')).toBe('\u2068a\u2069');
});
