import { describe, expect, test } from 'vitest';
import { markedMoment, named, namedList, partsOfSentence, plainSentence } from '../../src/domain/said.ts';
import { asSent } from '../support/as-sent.ts';

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
