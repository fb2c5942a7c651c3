import { filterFields, filterFillers } from '../../features/results/filter.ts';
import { filterParts } from '../clauses/filter-line.ts';
import type { Readings } from '../clauses/clause.ts';
import { type PartedLine, partLine } from '../clauses/part-line.ts';
import { InvalidInputError } from '../errors.ts';
import { type Field, kindOf } from '../fields/fields.ts';
import type { Operation } from '../operation.ts';
import { reasonField, type TextInput } from '../text-input.ts';
import { mentionsInWords, tokenize, unquote, withoutNoun } from '../typed-text.ts';
import { commandAndVerb, isTyped, operationOf, operationWithoutVerb, verbsOf } from './verbs.ts';

/** What a person typed after a slash command. */
export type CommandLine =
  | { kind: 'help'; isWhole: boolean }
  /** Every way to read the line, the likeliest first. */
  | {
      kind: 'operation';
      operation: Operation;
      inputs: [TextInput, ...TextInput[]];
      /** Further ways to read it, for when they make sense and the others do not. */
      rescues: TextInput[];
      /** What the line can mean as well. */
      rivals: TextInput[];
      /** Nothing in it says where one name ends and the next begins. */
      isLoose: boolean;
      /** The person has to check in the form where the one ends. */
      isGuess: boolean;
    }
  /** `rest` is what follows the verb, in the markup of the platform. */
  | { kind: 'unknown'; verb: string; rest: string }
  /** The operation cannot read what was typed after its verb; the message, in plain text, says what to do. */
  | { kind: 'unreadable'; operation: Operation; message: string };

/**
 * Matches a command, also with another name before its ending: `/exam-user` for `/quiz-user`. Two
 * apps can have the same command, so the commands can be renamed.
 *
 * @param commands all commands of the bot
 */
export function commandPattern(command: string, commands: Iterable<string>): RegExp {
  const endingOf = (name: string) => /-.*$/.exec(name)?.[0] ?? '';
  const ending = endingOf(command);
  if (ending !== '') return new RegExp(`${ending}$`);
  const others = [...commands].map(endingOf).filter((other) => other !== '');
  return new RegExp(`^/(?!.*(?:${others.join('|')})$)`);
}

/**
 * Reads what was typed after a command, among the operations that have it.
 *
 * @param read what a text says without the markup of the platform
 */
export function parseCommandLine(
  operations: readonly Operation[],
  typed: string,
  text: string,
  read: (text: string) => string,
): CommandLine {
  const { command, line: meant } = withVerb(typed, read(text));
  const { verb, rest } = verbOf(meant, operations, command);
  const isBare = verb === '';
  const operation = isBare ? operationWithoutVerb(operations, command) : operationOf(operations, command, verb);
  if (verb.toLowerCase() === 'help' || (isBare && operation === undefined))
    return { kind: 'help', isWhole: rest.trim().toLowerCase() === 'all' };
  if (operation === undefined) return { kind: 'unknown', verb, rest: splitVerb(text).rest };
  const { line: withForm, reason } = splitReason(rest);
  const { line, form } = splitForm(operation, verb, withForm);
  try {
    const { inputs, rescues = [], rivals = [], isLoose = false, isGuess = false } = parseArguments(operation, line);
    const withReason = (input: TextInput) => ({ ...input, ...form, ...(reason && { [reasonField]: [reason] }) });
    const [likeliest, ...others] = inputs.map(withReason);
    return {
      kind: 'operation',
      operation,
      inputs: [likeliest!, ...others],
      rescues: rescues.map(withReason),
      rivals: rivals.map(withReason),
      isLoose,
      isGuess,
    };
  } catch (error) {
    if (error instanceof InvalidInputError) return { kind: 'unreadable', operation, message: error.message };
    throw error;
  }
}

