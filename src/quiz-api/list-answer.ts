import { StringDecoder } from 'node:string_decoder';
import type * as z from 'zod';
import { UnexpectedShapeError, parse, parseJson } from './answers.ts';
import type { ReadAnswer } from './answers.ts';

/**
 * The length of text that is parsed at once, in characters. From 100 KiB on, V8 allocates what it
 * parses in the old generation at once instead of moving it there later. Pieces of 256 KiB and more
 * took a fifth longer when measured, and block the event loop for longer.
 */
const usualPieceLength = 128 * 1024;

/**
 * Reads an array while it arrives: each piece of the body becomes items and is dropped. Memory holds
 * neither the whole text nor a second copy of the items, and a list of 100,000 users does not block
 * the event loop.
 *
 * @param options.isItem recognizes an item that the schema would return unchanged; such an item is
 *   kept as it is, which takes a fraction of the time
 */
export function listOf<T>(schema: z.ZodType<T>, options: {
  isItem?: (value: unknown) => value is T;
  pieceLength?: number;
} = {}): ReadAnswer<T[]> {
  const { isItem = (_value): _value is T => false, pieceLength = usualPieceLength } = options;
  return async (body) => {
    const items: T[] = [];
    const append = (batch: readonly unknown[]) => {
      for (const item of batch) items.push(isItem(item) ? item : parse(schema, item, [items.length]));
    };
    const array = new ArrivingArray(pieceLength);
    const decoder = new StringDecoder('utf8');
    for await (const chunk of body) append(array.push(decoder.write(chunk)));
    append(array.end(decoder.end()));
    return items;
  };
}

/** The first item's brace and first key; the other items are expected to begin alike. */
const firstItemBegins = /^\s*\[\s*(\{\s*"(?:[^"\\]|\\.)*"\s*:)/;

/**
 * The text of a JSON array that arrives in pieces. A comma before text that looks like the beginning
 * of an item is a likely place to cut. `JSON.parse` decides: it refuses the text before any other
 * comma. After a refusal, the rest is parsed as a whole at the end.
 */
class ArrivingArray {
  /** The text that is not parsed yet, as an array of its own. */
  #text = '';
  #beginning: string | undefined;
  #isWorthCutting = true;
  readonly #pieceLength: number;

  constructor(pieceLength: number) {
    this.#pieceLength = pieceLength;
  }

  /** Returns the items that are complete. */
  push(text: string): unknown[] {
    this.#text += this.#text === '' ? withoutByteOrderMark(text) : text;
    const isLong = this.#text.length >= this.#pieceLength;
    const cut = isLong && this.#isWorthCutting ? this.#findCut() : -1;
    if (cut < 0) return [];
    const items = tryParseArray(`${this.#text.slice(0, cut)}]`);
    if (items === null) this.#isWorthCutting = false;
    else this.#text = `[${this.#text.slice(cut + 1)}`;
    return items ?? [];
  }

  /**
   * Returns the items that are left.
   *
   * @throws {JsonSyntaxError | UnexpectedShapeError}
   */
  end(text: string): unknown[] {
    const items = parseJson(this.#text + text);
    if (!Array.isArray(items)) throw new UnexpectedShapeError([], 'an array belongs here');
    return items;
  }

  /** The position of the last comma that seems to separate two items; -1 for none. */
  #findCut(): number {
    this.#beginning ??= firstItemBegins.exec(this.#text)?.[1];
    if (this.#beginning === undefined) return -1;
    let place = this.#text.lastIndexOf(this.#beginning) - 1;
    while (/\s/.test(this.#text.charAt(place))) place -= 1;
    return this.#text.charAt(place) === ',' ? place : -1;
  }
}

function tryParseArray(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
