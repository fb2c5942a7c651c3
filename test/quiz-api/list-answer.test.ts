import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { AnswerBody } from '../../src/quiz-api/answers.ts';
import { pageOf } from '../../src/quiz-api/list-answer.ts';
import { runs } from '../support/drawn.ts';

const readPage = pageOf(z.unknown(), { pieceLength: 1 });
const readList = async (body: AnswerBody) => (await readPage(body, {})).items;

/** A body that arrives in chunks, cut at these offsets. */
function bodyOf(text: string, cuts: readonly number[] = []): AnswerBody {
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return {
    text: async () => text,
    async *[Symbol.asyncIterator]() {
      for (const [index, place] of places.slice(1).entries()) yield bytes.subarray(places[index], place);
    },
  };
}

const anyCuts = fc.array(fc.nat({ max: 2000 }), { maxLength: 12 });

/** Strings with the punctuation of JSON lists. */
const anyText = fc.oneof(
  fc.string(),
  fc.constantFrom('"', '\\', '\\"', '],[', '{"id":', '},{"id":1', ',{"id":', '🙂', ''),
);

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
    await fc.assert(
      fc.asyncProperty(anyArray, anyIndent, anyCuts, async (items, indent, cuts) => {
        const text = JSON.stringify(items, null, indent);
        expect(await readList(bodyOf(text, cuts))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('is refused exactly when JSON.parse refuses it', async () => {
    const anyBreak = fc.record({
      at: fc.nat({ max: 200 }),
      drop: fc.nat({ max: 2 }),
      insert: fc.constantFrom('', ',', '[', ']', '{', '}', '"', '\\', '1', ' ', ':'),
    });
    await fc.assert(
      fc.asyncProperty(anyArray, anyBreak, anyCuts, async (items, { at, drop, insert }, cuts) => {
        const whole = JSON.stringify(items);
        const place = at % (whole.length + 1);
        const text = whole.slice(0, place) + insert + whole.slice(place + drop);
        const expected = parseArray(text);
        const actual = await readList(bodyOf(text, cuts)).catch(() => null);
        expect(actual).toEqual(expected);
      }),
      { numRuns: runs(500) },
    );
  });

  test('is parsed before its end has arrived', async () => {
    const seen: unknown[] = [];
    const seenAtTheEnd = Promise.withResolvers<number>();
    const text = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id })));
    const body: AnswerBody = {
      text: async () => text,
      async *[Symbol.asyncIterator]() {
        for (let at = 0; at < text.length - 1; at += 10)
          yield Buffer.from(text.slice(at, Math.min(at + 10, text.length - 1)));
        seenAtTheEnd.resolve(seen.length);
        yield Buffer.from(']');
      },
    };
    const { items } = await pageOf(
      z.unknown().refine((item) => seen.push(item)),
      { pieceLength: 1 },
    )(body, {});
    expect(items).toHaveLength(20);
    expect(await seenAtTheEnd.promise).toBe(19);
  });

  test.each([
    ['in pieces', 100, (text: string) => text],
    ['as a whole', 1_000_000, (text: string) => text],
    ['after an envelope that cannot be cut', 100, (text: string) => `{"items":{"a":{"b":1},"data":${text}}}`],
  ])('that is read %s leaves turns to other work, however long it is', async (_, pieceLength, wrap) => {
    const longestSlice = async (count: number) => {
      const slices = [0];
      const read = pageOf(z.unknown(), {
        pieceLength,
        keep: (item) => {
          slices[slices.length - 1]! += 1;
          return item;
        },
        pause: async () => void slices.push(0),
      });
      const text = wrap(JSON.stringify(Array.from({ length: count }, (_unused, id) => ({ id }))));
      expect(
        (
          await read(
            bodyOf(
              text,
              Array.from({ length: 50 }, (_unused, cut) => cut * 1_000),
            ),
            {},
          )
        ).items,
      ).toHaveLength(count);
      return Math.max(...slices);
    };
    expect(await longestSlice(20_000)).toBeLessThanOrEqual(Math.max(1_000, await longestSlice(4_000)));
  });

  test('has what the caller keeps in place of its items', async () => {
    const known = { id: 1, name: 'known' };
    const read = pageOf(z.object({ id: z.number(), name: z.string() }), {
      keep: (item) => (item.id === 1 ? known : item),
    });
    const { items } = await read(bodyOf('[{"id":1,"name":"new"},{"id":2,"name":"other"}]'), {});
    expect(items[0]).toBe(known);
    expect(items[1]).toEqual({ id: 2, name: 'other' });
  });

  test('keeps a usual item as it is, reads the others, and leaves out what cannot be read', async () => {
    const schema = z.object({
      id: z.number(),
      name: z
        .string()
        .nullish()
        .transform((name) => name ?? 'nobody'),
    });
    const usual = (value: unknown) =>
      Object.keys(Object(value)).length === 3 ? (value as { id: number; name: string }) : undefined;
    const read = pageOf(schema, { usual, pieceLength: 1 });
    const { items, unreadable } = await read(
      bodyOf('[{"id":1,"name":"Ada","more":true},null,{"id":2},{"name":"x"},7,{"id":"secret"}]'),
      {},
    );
    expect(items).toEqual([
      { id: 1, name: 'Ada', more: true },
      { id: 2, name: 'nobody' },
    ]);
    expect(unreadable).toEqual({ count: 4, reason: 'the record is null' });
  });

  test.each([
    ['[{"name":"Ada"}]', 'id is missing'],
    ['[{"id":null}]', 'id is missing'],
    ['[{"id":""}]', 'id is missing'],
    ['[{"id":{"private":"Ada"}}]', 'id is not an id'],
    ['["Ada"]', 'the record is not an object'],
    ['[[]]', 'the record is not an object'],
  ])('of %s tells why the first record could not be read, without its content', async (text, reason) => {
    const read = pageOf(z.object({ id: z.string().min(1) }));
    expect((await read(bodyOf(text), {})).unreadable).toEqual({ count: 1, reason });
  });

  test('can start with a byte order mark and blanks', async () => {
    expect(await readList(bodyOf('\ufeff \n[1, 2]\n'))).toEqual([1, 2]);
  });
});