/** Verbs with a hyphen can be typed as two words: `suspend group` for `suspend-group`. The name after them follows in quotes or as it is. */
function verbOf(text: string, operations: readonly Operation[], command: string): { verb: string; rest: string } {
  const first = splitVerb(text);
  const second = splitVerb(first.rest);
  const both = `${first.verb}-${second.verb}`.toLowerCase();
  const isOne =
    second.verb !== '' &&
    operations.some(
      (operation) =>
        isTyped(operation) && commandAndVerb(operation).command === command && verbsOf(operation).includes(both),
    ) &&
    (wordsOfVerbs.has(second.verb.toLowerCase()) || operationOf(operations, command, first.verb) === undefined);
  return isOne ? { verb: both, rest: second.rest } : first;
}

/** Second words of verbs whose first word is a verb too. */
const wordsOfVerbs: ReadonlySet<string> = new Set(['group', 'password', 'csv']);

function splitVerb(text: string): { verb: string; rest: string } {
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  return { verb, rest };
}

/** Splits off `--reason "…"` at the end. Phones make one dash of the two. */
function splitReason(text: string): { line: string; reason: string | undefined } {
  const reasonMark = /^(?:--|—|–)reason(?:=|$)/;
  const mark = tokenize(text).find(({ kind, text: word }) => kind === 'word' && reasonMark.test(word));
  const [found] = reasonMark.exec(mark?.text ?? '') ?? [];
  if (mark === undefined || found === undefined) return { line: text, reason: undefined };
  return { line: text.slice(0, mark.start), reason: mentionsInWords(unquote(text.slice(mark.start + found.length))) };
}

/** Splits off `csv` at the end of a line whose file can be plain; the verb can be that word as well. */
function splitForm(operation: Operation, verb: string, line: string): { line: string; form?: TextInput } {
  const last = tokenize(line).at(-1);
  const isAtEnd = last?.kind === 'word' && last.text.toLowerCase() === 'csv';
  if (!('csv' in operation.fields) || !(isAtEnd || verb.toLowerCase() === 'csv')) return { line };
  return { line: isAtEnd ? line.slice(0, last.start) : line, form: { csv: ['csv'] } };
}

/** The inputs of a line, the likeliest first. */
function parseArguments(operation: Operation, line: string): Readings & { isLoose?: boolean; isGuess?: boolean } {
  if (operation.parse) {
    const readings = operation.parse(line);
    return 'inputs' in readings ? readings : { inputs: readings };
  }
  const [, , first, connector, second] = operation.command.replace(/ …$/, '').split(' ');
  const [firstName = '', secondName = ''] = [first, second].map((placeholder) => placeholder?.slice(1, -1));
  const read = (name: string, part: string): TextInput => {
    const field = operation.fields[name];
    return field ? { [name]: kindOf(field).split(withoutNoun(part, field), field) } : {};
  };
  const whole = read(firstName, line);
  if (connector === undefined) return { inputs: [whole] };
  const isNamed = [firstName, secondName].every((name) => isJudged(operation.fields[name]));
  const { parted, rescues, ...certainty } = partLine(line, connector, {
    isOptional: second?.startsWith('[') ?? false,
    canSwap: isNamed || operation.access === 'read',
  });
  const inputOf = ([one, other]: PartedLine) =>
    other === undefined ? whole : { ...read(firstName, one), ...read(secondName, other) };
  const [likeliest = whole, ...others] = parted.map(inputOf);
  return { inputs: [likeliest, ...others], rescues: rescues.map(inputOf), ...certainty };
}

/** Whether resolving the field tells if a text is meant for it. */
function isJudged(field: Field | undefined): boolean {
  return field?.kind !== 'text' || field.isTime === true;
}

/** A line as people say it, in place of its verb and what follows. `to` is as the commands have it, with another command where one has it. */
interface Phrase {
  command: string;
  from: RegExp;
  to: string;
  /** The group of the expression that must have nothing but words of a filter, such as “failed” and “last week”. */
  filter?: number;
}

const not = String.raw`(?:hasn.?t|haven.?t|didn.?t|has not|have not|did not|not)`;
const list = String.raw`(?:all|everyone|everybody|everything)(?: (?:quizzes|users|groups))?`;

