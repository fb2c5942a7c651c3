import { NotJson, parseJson } from './answers.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Cuts the text of a JSON array between its items while it arrives. It only finds the cuts;
 * `JSON.parse` judges what lies between them.
 */
export class ArraySplitter {
  #text = '';
  #scannedTo = 0;
  #depth = 0;
  #isInString = false;
  #hasItems = false;
  #isClosed = false;

  /** Whether the text so far is, or can become, an array. */
  isArray(): boolean {
    return this.#depth > 0 || this.#isClosed;
  }

  /**
   * The items that `text` completes.
   *
   * @throws {NotJson}
   */
  push(text: string): unknown[] {
    this.#text += text;
    if (!this.isArray() && !this.#open()) return [];
    const cut = this.#findLastCut();
    if (cut < 0) return [];
    const items = this.#parseItems(this.#text.slice(0, cut));
    this.#text = this.#text.slice(cut + 1);
    this.#scannedTo -= cut + 1;
    return items;
  }

  /**
   * What is left when the text is at its end: nothing after a whole array, and the whole text where
   * it was no array at all.
   */
  end(): string {
    if (this.#depth > 0) throw new NotJson(this.#text);
    return this.#text.trim();
  }

  #open(): boolean {
    const start = this.#text.search(/\S/);
    if (start < 0 || this.#text.charCodeAt(start) !== OPEN_BRACKET) return false;
    this.#text = this.#text.slice(start + 1);
    this.#depth = 1;
    return true;
  }

  /** The last place where an item ends, in all the text there is; -1 for none. */
  #findLastCut(): number {
    const text = this.#text;
    let cut = -1;
    let at = this.#scannedTo;
    while (at < text.length && !this.#isClosed) {
      if (this.#isInString) {
        at = this.#findStringEnd(at);
        continue;
      }
      switch (text.charCodeAt(at)) {
        case QUOTE:
          this.#isInString = true;
          break;
        case OPEN_BRACE:
        case OPEN_BRACKET:
          this.#depth += 1;
          break;
        case CLOSE_BRACE:
        case CLOSE_BRACKET:
          this.#depth -= 1;
          if (this.#depth === 0) {
            if (text.charCodeAt(at) === CLOSE_BRACE) throw new NotJson(text);
            this.#isClosed = true;
            cut = at;
          }
          break;
        case COMMA:
          if (this.#depth === 1) cut = at;
          break;
      }
      at += 1;
    }
    this.#scannedTo = at;
    return cut;
  }

  /** The place after the string that `from` lies in, or the end of the text where it goes on. */
  #findStringEnd(from: number): number {
    const text = this.#text;
    for (let quote = text.indexOf('"', from); quote >= 0; quote = text.indexOf('"', quote + 1)) {
      let start = quote;
      while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
      const isEscaped = (quote - start) % 2 === 1;
      if (!isEscaped) {
        this.#isInString = false;
        return quote + 1;
      }
    }
    return text.length;
  }

  #parseItems(text: string): unknown[] {
    const isEmptyArray = this.#isClosed && !this.#hasItems;
    if (text.trim() === '' && !isEmptyArray) throw new NotJson(text);
    this.#hasItems = true;
    const items = parseJson(`[${text}]`);
    if (!Array.isArray(items)) throw new NotJson(text);
    return items;
  }
}
