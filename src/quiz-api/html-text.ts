import { Parser } from 'htmlparser2';
import { inEnglish } from '../domain/said.ts';

/** The sign before the second, and the third, part of an element. */
const signs: Readonly<Record<string, readonly string[]>> = {
  mfrac: ['/'],
  mover: ['^'],
  msub: ['_'],
  msubsup: ['_', '^'],
  msup: ['^'],
  munder: ['_'],
  munderover: ['_', '^'],
};

/** The elements of MathML: https://www.w3.org/TR/mathml-core/ */
const mathElements = [
  ...Object.keys(signs),
  ...'annotation annotation-xml math menclose merror mfenced mi mmultiscripts mn mo mpadded mphantom'.split(' '),
  ...'mprescripts mroot mrow ms mspace msqrt mstyle mtable mtd mtext mtr semantics'.split(' '),
];

/** A formula while its MathML is read. */
interface Formula {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  write(text: string): void;
  close(): void;
  isClosed(): boolean;
  /** On one line, such as `x^2+(a+b)/2`; the TeX source where the formula has one. */
  text(): string;
}

/** Begins with the `<math>` element itself. */
function createFormula(): Formula {
  const path: { name: string; parts: number; end: string }[] = [];
  let [alternative, tex, written] = ['', '', ''];

  return {
    open(name, attributes) {
      if (name === 'math') alternative = attributes['alttext'] ?? '';
      const parent = path.at(-1);
      const parentSigns = parent && signs[parent.name];
      if (parentSigns && parent.parts > 0) written += parentSigns[parent.parts - 1] ?? '';
      if (parent) parent.parts += 1;
      const [begin, end] =
        name === 'msqrt' || name === 'mroot' ? ['√(', ')'] : name === 'mrow' && parentSigns ? ['(', ')'] : ['', ''];
      written += begin;
      path.push({ name, parts: 0, end });
    },
    write(text) {
      const name = path.at(-1)?.name;
      if (name === 'annotation') tex += text;
      else if (name !== 'annotation-xml') written += text.trim();
    },
    close() {
      written += path.pop()?.end ?? '';
    },
    isClosed: () => path.length === 0,
    text: () => (tex.trim() || alternative.trim() || written).replaceAll(/\s+/g, ' '),
  };
}

/*
 * htmlparser2 reads broken HTML as browsers do and brings four small packages. html-to-text, which also renders, brings
 * eleven, builds a tree first, and takes `x<y and z` for a tag.
 */

/** Characters of HTML that are read. Views show far fewer. */
const longestHtml = 50_000;

const blocks = new Set([
  ...'address article aside blockquote br caption dd div dl dt fieldset figcaption figure footer form h1'.split(' '),
  ...'h2 h3 h4 h5 h6 header hr legend li main nav ol p pre section table tbody tfoot thead tr ul'.split(' '),
]);
const inline = [
  ...'abbr bdi bdo big body center cite code del dfn em font html ins kbd label mark picture samp small'.split(' '),
  ...'source span strike strong sub sup td th time tt var wbr'.split(' '),
];
/** Elements whose content is no text for readers. */
const dropped = new Set([
  ...'button canvas col colgroup head iframe input link meta noscript object script select style template'.split(' '),
  ...'textarea title'.split(' '),
]);
/** Elements that are named, since their content is not text. */
const named = new Map([
  ['audio', 'audio'],
  ['embed', 'video'],
  ['img', 'image'],
  ['svg', 'image'],
  ['video', 'video'],
]);

/** 10<sup>3</sup> is not 103. */
const plainDigits = '0123456789';
const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const loweredDigits = '₀₁₂₃₄₅₆₇₈₉';

const elements = [...blocks, ...inline, ...dropped, ...named.keys(), ...mathElements]
  .filter((name) => name !== 'p')
  .join('|');
/** With attributes only where these have a value: `a<b and c>d` has no tag. */
const oneLetter = '[abipqsu]';
const known = String.raw`/?(?:${elements})(?:[\s/][^<>]*)?>|/?${oneLetter}(?:\s[^<>=]*=[^<>]*|\s*/?)>|!--`;
const knownTag = new RegExp(`<(?:${known})`, 'i');
const otherLessThan = new RegExp(`<(?!${known})`, 'gi');
/** Also without a semicolon, which HTML allows for some entities, `&` stays as it is: `x&copy=1`. */
const otherAmpersand = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});)/gi;