/** The first that fits is taken. */
const phrases: readonly Phrase[] = [
  {
    command: '/quiz',
    from: /^(?:(?:what(?:’s|'s| is| are)? )?due (?:in|for)|(?:missing|outstanding|incomplete) in) (?:group )?(.+)$/i,
    to: '/quiz-campaign matrix for $1',
  },
  { command: '/quiz', from: /^(?:what(?:’s|'s| is| are) )?due$/i, to: '/quiz-campaign matrix' },
  { command: '/quiz', from: /^due (?:group )?(.+)$/i, to: '/quiz-campaign matrix for $1' },
  { command: '/quiz', from: /^overdue in (?:group )?(.+)$/i, to: '/quiz-campaign matrix overdue for $1' },
  {
    command: '/quiz',
    from: new RegExp(
      `^who ${not}(?: yet)?(?: (?:taken|take|done|do|passed|pass|finished|completed))?(?: yet)? (.+)$`,
      'i',
    ),
    to: 'missing $1',
  },
  {
    command: '/quiz',
    from: /^who(?:’s|'s| is| are)?(?: still)? (?:missing|overdue|left)(?: (?:from|in|for))? (.+)$/i,
    to: 'missing $1',
  },
  { command: '/quiz', from: /^who (?:has |have )?((?:passed|failed)\b.*)$/i, to: 'all-results $1', filter: 1 },
  { command: '/quiz', from: /^((?:passed|failed)\b.*)$/i, to: 'all-results $1', filter: 1 },
  {
    command: '/quiz',
    from: /^results? (?:of |for )?(?:all|every)(?: (?:the )?quiz(?:zes)?)?\b ?(.*)$/i,
    to: 'all-results $1',
    filter: 1,
  },
  {
    command: '/quiz',
    from: /^results? (?:of |for |in )?(?:all|every) (?:the )?quiz(?:zes)? (.+)$/i,
    to: 'all-results $1',
  },
  { command: '/quiz', from: /^who (?:has |have )?(passed|failed)\b ?(.*)$/i, to: 'results $2 $1' },
  { command: '/quiz', from: /^(passed|failed)\b ?(.*)$/i, to: 'results $2 $1' },
  {
    command: '/quiz-campaign',
    from: /^(?:who(?:’s|'s| is| are)?(?: still)? )?(?:overdue|late)(?: anywhere)?(?: (?:for|of|in)(?: group)?)?( .+)?$/i,
    to: 'matrix overdue$1',
  },
  { command: '/quiz-campaign', from: /^(remind|excuse)-people\b/i, to: '$1' },
  { command: '/quiz', from: /^my (?:quizzes|results)$/i, to: 'mine' },
  { command: '/quiz-alerts', from: /^subscribe list$/i, to: 'list' },
  ...['/quiz', '/quiz-user', '/quiz-group'].map((command) => ({
    command,
    from: new RegExp(`^(?:show|list|ls) ${list}$`, 'i'),
    to: 'list',
  })),
];

/** The line with a verb in front, where people typed a sentence in its place, and its command. Nothing else of it is changed. */
export function withVerb(command: string, line: string): { command: string; line: string } {
  const text = line.trim();
  const phrase = phrases.find((known) => known.command === command && fits(known, text));
  if (phrase === undefined) return { command, line };
  const meant = text.replace(phrase.from, phrase.to).replaceAll(/ {2,}/g, ' ').trim();
  const [, other, rest = ''] = /^(\/\S+) (.*)$/s.exec(meant) ?? [];
  return other === undefined ? { command, line: meant } : { command: other, line: rest };
}

function fits({ from, filter }: Phrase, text: string): boolean {
  const found = from.exec(text);
  if (found === null || filter === undefined) return found !== null;
  return filterParts(found[filter] ?? '', filterFields, filterFillers).every(({ kind }) => kind !== 'name');
}
