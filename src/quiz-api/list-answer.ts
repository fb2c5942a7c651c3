import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type * as z from 'zod';
import { UnexpectedShapeError, parseJson, withoutByteOrderMark } from './answers.ts';
import type { ReadAnswer } from './answers.ts';
import { isObject, numberOf } from './fields.ts';
import { say, parseFromOutside } from '../domain/said.ts';

/** A list, or a page of one. */
export interface ListPage<T> {
  items: T[];
  /** The records that could not be read and are left out. */
  unreadable: Unreadable;
  /** What the answer says of the next page: an address, a path, a cursor or a number. */
  next: string | number | undefined;
  /** How many records there are on all pages, where the answer says it. */
  total: number | undefined;
}

export interface Unreadable {
  count: number;
  /** Why the first of them could not be read, without anything of its content; empty without any. */
  reason: string;
}

/**
 * The length of text that is parsed at once, in characters. From 100 KiB on, V8 allocates what it
 * parses in the old generation at once instead of moving it there later. Pieces of 256 KiB and more
 * took a fifth longer when measured, and block the event loop for longer.
 */
const usualPieceLength = 128 * 1024;
/** Items of a list that came as a whole are read in slices of a few milliseconds. */
const itemsInSlice = 1_000;

/**
 * Reads an array, or an envelope with one, while it arrives: each piece of the body becomes items and is dropped. Memory
 * holds neither the whole text nor a second copy of the items. After each piece, the event loop has a turn.
 *
 * @param options.usual returns an item that needs no schema, which takes a fraction of the time; undefined for the others
 * @param options.keep returns what to keep in place of an item; the item itself unless given
 * @param options.pause resolves when other work had its turn
 */
export function pageOf<T>(
  schema: z.ZodType<T>,
  options: {
    usual?: ((value: unknown) => T | undefined) | undefined;
    keep?: ((item: T) => T) | undefined;
    pieceLength?: number;
    pause?: () => Promise<void>;
  } = {},
): ReadAnswer<ListPage<T>> {
  const { usual = () => undefined, keep = (item) => item, pieceLength = usualPieceLength, pause = nextTurn } = options;
  return async (body) => {
    const items: T[] = [];
    const unreadable: Unreadable = { count: 0, reason: '' };

    async function append(batch: readonly unknown[]): Promise<void> {
      for (const [index, record] of batch.entries()) {
        if (index % itemsInSlice === itemsInSlice - 1) await pause();
        const item = usual(record);
        if (item !== undefined) items.push(keep(item));
        else read(record);
      }
      if (batch.length > 0) await pause();
    }

    function read(record: unknown): void {
      const result = schema.safeParse(record);
      if (result.success) {
        items.push(keep(result.data));
        return;
      }
      unreadable.count += 1;
      unreadable.reason ||= reasonFor(record, result.error.issues[0]?.path[0]);
    }

    const list = new ArrivingList(pieceLength);
    const decoder = new StringDecoder('utf8');
    for await (const chunk of body) await append(list.push(decoder.write(chunk)));
    const { rest, next, total } = list.end(decoder.end());
    await append(rest);
    return { items, unreadable, next, total };
  };
}

function reasonFor(record: unknown, field: PropertyKey | undefined): string {
  if (!isObject(record)) return record === null ? say`the record is null` : say`the record is not an object`;
  const name = String(field);
  const value = record[name];
  return value === undefined || value === null || value === '' ? say`${name} is missing` : say`${name} is not an id`;
}

/** The names under which envelopes have their list. */
const listNames = ['data', 'items', 'results', 'records', 'quizzes', 'users', 'groups', 'responses', 'questions'];

/** The names under which they say how many records there are on all pages. */
const totalNames = ['total', 'total_count', 'totalCount'];

/** What comes before the first record: a bracket, or envelopes whose list comes after members that are no objects. */
const listBegins = new RegExp(
  String.raw`^\s*(?:\{(?:\s*"[^"\\]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[-+.\w]+)\s*,)*\s*"(?:${listNames.join('|')})"\s*:\s*)*\[`,
);

