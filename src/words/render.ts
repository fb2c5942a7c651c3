import { isolated, tagZero, hiddenLetters, isWorded, marked, readMarkedDate, marks } from '../domain/said.ts';
import type { DateSource } from '../domain/said.ts';
import { commandEndings, isStandard, type OwnNames } from '../domain/own-names.ts';
import { writtenDate } from '../time/date-words.ts';
import { locales } from './languages.ts';

/**
 * Where a text goes: into markup; into plain text, where names stand in quotation marks; or onto a label such as a
 * button’s, where each letter counts.
 */
export type Place = 'markup' | 'plain' | 'label';

const tags = /[\u{E0030}-\u{E0039}]/gu;

/** Writes what the bot said as its reader gets it, without marks. */
export type Render = (said: string, place?: Place) => string;

/** What is written otherwise in another language (`translate.ts`). */
export interface Phrases {
  /** A sentence or something counted, with its parts in order; undefined where the catalogue lacks it. */
  sentence(key: string, write: (own: string) => string, parts: readonly Written[]): string | undefined;
  number(english: string): string;
  list(items: readonly string[], type: 'conjunction' | 'disjunction'): string | undefined;
  /** Of dates. */
  locale: string;
  /** Around a name. */
  quotes: readonly [string, string];
  /** The names of the forms of a day in markup: as usual, and with its weekday. */
  day: string;
  weekday: string;
  /** The form of the time that follows. */
  time: string;
}

/** A part of a sentence: as its reader reads it, and in English. */
interface Written {
  written: string;
  english: string;
  nodes: readonly Node[];
}

/** English is what was said. */
const english: Phrases = {
  sentence: () => undefined,
  number: (words) => words,
  list: () => undefined,
  locale: locales.en,
  quotes: ['“', '”'],
  day: '{date_short_pretty}',
  weekday: '{date_long_pretty}',
  time: ' {time}',
};

/**
 * Makes what writes texts for their readers: everything is done here, once. What came from outside is escaped, isolated where
 * it is written from right to left, and keeps what looks like a name of the bot; the bot’s own words get its names.
 *
 * @param timeZone of moments and days where the client of the reader shows no zone of its own
 */
export function createRender(names: OwnNames, phrases: Phrases = english, timeZone = 'UTC'): Render {
  const rename = createRename(names);
  return (said, place = 'plain') => writer(phrases, place).all(hasMarks(said) ? parseSaid(said) : [said], false);

  function writer(language: Phrases, place: Place) {
    return { all };

    /** @param isOwn whether the bot says the text between marks itself */
    function all(nodes: readonly Node[], isOwn: boolean): string {
      return nodes
        .map((node, index) => (typeof node === 'string' ? text(node, isOwn, index > 0) : ofItself(node)))
        .join('');
    }

    function text(words: string, isOwn: boolean, isWithin: boolean): string {
      if (isOwn) return own(words, isWithin);
      // What tells a name apart on a label stands after commas, dots and colons: each part has its direction.
      const parts = place === 'label' ? words.split(/(, | · |: )/) : [words];
      return escaped(parts.map(isolated).join(''), place);
    }

    /** The bot’s own markup stays: signs around words, and before a quotation. */
    function own(words: string, isWithin = false): string {
      const renamed = rename(words);
      return escaped(renamed, place).replaceAll(isWithin ? /(?<=\n)&gt;/g : /^&gt;/gm, '>');
    }

    function ofItself(node: MarkedNode): string {
      const { kind, children } = node;
      switch (kind) {
        case 'sentence':
        case 'count':
          return sentence(node);
        case 'english':
          return writer(english, place).all(children, true);
        case 'part':
          return inQuotes(all(children, false));
        case 'person':
          return inQuotes(all(children, false).replace(hiddenLetters, ''));
        case 'number':
          return language.number(englishOf(children));
        case 'list':
          return list(children);
        case 'date':
          return date(node);
        case 'mention':
          return place === 'markup' ? `<${englishOf(children).replaceAll(/[^#@A-Z0-9]/g, '')}>` : englishOf(children);
        case 'name':
          return name(all(children, false));
        case 'moment':
        case 'day':
          return moment(node);
      }
    }

    function sentence(node: MarkedNode): string {
      const key = keyOf(node);
      if (language === english || key.startsWith('/') || !isWorded(key)) return all(node.children, true);
      const parts = partsOf(node);
      const translated = language.sentence(
        key,
        own,
        parts.map((nodes) => ({ written: inQuotes(all(nodes, false)), english: englishOf(nodes), nodes })),
      );
      return translated ?? writer(english, place).all(node.children, true);
    }

    function list(children: readonly Node[]): string {
      const items = children.flatMap((node) => (typeof node === 'object' ? [all(node.children, false)] : []));
      const type = children.includes(' or ') ? 'disjunction' : 'conjunction';
      return language.list(items, type) ?? all(children, true);
    }

    function date(node: MarkedNode): string {
      const source = dateIn(node);
      const isSaid = source === undefined || (language === english && source.zone !== undefined);
      return (isSaid ? undefined : writtenDate(language.locale, source.zone ?? timeZone, source)) ?? englishOf([node]);
    }

    function name(words: string): string {
      if (place === 'markup') return `*${words}*`;
      return place === 'label' ? words : language.quotes.join(words);
    }

    /** Before its words stand its seconds since the epoch. */
    function moment({ kind, children }: MarkedNode): string {
      const words = all(children, true);
      const digits = Array.from(words.match(tags) ?? [], (tag) => (tag.codePointAt(0) ?? tagZero) - tagZero);
      const shown = words.replaceAll(tags, '').replaceAll(/&lt;|[<>|]/g, '');
      if (place !== 'markup' || digits.length === 0) return shown;
      const hasWeekday = children.some((node) => dateIn(node)?.form.startsWith('weekday'));
      const day = hasWeekday ? language.weekday : language.day;
      return `<!date^${digits.join('')}^${kind === 'day' ? day : `${day}${language.time}`}|${shown}>`;
    }

    function inQuotes(part: string): string {
      return part.replace(/^“([^“”]*)”$/, (_, words: string) => language.quotes.join(words));
    }
  }
}

