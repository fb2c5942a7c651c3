import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { AnswerBody } from '../../src/quiz-api/answers.ts';
import { listOf } from '../../src/quiz-api/list-answer.ts';

const readList = listOf(z.unknown());

/** A body that arrives in pieces, cut at the given places. */
function bodyOf(text: string, cuts: readonly number[] = []): AnswerBody {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return {
    text: async () => text,
    async* [Symbol.asyncIterator]() {
      for (const [index, place] of places.slice(1).entries()) yield bytes.subarray(places[index], place);
    },
  };
}

const anyCuts = fc.array(fc.nat({ max: 2000 }), { maxLength: 12 });

/** JSON with strings that look like its own punctuation, and with blanks where they may be. */
const anyArray = fc.array(fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('"', '\\', '\\"', '],[', '{"a":[', '},{', '🙂', ''),
), { maxLength: 12 });
const anyIndent = fc.constantFrom(undefined, 1, '\t', '\n');

describe('a list that arrives in pieces', () => {
  test('is what it is in one piece, wherever it is cut', async () => {
    await fc.assert(fc.asyncProperty(anyArray, anyIndent, anyCuts, async (items, indent, cuts) => {
      const text = JSON.stringify(items, null, indent);

      expect(await readList(bodyOf(text, cuts))).toEqual(JSON.parse(text));
    }));
  });

  test('is refused exactly when JSON.parse refuses it, whatever is broken', async () => {
    const anyBreak = fc.record({ at: fc.nat({ max: 200 }), drop: fc.nat({ max: 2 }), insert: fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', '1', ' ', ':') });
    await fc.assert(fc.asyncProperty(anyArray, anyBreak, anyCuts, async (items, { at, drop, insert }, cuts) => {
      const whole = JSON.stringify(items);
      const place = at % (whole.length + 1);
      const text = whole.slice(0, place) + insert + whole.slice(place + drop);
      const expected = parseArray(text);

      const actual = await readList(bodyOf(text, cuts)).catch(() => null);

      expect(actual).toEqual(expected);
    }), { numRuns: 500 });
  });

  test('may begin with a byte order mark and blanks', async () => {
    expect(await readList(bodyOf('\ufeff \n[1, 2]\n'))).toEqual([1, 2]);
  });
});

function parseArray(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text).toString());
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
