import { kindOf, type Fields } from '../fields/fields.ts';
import type { TextInput } from '../text-input.ts';
import { tokenize, type Token, type Readings } from '../typed-text.ts';
import { partsIn, type Part } from './parse-clauses.ts';
import { partLine } from './part-line.ts';

/** Each reading is looked up in the directory. */
const readingsAtMost = 20;
const rescuesAtMost = 5;

/** The fields of two names, in the order in which people type them. */
export interface TwoNames {
  first: string;
  second: string;
  /** The word between them where they come the other way round: `Rosa from fire safety`. */
  turnedAt: string;
  /** The field of what follows a comma behind them: `Rosa from fire safety, on leave`. */
  afterComma?: string;
}

/**
 * Reads a line of two names, in either order, and the clauses that the fields declare: `fire safety Rosa, Kim until 1 feb because on
 * leave`.
 */
export function parseNamesAndClauses(line: string, fields: Fields, names: TwoNames): Readings {
  const tokens = tokenize(line);
  const { chosen, strange } = partsIn(tokens, fields);
  const ways = [...chosen, ...(strange ? [strange] : [])].map((parts) => {
    const text = textOutside(line, tokens, parts);
    const clauses = clausesIn(parts);
    const { usual, turned } = readNames(text, fields, names);
    return {
      inputs: usual.map((input) => ({ ...input, ...clauses })),
      rescues: turned
        .filter((input) => Object.keys(input).every((field) => clauses[field] === undefined))
        .map((input) => ({ ...input, ...clauses })),
    };
  });
  const rescues = ways.flatMap((way) => way.rescues).slice(0, rescuesAtMost);
  const [first = {}, ...others] = ways.flatMap(({ inputs }) => inputs).slice(0, readingsAtMost - rescues.length);
  return { inputs: [first, ...others], rescues };
}

/** Reads a line of names for one field, and the clauses that the fields declare: `Rosa, Kim until 1 feb because on leave`. */
export function parseNameAndClauses(line: string, fields: Fields, name: string): [TextInput, ...TextInput[]] {
  const tokens = tokenize(line);
  const { chosen, strange } = partsIn(tokens, fields);
  const [first = {}, ...others] = [...chosen, ...(strange ? [strange] : [])]
    .slice(0, readingsAtMost)
    .map((parts) => ({ ...namesIn(textOutside(line, tokens, parts), fields, name), ...clausesIn(parts) }));
  return [first, ...others];
}

function clausesIn(parts: readonly Part[]): TextInput {
  return Object.fromEntries(parts.map(({ field, texts }) => [field, texts]));
}

function namesIn(typed: string, fields: Fields, name: string): TextInput {
  const field = fields[name];
  return field === undefined || typed.trim() === '' ? {} : { [name]: kindOf(field).split(typed.trim(), field) };
}

function readNames(text: string, fields: Fields, names: TwoNames): { usual: TextInput[]; turned: TextInput[] } {
  const { first, second, turnedAt, afterComma } = names;
  const textsOf = (name: string, typed: string) => namesIn(typed, fields, name);
  const inOrder = (one: string, two: string) => ({ ...textsOf(first, one), ...textsOf(second, two) });
  const { parted, rescues, isLoose } = partLine(text, turnedAt, { isOptional: false, canSwap: true });
  if (isLoose) {
    const straight = parted.map(([one, two = '']) => inOrder(one, two));
    const swapped = parted.map(([one, two = '']) => inOrder(two, one));
    return { usual: parted.length === 0 ? [inOrder(text, '')] : [...straight, ...swapped], turned: [] };
  }
  const afterCommas = parted.flatMap(([one, two = '']) =>
    [...two.matchAll(/[,;–—]\s+/g)].map(({ index, 0: comma }) => ({
      ...inOrder(two.slice(0, index), one),
      ...(afterComma !== undefined && textsOf(afterComma, two.slice(index + comma.length))),
    })),
  );
  return {
    usual: [...parted, ...rescues].map(([one, two = '']) => inOrder(two, one)),
    turned: afterComma === undefined ? [] : afterCommas,
  };
}

/** What belongs to no clause. */
function textOutside(line: string, tokens: readonly Token[], parts: readonly Part[]): string {
  const sorted = parts.toSorted((a, b) => a.start - b.start);
  const ends = [0, ...sorted.map(({ end }) => tokens[end]?.start ?? line.length)];
  return ends
    .map((from, index) =>
      line.slice(from, index < sorted.length ? tokens[sorted[index]!.start]?.start : undefined).trim(),
    )
    .filter((text) => text !== '')
    .join(', ')
    .replace(/[\s,;]+$/, '');
}