function dateIn(node: Node): DateSource | undefined {
  const [first] = typeof node === 'object' && node.kind === 'date' ? node.children : [];
  return typeof first === 'string' ? readMarkedDate(first) : undefined;
}

/** Writes the bot’s own words in English where machines and files read them, said or not. */
export function createInOwnNames(names: OwnNames): (words: string) => string {
  const render = createRender(names);
  return (words) => render(marked('sentence', words));
}

/** Escapes the three characters that markup is made of. */
function escaped(text: string, place: Place): string {
  return place === 'markup' ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') : text;
}

/** A part of what the bot says: text, or what is between marks. */
export type Node = string | MarkedNode;

interface MarkedNode {
  kind: keyof typeof marks;
  children: Node[];
}

const openings = new Map(
  Object.entries(marks).map(([kind, [opening]]) => [opening as string, kind as keyof typeof marks]),
);
const closings: ReadonlySet<string> = new Set(Object.values(marks).map(([, closing]) => closing));

/** Whether a text has marks, or names and moments within it. */
const hasMarks = (text: string): boolean => /[\uFDD0-\uFDEF\u2066-\u2069]/.test(text);

/** What was said as a tree. Marks without their counterpart, as in a text that was cut, are left out. */
export function parseSaid(text: string): Node[] {
  const tokens = text.split(/([\uFDD0-\uFDEF\u2066-\u2069])/);
  const open: string[] = [];
  let at = 0;

  function readOn(): Node[] {
    const nodes: Node[] = [];
    for (; at < tokens.length; at += 1) {
      const token = tokens[at] ?? '';
      const kind = openings.get(token);
      if (kind !== undefined) {
        at += 1;
        open.push(marks[kind][1]);
        nodes.push({ kind, children: readOn() });
        open.pop();
        // What was cut ends with what it is in.
        if (tokens[at] !== marks[kind][1]) at -= 1;
      } else if (open.includes(token)) return nodes;
      else if (!closings.has(token) && token !== '') nodes.push(token);
    }
    return nodes;
  }

  return readOn();
}

/** The words of nodes as they are read in English. What stands hidden before the words of a date or a person isn’t read. */
export function englishOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const words = englishOf(node.children);
      return node.kind === 'date' || node.kind === 'person' ? words.replace(hiddenLetters, '') : words;
    })
    .join('');
}

/** The parts of a sentence that were put into it, in order. */
function partsOf(sentence: MarkedNode): Node[][] {
  return sentence.children.flatMap((node) => (typeof node === 'object' && node.kind === 'part' ? [node.children] : []));
}

/** A sentence with `{0}`, `{1}` and so on for its parts, or something counted with `#` for the number: what catalogues call it. */
function keyOf(sentence: MarkedNode): string {
  let index = 0;
  return sentence.children
    .map((node) =>
      typeof node === 'object' && node.kind === 'part'
        ? sentence.kind === 'count'
          ? '#'
          : `{${index++}}`
        : englishOf([node]),
    )
    .join('');
}

const ownName = new RegExp(
  String.raw`(?<![\w/.])/quiz(${commandEndings.filter((ending) => ending !== '').join('|')})?(?![\w-])|(?<!\w)Invigilator(?!\w)`,
  'g',
);

/** Makes the function that puts a bot’s names into its own words. */
export function createRename(names: OwnNames): (text: string) => string {
  if (isStandard(names)) return (text) => text;
  const { commandPrefix, botName } = names;
  return (text) =>
    text.replaceAll(ownName, (name: string, ending: string | undefined) =>
      name.startsWith('/') ? `/${commandPrefix}${ending ?? ''}` : botName,
    );
}
