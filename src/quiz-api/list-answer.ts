import { StringDecoder } from 'node:string_decoder';
import type * as z from 'zod';
import { UnexpectedShapeError, parse, parseJson } from './answers.ts';
import type { ReadAnswer } from './answers.ts';

/**
 * How much text is read at once: little enough not to be felt, and enough that V8 puts what it parses
 * where it stays (from 100 KiB on) instead of moving it there, item by item.
 */
const usualPieceLength = 256 * 1024;

/**
 * Reads an array whose items fit the schema, while it arrives: each piece of the body becomes items
 * and is dropped. So neither the whole text nor a second copy of the items is ever held, and a list
 * of 100,000 users does not keep the event loop from other work.
 */
export function listOf<T>(schema: z.ZodType<T>, { pieceLength = usualPieceLength } = {}): ReadAnswer<T[]> {
  return async (body) => {
    const items: T[] = [];
    const append = (batch: readonly unknown[]) => {
      for (const item of batch) items.push(parse(schema, item, [items.length]));
    };
    const array = new ArrivingArray(pieceLength);
    const decoder = new StringDecoder('utf8');
    for await (const chunk of body) append(array.push(decoder.write(chunk)));
    append(array.end(decoder.end()));
    return items;
  };
}

/** The first item's brace and first key, of which the others' are taken to be copies. */
const firstItemBegins = /^\s*\[\s*(\{\s*"(?:[^"\\]|\\.)*"\s*:)/;

/**
 * The text of a JSON array that arrives in pieces. A comma before what looks like another item's
 * beginning is a likely place to cut; whether it is one is for `JSON.parse` to say, which refuses
 * what lies before any other comma. Where it refuses, the rest is read in one piece at the end.
 */
class ArrivingArray {
  /** What is not read yet, as an array of its own. */
  #text = '';
  #beginning: string | undefined;
  #isWorthCutting = true;
  readonly #pieceLength: number;

  constructor(pieceLength: number) {
    this.#pieceLength = pieceLength;
  }

  /** The items that are complete. */
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
   * The items that are left.
   *
   * @throws {JsonSyntaxError | UnexpectedShapeError}
   */
  end(text: string): unknown[] {
    const items = parseJson(this.#text + text);
    if (!Array.isArray(items)) throw new UnexpectedShapeError([], 'an array belongs here');
    return items;
  }

  /** The last comma that seems to stand between two items; -1 for none. */
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