/** The brace and first key of the first item that is an object; the other items are expected to begin alike. */
const firstItemBegins = /^(?:[^{"]|"(?:[^"\\]|\\.)*")*?(\{\s*"(?:[^"\\]|\\.)*"\s*:)/;

/**
 * The text of a JSON list that arrives in pieces. A comma before text that looks like the beginning of an item is a
 * likely place to cut. `JSON.parse` decides: it refuses the text before any other comma. After a refusal, the rest is
 * parsed as a whole at the end.
 */
class ArrivingList {
  /** What came before the first item. */
  #opening = '';
  /** The text after the opening that is not parsed yet. */
  #text = '';
  #isOpen = false;
  #itemBegins: string | undefined;
  #isWorthCutting = true;
  readonly #pieceLength: number;

  constructor(pieceLength: number) {
    this.#pieceLength = pieceLength;
  }

  /** Returns the items that are complete. */
  push(text: string): unknown[] {
    this.#text += text;
    const isLong = this.#text.length >= this.#pieceLength;
    const cut = isLong && this.#isWorthCutting ? this.#findCut() : -1;
    if (cut < 0) return [];
    const items = tryParseArray(`[${this.#text.slice(0, cut)}]`);
    if (items === null) this.#isWorthCutting = false;
    else this.#text = this.#text.slice(cut + 1);
    return items ?? [];
  }

  /**
   * Returns the items that are left, and what the envelope says of the others.
   *
   * @throws {JsonSyntaxError | UnexpectedShapeError}
   */
  end(text: string): OpenedEnvelope {
    return openEnvelope(parseJson(this.#opening + this.#text + text));
  }

  /** The position of the last comma that seems to separate two items; -1 for none. */
  #findCut(): number {
    if (!this.#isOpen) this.#open();
    this.#itemBegins ??= firstItemBegins.exec(this.#text)?.[1];
    if (!this.#isOpen || this.#itemBegins === undefined) return -1;
    let place = this.#text.lastIndexOf(this.#itemBegins) - 1;
    while (/\s/.test(this.#text.charAt(place))) place -= 1;
    return this.#text.charAt(place) === ',' ? place : -1;
  }

  #open(): void {
    const text = withoutByteOrderMark(this.#text);
    const opening = listBegins.exec(text)?.[0];
    if (opening === undefined) {
      this.#isWorthCutting = text.length < 2 * usualPieceLength;
      return;
    }
    this.#isOpen = true;
    this.#opening = opening;
    this.#text = text.slice(opening.length);
  }
}

interface OpenedEnvelope extends Pick<ListPage<unknown>, 'next' | 'total'> {
  rest: readonly unknown[];
}

/** Finds the list in an envelope such as `{"items": […], "next": …}` or `{"data": {"items": […]}}`. */
function openEnvelope(value: unknown): OpenedEnvelope {
  let next: OpenedEnvelope['next'];
  let total: number | undefined;
  let inner = value;
  while (isObject(inner)) {
    const envelope: Readonly<Record<string, unknown>> = inner;
    next = nextIn(envelope) ?? next;
    total = totalIn(envelope) ?? total;
    inner = listNames.map((name) => envelope[name]).find((member) => typeof member === 'object' && member !== null);
  }
  if (!Array.isArray(inner)) throw new UnexpectedShapeError([], 'an array belongs here');
  return { rest: inner, next, total };
}

function totalIn(envelope: Readonly<Record<string, unknown>>): number | undefined {
  return totalNames.map((name) => numberOf(envelope[name])).find((total) => total !== null) ?? undefined;
}

function nextIn({ next }: Readonly<Record<string, unknown>>): string | number | undefined {
  return (typeof next === 'string' && next !== '') || typeof next === 'number' ? next : undefined;
}

function tryParseArray(text: string): unknown[] | null {
  try {
    const value = parseFromOutside(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
