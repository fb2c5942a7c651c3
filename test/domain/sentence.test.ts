import { describe, expect, test } from 'vitest';
import { named, namedList, partsOfSentence, plainSentence } from '../../src/domain/sentence.ts';
import { sentenceMrkdwn } from '../../src/slack/views/blocks/mrkdwn.ts';

describe('sentences', () => {
  const closed = `Closed ${named('Fire *safety* <!here>')}.`;

  test('in plain text, names are in quotation marks', () => {
    expect(plainSentence(closed)).toBe('Closed “Fire *safety* <!here>”.');
  });

  test('in Slack, names are bold and escaped', () => {
    expect(sentenceMrkdwn(closed).mrkdwn).toBe('Closed *Fire *safety* &lt;!here&gt;*.');
  });

  test('a name cannot end its own mark, and an empty one is said to be missing', () => {
    expect(partsOfSentence(`${named('a\u2069b\u2068c')} and ${named(' ')}`)).toEqual([
      { text: 'a b c', isName: true },
      { text: ' and ', isName: false },
      { text: '(no name)', isName: true },
    ]);
  });

  test('marks without a partner are dropped', () => {
    expect(plainSentence('one \u2068two')).toBe('one two');
    expect(sentenceMrkdwn('one \u2069two').mrkdwn).toBe('one  two');
  });

  test('a long list of names says how many are left out', () => {
    expect(plainSentence(namedList(['Ada', 'Ben', 'Cleo'], 2))).toBe('“Ada”, “Ben” and 1 other');
    expect(plainSentence(namedList(['Ada', 'Ben']))).toBe('“Ada” and “Ben”');
  });
});