describe('a list in an envelope', () => {
  const anyScalar = fc.oneof(
    anyText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const listNames = ['data', 'items', 'results', 'records', 'quizzes', 'users', 'groups', 'responses', 'questions'];
  const anyName = fc.string().filter((name) => ![...listNames, 'next', '__proto__'].includes(name));
  const anyMembers = fc.dictionary(anyName, fc.oneof(anyScalar, fc.array(anyItem, { maxLength: 2 }), anyItem), {
    maxKeys: 3,
  });
  const anyWrapping = fc.array(
    fc.record({ before: anyMembers, name: fc.constantFrom(...listNames), after: anyMembers }),
    { minLength: 1, maxLength: 3 },
  );

  test('has the same items wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(anyArray, anyWrapping, anyIndent, anyCuts, async (items, wrapping, indent, cuts) => {
        const envelope = wrapping.reduce<unknown>(
          (inner, { before, name, after }) => ({ ...before, [name]: inner, ...after }),
          items,
        );
        const text = JSON.stringify(envelope, null, indent);
        expect(await readList(bodyOf(text, cuts))).toEqual(JSON.parse(JSON.stringify(items)));
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([
    ['{"items":[1],"next":"/v1/users?page=2"}', '/v1/users?page=2'],
    ['{"next":2,"items":[1]}', 2],
    ['{"data":{"items":[1],"next":"abc"}}', 'abc'],
    ['{"data":{"items":[1]},"next":"abc"}', 'abc'],
    ['{"data":[1],"next":null}', undefined],
    ['{"data":[1],"next":""}', undefined],
    ['{"data":[1],"next":{"page":2}}', undefined],
    ['[1]', undefined],
  ])('of %s has %j as the next page', async (text, next) => {
    expect(await readPage(bodyOf(text), {})).toMatchObject({ items: [1], next });
  });

  test.each([
    ['{"total":500,"quizzes":[1]}', 500],
    ['{"users":[1],"total_count":"7"}', 7],
    ['{"data":{"totalCount":7,"groups":[1]}}', 7],
    ['{"data":[1],"total":null}', undefined],
    ['[1]', undefined],
  ])('of %s has %j records on all pages', async (text, total) => {
    expect(await readPage(bodyOf(text), {})).toMatchObject({ items: [1], total });
  });

  test.each(['{}', '{"data":null}', '{"data":{}}', '{"list":[]}', 'null', '7', '"[]"'])(
    'is refused without a list: %s',
    async (text) => {
      await expect(readPage(bodyOf(text), {})).rejects.toMatchObject({ name: 'UnexpectedShapeError' });
    },
  );
});

function parseArray(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(text).toString());
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
