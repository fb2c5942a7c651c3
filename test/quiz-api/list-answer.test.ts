import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { AnswerBody } from '../../src/quiz-api/answers.ts';
import { listOf } from '../../src/quiz-api/list-answer.ts';

const readList = listOf(z.unknown(), { pieceLength: 1 });

/** A body that arrives in chunks, cut at these offsets. */
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

/** Strings with the punctuation of JSON lists. */
const anyText = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '],[', '{"id":', '},{"id":1', ',{"id":', '🙂', ''));

/** Items with the same beginning, as the service sends them, which can contain nested items with that beginning. */
const anyItem = fc.record({
  id: fc.oneof(anyText, fc.integer(), fc.constant(null)),
  notes: anyText,
  parts: fc.array(fc.record({ id: anyText }), { maxLength: 3 }),
});
const anyArray = fc.oneof(
  fc.array(anyItem, { maxLength: 12 }),
  fc.array(fc.oneof(anyItem, fc.jsonValue(), anyText), { maxLength: 12 }),
);
const anyIndent = fc.constantFrom(undefined, 1, '\t', '\n');

describe('a list that arrives in chunks', () => {
  test('has the same items wherever it is cut', async () => {
    await fc.assert(fc.asyncProperty(anyArray, anyIndent, anyCuts, async (items, indent, cuts) => {
      const text = JSON.stringify(items, null, indent);

      expect(await readList(bodyOf(text, cuts))).toEqual(JSON.parse(text));
    }));
  });

  test('is refused exactly when JSON.parse refuses it', async () => {
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

  test('is parsed before its end has arrived', async () => {
    const seen: unknown[] = [];
    const seenAtTheEnd = Promise.withResolvers<number>();
    const text = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id })));
    const body: AnswerBody = {
      text: async () => text,
      async* [Symbol.asyncIterator]() {
        for (let at = 0; at < text.length - 1; at += 10) yield Buffer.from(text.slice(at, Math.min(at + 10, text.length - 1)));
        seenAtTheEnd.resolve(seen.length);
        yield Buffer.from(']');
      },
    };

    const items = await listOf(z.unknown().refine((item) => seen.push(item)), { pieceLength: 1 })(body);

    expect(items).toHaveLength(20);
    expect(await seenAtTheEnd.promise).toBe(19);
  });

  test('keeps an item that the schema would not change, and reads the others', async () => {
    const schema = z.object({ id: z.number(), name: z.string().nullish().transform((name) => name ?? 'nobody') });
    const isItem = (value: unknown): value is { id: number; name: string } => Object.keys(Object(value)).length === 3;
    const read = listOf(schema, { isItem, pieceLength: 1 });

    expect(await read(bodyOf('[{"id":1,"name":"Ada","more":true},{"id":2}]'))).toEqual([{ id: 1, name: 'Ada', more: true }, { id: 2, name: 'nobody' }]);
    await expect(read(bodyOf('[{"id":1,"name":"Ada","more":true},{"id":"2"}]'))).rejects.toMatchObject({ field: '[1].id' });
  });

  test('can start with a byte order mark and blanks', async () => {
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
