import { tolerated, typingDistance } from '../directory/nearest-names.ts';
import { InvalidInputError } from '../operations/errors.ts';
import { kindOf } from '../operations/fields/fields.ts';
import type { Operation } from '../operations/operation.ts';
import { reasonField, type TextInput } from '../operations/text-input.ts';
import { mentionsInWords, tokenize, unquote } from '../operations/typed-text.ts';
import { readMarkup } from './incoming-text.ts';

/** What a person typed after a slash command. */
export type CommandLine =
  | { kind: 'help'; isWhole: boolean }
  /** Every way to read the line, the likeliest first. */
  | { kind: 'operation'; operation: Operation; inputs: [TextInput, ...TextInput[]] }
  /** `rest` is what follows the verb, in Slack’s markup. */
  | { kind: 'unknown'; verb: string; rest: string }
  /** The operation cannot read what was typed after its verb; the message, in plain text, says what to do. */
  | { kind: 'unreadable'; operation: Operation; message: string };

/** The slash command and the verb of an operation: `/quiz` and `close` of `/quiz close <quiz>`. */
export function commandAndVerb(operation: Operation): { command: string; verb: string } {
  const [command = '', verb = ''] = operation.command.split(' ');
  return { command, verb };
}

/** Whether people can type it. */
export function isTyped(operation: Operation): boolean {
  return operation.isTyped !== false;
}

/**
 * Matches a slash command of the manifest, also with another name before its ending: `/exam-user` for `/quiz-user`. If
 * two apps have the same command, Slack sends it to the one installed last, so the commands can be renamed.
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

/** Reads what was typed after `command`, among the operations that have it. */
export function parseCommandLine(operations: readonly Operation[], command: string, text: string): CommandLine {
  const { verb, rest } = verbOf(readMarkup(text), operations);
  if (verb === '' || verb.toLowerCase() === 'help')
    return { kind: 'help', isWhole: rest.trim().toLowerCase() === 'all' };
  const operation = operations.find((candidate) => {
    const own = commandAndVerb(candidate);
    return isTyped(candidate) && own.command === command && own.verb === verb.toLowerCase();
  });
  if (operation === undefined) return { kind: 'unknown', verb, rest: splitVerb(text).rest };
  const { line, reason } = splitReason(rest);
  try {
    const [likeliest, ...others] = parseArguments(operation, line).map((input) => ({
      ...input,
      ...(reason && { [reasonField]: [reason] }),
    }));
    return { kind: 'operation', operation, inputs: [likeliest!, ...others] };
  } catch (error) {
    if (error instanceof InvalidInputError) return { kind: 'unreadable', operation, message: error.message };
    throw error;
  }
}

/** Verbs with a hyphen can be typed as two words: `suspend group` for `suspend-group`. The name after them follows in quotes or as it is. */
function verbOf(text: string, operations: readonly Operation[]): { verb: string; rest: string } {
  const first = splitVerb(text);
  const second = splitVerb(first.rest);
  const both = `${first.verb}-${second.verb}`.toLowerCase();
  const isGroup =
    second.verb.toLowerCase() === 'group' &&
    operations.some((operation) => isTyped(operation) && commandAndVerb(operation).verb === both);
  return isGroup ? { verb: both, rest: second.rest } : first;
}

function splitVerb(text: string): { verb: string; rest: string } {
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(text.trim()) ?? [];
  return { verb, rest };
}

const suggestedAtMost = 2;

/**
 * The operations whose verbs the typed one resembles most: up to two. A verb resembles another if it begins it or has few
 * typing mistakes. The same verb of another command comes before similar verbs, and verbs of this command before those of
 * others.
 */
export function nearestVerbs(operations: readonly Operation[], command: string, typed: string): Operation[] {
  const wanted = typed.toLowerCase();
  const mistakesAtMost = tolerated(wanted);
  const near = operations.filter(isTyped).flatMap((operation) => {
    const own = commandAndVerb(operation);
    const isBeginning = wanted.length >= shortestBeginning && own.verb.startsWith(wanted);
    const mistakes = isBeginning
      ? Math.min(1, own.verb.length - wanted.length)
      : typingDistance(wanted, own.verb, mistakesAtMost);
    return mistakes > mistakesAtMost ? [] : [{ operation, distance: 2 * mistakes + (own.command === command ? 0 : 1) }];
  });
  const least = Math.min(...near.map(({ distance }) => distance));
  return near
    .filter(({ distance }) => distance === least)
    .slice(0, suggestedAtMost)
    .map(({ operation }) => operation);
}

/** In letters. */
const shortestBeginning = 3;

/** Splits off `--reason "…"` at the end. Phones make one dash of the two. */
function splitReason(text: string): { line: string; reason: string | undefined } {
  const reasonMark = /^(?:--|—|–)reason(?:=|$)/;
  const mark = tokenize(text).find(({ kind, text: word }) => kind === 'word' && reasonMark.test(word));
  const [found] = reasonMark.exec(mark?.text ?? '') ?? [];
  if (mark === undefined || found === undefined) return { line: text, reason: undefined };
  return { line: text.slice(0, mark.start), reason: mentionsInWords(unquote(text.slice(mark.start + found.length))) };
}

/** Each way to part a line is looked up in the directory, so a line of nothing but “to” must not have hundreds. */
const waysAtMost = 20;

/**
 * Parts `Intro to safety to Rosa` for `<quiz> to <to>`: most likely at the last “to”. The others are tried when that
 * makes no sense, and the whole line when the second thing is optional. Nothing parts quoted texts and mentions.
 */
function parseArguments(operation: Operation, line: string): readonly [TextInput, ...TextInput[]] {
  if (operation.parse) return operation.parse(line);
  const [, , first, separator, second] = operation.command.replace(/ …$/, '').split(' ');
  const read = (placeholder: string | undefined, part: string): TextInput => {
    const name = placeholder?.slice(1, -1) ?? '';
    const field = operation.fields[name];
    return field ? { [name]: kindOf(field).split(part, field) } : {};
  };
  const whole = read(first, line);
  if (separator === undefined) return [whole];
  const [likeliest, ...others] = tokenize(line)
    .filter(({ kind, text }) => kind === 'word' && text.toLowerCase() === separator)
    .slice(-waysAtMost)
    .toReversed()
    .map(({ start, end }) => ({ ...read(first, line.slice(0, start)), ...read(second, line.slice(end)) }));
  if (likeliest === undefined) return [whole];
  return second?.startsWith('[') ? [likeliest, ...others, whole] : [likeliest, ...others];
}
