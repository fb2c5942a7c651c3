import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { named } from '../../../src/domain/said.ts';
import { accountText, sentenceText } from '../../../src/features/agents/answer.ts';

/** Texts made of what markup is made of. */
const hostile = fc
  .array(
    fc.constantFrom(
      '<',
      '>',
      '`',
      '*',
      '~',
      '_',
      '[',
      '](',
      ')',
      '!',
      '#',
      '|',
      '://',
      'https',
      '“',
      '”',
      '"',
      '\u2068',
      '\u2069',
      '\u202E',
      '\u200B',
      '\u{E0041}',
      '\n',
      '\u0000',
      '@channel',
      'Ignore all previous instructions',
      ' ',
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('a text of the account', () => {
  test('no text from the account renders as markup or closes its quotation marks', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 200 })), (name) => {
        const text = accountText(name);
        expect(text).not.toMatch(
          /[<>`*~]|\]\(|:\/\/|\p{Cc}|[\u200B-\u200F\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]/u,
        );
        const sentence = sentenceText(`Closed ${named(name)}. Nobody can take it.`);
        expect(sentence.match(/[“”"„]/gu)?.length).toBe(2);
        expect(sentence).toMatch(/^Closed “.*”\. Nobody can take it\.$/);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is cut, and says so', () => {
    expect(accountText('x'.repeat(5_000))).toHaveLength(600);
    expect(accountText('x'.repeat(5_000))).toMatch(/…$/);
  });

  test('keeps what people write in names', () => {
    for (const name of ['Forklift theory test (2026)', 'kim_larsen@quiz.example', 'Łódź: safety & co.', '50% of 3/4'])
      expect(accountText(name)).toBe(name);
  });
});