/**
 * The text of a field that may hold HTML, such as a question, or the name of a quiz that was pasted from a page. Images
 * and formulas are named: `[image: a blue whale]`, `[formula: x^2]`. LaTeX stays as it is written. A text without tags and
 * entities comes back unchanged, also one with `<` and `&`, such as `1 < 2`. No name has the marks of what the bot says.
 */
export function htmlToText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  const escaped = html.slice(0, longestHtml).replaceAll(otherAmpersand, '&amp;').replaceAll(otherLessThan, '&lt;');
  const lastCommentEnd = escaped.lastIndexOf('-->');
  const closed = escaped.replaceAll('<!--', (comment, offset: number) =>
    offset < lastCommentEnd ? comment : '&lt;!--',
  );
  // An entity can be a mark, too.
  return inEnglish(knownTag.test(closed) ? renderMarkup(closed) : decodeEntities(closed));
}

function decodeEntities(escaped: string): string {
  let text = '';
  new Parser({ ontext: (part) => (text += part) }).end(escaped);
  return text.replaceAll('\u00a0', ' ');
}

function renderMarkup(escaped: string): string {
  const lines: string[] = [];
  const lists: { isOrdered: boolean; items: number }[] = [];
  let [line, prefix] = ['', ''];
  let [hidden, cellsOpen, cellsInRow] = [0, 0, 0];
  let digits = plainDigits;
  let isAfterName = false;
  let formula: Formula | undefined;

  function write(text: string): void {
    const joined = `${isAfterName && /^[\p{L}\p{N}]/u.test(text) ? ' ' : ''}${text.replaceAll(/\s+/g, ' ')}`;
    isAfterName = false;
    const rest = line === '' || line.at(-1) === ' ' ? joined.trimStart() : joined;
    if (line === '' && rest !== '') [line, prefix] = [prefix, ''];
    line += rest;
  }

  /** Writes the name of what is no text, apart from words that it adjoins. */
  function writeName(name: string): void {
    write(/[\p{L}\p{N}\])]$/u.test(line.slice(-2)) ? ` ${name}` : name);
    isAfterName = true;
  }

  function breakLine(): void {
    if (cellsOpen > 0) return write(' ');
    if (line.trim() !== '') lines.push(line.trim());
    line = '';
  }

  function openBlock(name: string): void {
    breakLine();
    if (name === 'ul' || name === 'ol') lists.push({ isOrdered: name === 'ol', items: 0 });
    if (name === 'tr') cellsInRow = 0;
    const list = lists.at(-1);
    if (name === 'li') prefix = list?.isOrdered ? `${(list.items += 1)}. ` : '• ';
  }

  function openCell(): void {
    cellsOpen += 1;
    if ((cellsInRow += 1) > 1) write(' | ');
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      if (formula) return formula.open(name, attributes);
      if (hidden > 0 || dropped.has(name) || attributes['aria-hidden'] === 'true') return void (hidden += 1);
      const medium = named.get(name);
      if (medium !== undefined) {
        writeName(mediumWords(medium, attributes));
        hidden += 1;
      } else if (name === 'math') {
        formula = createFormula();
        formula.open(name, attributes);
      } else if (name === 'td' || name === 'th') openCell();
      else if (name === 'sup' || name === 'sub') digits = name === 'sup' ? raisedDigits : loweredDigits;
      else if (blocks.has(name)) openBlock(name);
    },
    ontext(text) {
      if (formula) formula.write(text);
      else if (hidden === 0)
        write(digits === plainDigits ? text : text.replaceAll(/\d/g, (digit) => digits.charAt(Number(digit))));
    },
    onclosetag(name) {
      if (formula) {
        formula.close();
        if (!formula.isClosed()) return;
        const text = formula.text();
        formula = undefined;
        writeName(text === '' ? '[formula]' : `[formula: ${text}]`);
      } else if (hidden > 0) hidden -= 1;
      else if (name === 'td' || name === 'th') cellsOpen -= 1;
      else if (name === 'sup' || name === 'sub') digits = plainDigits;
      else if (blocks.has(name)) {
        if (name === 'ul' || name === 'ol') lists.pop();
        if (name === 'li') prefix = '';
        breakLine();
      }
    },
  });
  parser.end(escaped);
  cellsOpen = 0;
  breakLine();
  return lines.join('\n');
}

/** Editors of formulas write images with the formula as `alt`: https://docs.wiris.com/ */
function mediumWords(medium: string, { alt = '', class: classes = '' }: Readonly<Record<string, string>>): string {
  const name = medium === 'image' && /wiris|math|latex|equation/i.test(classes) ? 'formula' : medium;
  return alt.trim() === '' ? `[${name}]` : `[${name}: ${alt.trim()}]`;
}
