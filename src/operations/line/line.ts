import { meaningAmong } from '../other-words/meanings.ts';
import { mentionsInWords, tokenize, unquote, withoutNoun, wordAt, type Readings } from '../typed-text.ts';
import { partLine, type PartedLine } from '../clauses/part-line.ts';
import { InvalidInputError, reasonField, type TextInput } from '../text-input.ts';
import { takeOption } from '../fields/choice.ts';
import { kindOf, type Field } from '../fields/fields.ts';
import type { Operation } from '../operation.ts';
import { withoutCourtesy, withVerb } from './phrases.ts';
import { tolerated, typingDistance } from '../../domain/typing-distance.ts';

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
  const operation = isBare
    ? operations.find(({ name }) => name === withoutVerb[command])
    : operationOf(operations, command, verb);
  if (verb.toLowerCase() === 'help' || (isBare && operation === undefined))
    return { kind: 'help', isWhole: rest.trim().toLowerCase() === 'all' };
  if (operation === undefined) return { kind: 'unknown', verb, rest: splitVerb(text).rest };
  const { line: withForm, reason } = splitReason(rest);
  const { line, form } = splitForm(operation, verb, withForm);
  try {
    const { inputs, rescues = [], rivals = [], isLoose = false, isGuess = false } = parsePolitely(operation, line);
    const withReason = (input: TextInput) => ({ ...input, ...form, ...(reason && { [reasonField]: [reason] }) });
    const [likeliest, ...others] = [...inputs, ...parseBecause(operation, line)].map(withReason);
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

/** The first word of a text, and what follows. */
export function splitVerb(text: string): { verb: string; rest: string } {
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

/** The line with a reason at its end, as people say it: `suspend Rosa because she left`. A new name may have the word in it. */
function parseBecause(operation: Operation, line: string): TextInput[] {
  const { access, fields } = operation;
  const isName = (field: Field) => field.kind === 'text';
  if (access === 'read' || 'because' in fields || Object.values(fields).some(isName)) return [];
  const tokens = tokenize(line);
  const says = (at: number) => wordAt(tokens, at) === 'because' || meaningAmong(tokens, at, ['because']) !== undefined;
  const at = tokens.findIndex((_, index) => index > 0 && says(index));
  const length = at === -1 ? 0 : (meaningAmong(tokens, at, ['because'])?.length ?? 1);
  const begin = tokens[at + length];
  if (at === -1 || begin === undefined) return [];
  const { inputs } = parsePolitely(operation, line.slice(0, tokens[at]!.start).trim());
  const reason = mentionsInWords(unquote(line.slice(begin.start)));
  return inputs.map((input) => ({ ...input, [reasonField]: [reason] }));
}

/** Splits off at the end of a line which file is wanted, such as `csv`; the verb can be that word as well. */
function splitForm({ fields: { csv } }: Operation, verb: string, line: string): { line: string; form?: TextInput } {
  if (csv?.kind !== 'choice') return { line };
  const tokens = tokenize(line);
  for (const [at, { start }] of tokens.entries()) {
    const taken = takeOption(tokens, at, csv);
    if (taken?.end === tokens.length) return { line: line.slice(0, start), form: { csv: taken.texts } };
  }
  return verb.toLowerCase() === 'csv' ? { line, form: { csv: ['csv'] } } : { line };
}

/** As `parseArguments`, also without what is courtesy. A new name may end with it: “Are you ready?” */
function parsePolitely(operation: Operation, line: string): ReturnType<typeof parseArguments> {
  const plain = withoutCourtesy(line);
  if (plain === line) return parseArguments(operation, line);
  const asMeant = parseArguments(operation, plain);
  if (operation.access === 'read') return asMeant;
  const asTyped = parseArguments(operation, line);
  return { ...asTyped, inputs: [...asTyped.inputs, ...asMeant.inputs] };
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

/** The slash command and the verb of an operation: `/quiz` and `close` of `/quiz close <quiz>`. */
export function commandAndVerb(operation: Operation): { command: string; verb: string } {
  const [command = '', verb = ''] = operation.command.split(' ');
  return { command, verb };
}

/** Whether people can type it. */
export function isTyped(operation: Operation): boolean {
  return operation.isTyped !== false;
}

/** What a command without a verb means. The others show their help. */
const withoutVerb: Readonly<Record<string, string>> = {
  '/quiz': 'show-today',
  '/quiz-campaign': 'list-campaigns',
};

/** Verbs that could mean one of several operations, which are then offered. */
const severalMeanings: Readonly<Record<string, readonly string[]>> = {
  '/quiz start': ['start-campaign', 'open-quiz'],
  '/quiz send': ['assign-quiz'],
  '/quiz-campaign send': ['remind-campaign'],
  '/quiz add': ['create-quiz', 'add-to-group'],
  '/quiz stop': ['close-quiz', 'end-campaign'],
  '/quiz end': ['close-quiz', 'end-campaign'],
  '/quiz finish': ['close-quiz', 'end-campaign'],
  '/quiz cancel': ['close-quiz', 'end-campaign'],
  '/quiz-user add': ['create-user', 'add-to-group'],
  '/quiz-user remove': ['delete-user', 'remove-from-group'],
  '/quiz-alerts stop': ['pause-alerts', 'unsubscribe-channel'],
  '/quiz-alerts cancel': ['pause-alerts', 'unsubscribe-channel'],
  '/quiz-alerts off': ['pause-alerts', 'unsubscribe-channel'],
};

/** Every verb that people can type for an operation, its own first. */
export function verbsOf(operation: Operation): readonly string[] {
  return [commandAndVerb(operation).verb, ...(operation.synonyms ?? [])];
}

/** The operation of a command that a verb means. Its own verb goes before a synonym of another. */
function operationOf(operations: readonly Operation[], command: string, typed: string): Operation | undefined {
  const verb = typed.toLowerCase();
  const own = operations.filter((operation) => operation.command.startsWith(`${command} `) && isTyped(operation));
  return (
    own.find((operation) => commandAndVerb(operation).verb === verb) ??
    own.find((operation) => verbsOf(operation).includes(verb))
  );
}

const suggestedAtMost = 2;

/** In letters. */
const shortestBeginning = 3;

/**
 * The operations that a verb may mean which none has: up to two. A verb resembles another if it begins it or has few typing
 * mistakes. The same verb of another command comes before similar verbs, and verbs of this command before those of others. A
 * verb that undoes another, such as “unsupend”, never means the other.
 */
export function nearestVerbs(operations: readonly Operation[], command: string, typed: string): Operation[] {
  const verb = typed.toLowerCase();
  const meant = severalMeanings[`${command} ${verb}`];
  if (meant) return meant.flatMap((wanted) => operations.filter(({ name }) => name === wanted));
  const [, undone] = /^(?:un|de|dis)-?(\p{L}.*)$/u.exec(verb) ?? [];
  const refused = undone === undefined ? [] : nearestTo(operations, command, undone);
  const found = nearestTo(operations, command, verb).filter((operation) => !refused.includes(operation));
  const opposite = operations.filter(({ name }) => refused.some((operation) => operation.opposite === name));
  return [...new Set([...found, ...opposite])].slice(0, suggestedAtMost);
}

function nearestTo(operations: readonly Operation[], command: string, wanted: string): Operation[] {
  const mistakesAtMost = tolerated(wanted);
  const near = operations.filter(isTyped).flatMap((operation) => {
    const isHere = commandAndVerb(operation).command === command;
    const [own = '', ...others] = verbsOf(operation);
    const mistakes = mistakesIn(own, mistakesAtMost);
    const inOthers = Math.min(...others.map((verb) => mistakesIn(verb, Math.min(1, mistakesAtMost))));
    const distance = Math.min(4 * mistakes, 4 * inOthers + 1) + (isHere ? 0 : 2);
    return Number.isFinite(distance) ? [{ operation, distance }] : [];
  });
  const least = Math.min(...near.map(({ distance }) => distance));
  return near
    .filter(({ distance }) => distance === least)
    .slice(0, suggestedAtMost)
    .map(({ operation }) => operation);

  function mistakesIn(verb: string, atMost: number): number {
    const isBeginning = wanted.length >= shortestBeginning && verb.startsWith(wanted);
    const mistakes = isBeginning ? Math.min(1, verb.length - wanted.length) : typingDistance(wanted, verb, atMost);
    return mistakes > atMost ? Infinity : mistakes;
  }
}

/** Whether nothing says what a change is about, nor does the place. */
export function saysNothing({ access, fields }: Operation, given: Readonly<Record<string, unknown>>): boolean {
  const named = Object.entries(fields).filter(([name, field]) => kindOf(field).followsFromPlace || name in given);
  return access !== 'read' && named.length === 0 && Object.keys(fields).length > 0;
}
