import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  markedMoment,
  named,
  namedList,
  partsOfSentence,
  plainSentence,
  closeIsolates,
  isolated,
  withoutIsolates,
  joinSaid,
  say,
} from '../../src/domain/said.ts';
import { asSent } from '../support/as-sent.ts';
import { shownLabel } from '../../src/slack/views/blocks/message.ts';
import { answerTo } from '../../src/features/agents/answer.ts';
import { catalog } from '../../src/operations/catalog.ts';
import { readMarkup } from '../../src/slack/in/delivery.ts';
import { writeTexts } from '../../src/slack/connection/outgoing.ts';

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
