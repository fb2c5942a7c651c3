import type { Render } from '../../src/words/render.ts';
import { sentIn } from './as-sent.ts';

/** What no translation changes: parts, code, emoji by name, and what stands in angle brackets. */
const kept = /(\{\d+\}|`[^`]*`|:[a-z][\w+-]*:|<[^>]*>|&\w+;)/g;

const accented: Readonly<Record<string, string>> = { a: 'á', e: 'ë', i: 'ï', o: 'ö', u: 'ü', n: 'ñ', c: 'ç', s: 'š' };
const hebrew = 'אבגדהוזחטיכלמנסעפצקרשת';

const frame = ['[!!! ', ' !!!]'] as const;

/** A language a third longer than English, in which what was forgotten stands out: `[!!! Çlöšëd {0}. ~~~ !!!]`. */
export const pseudoLanguage = pseudo(
  (letter) => accented[letter] ?? letter,
  (text, length) => {
    const longer = Math.max(2, Math.ceil(length / 3));
    const [before, after] = longer < frame.join('').length ? ['[', ']'] : frame;
    return `${before}${text}${'~'.repeat(longer - before.length - after.length)}${after}`;
  },
);

/** The same, written from right to left. */
export const pseudoRightToLeft = pseudo(
  (letter) => hebrew[letter.codePointAt(0)! % hebrew.length] ?? letter,
  (text, length) => `${text}${'ת'.repeat(Math.ceil(length / 3))}`,
);

function pseudo(changeLetter: (letter: string) => string, framed: (text: string, length: number) => string): Render {
  const translate = (key: string): string => {
    const [before = '', after = ''] = [/^\s*/.exec(key)?.[0], /\s*$/.exec(key)?.[0]];
    const middle = key.slice(before.length, key.length - after.length);
    const changed = middle
      .split(kept)
      .map((part, index) => (index % 2 === 1 ? part : quoted(part.replaceAll(/[a-z]/gi, changeLetter))))
      .join('');
    return `${before}${framed(changed, middle.replaceAll(kept, '').length)}${after}`;
  };
  return sentIn('de', () => ({ get: (key: string) => translate(key) }) as ReadonlyMap<string, string>);
}

/** ICU’s own signs as letters. */
function quoted(text: string): string {
  return text.replaceAll("'", "''").replaceAll(/[{}]+/g, "'$&'");
}
