import type { TextInput } from '../governance/resolve-input.ts';
import { InvalidInputError, reasonField, type Operation } from '../operations/operation.ts';

/** What somebody typed after a slash command. */
export type CommandLine =
  | { kind: 'help' }
  /** Every way to read the line, the likeliest first. */
  | { kind: 'operation'; operation: Operation; inputs: [TextInput, ...TextInput[]] }
  | { kind: 'unknown'; verb: string }
  /** The operation cannot read what was typed after its verb; the sentence, in plain text, says what to do. */
  | { kind: 'unreadable'; operation: Operation; message: string };

/** The slash command and the verb of an operation: `/quiz` and `close` of `/quiz close <quiz>`. */
export function commandAndVerb(operation: Operation): { command: string; verb: string } {
  const [command = '', verb = ''] = operation.command.split(' ');
  return { command, verb };
}

/** Reads what was typed after `command`, among the operations that have it. */
export function parseCommandLine(operations: readonly Operation[], command: string, text: string): CommandLine {
  const typed = unescapeTyped(text).trim();
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(typed) ?? [];
  if (verb === '' || verb.toLowerCase() === 'help') return { kind: 'help' };
  const operation = operations.find((candidate) => {
    const own = commandAndVerb(candidate);
    return own.command === command && own.verb === verb.toLowerCase();
  });
  if (operation === undefined) return { kind: 'unknown', verb };
  const { text: given, reason } = splitReason(rest);
  try {
    const [likeliest, ...others] = parseArguments(operation, given).map((raw) => ({ ...raw, ...(reason && { [reasonField]: [reason] }) }));
    return { kind: 'operation', operation, inputs: [likeliest!, ...others] };
  } catch (error) {
    if (error instanceof InvalidInputError) return { kind: 'unreadable', operation, message: error.message };
    throw error;
  }
}

/** `--reason "…"` at the end says why; phones make one dash of the two. */
function splitReason(text: string): { text: string; reason: string | undefined } {
  const [, before = text, reason] = /^(.*?)(?:^|\s)(?:--|—|–)reason(?:\s+|=)(.*)$/su.exec(text) ?? [];
  return { text: before, reason: reason && unquote(reason) };
}

/**
 * `Intro to safety to Rosa` for `<quiz> to <to>`: the last “to” is the likeliest to part the two, the
 * others are tried where that makes no sense, and none where the second may be left out. What is quoted or a
 * mention is never parted.
 */
function parseArguments(operation: Operation, text: string): [TextInput, ...TextInput[]] {
  if (operation.parse) return [operation.parse(text)];
  const [, , first, separator, second] = operation.command.replace(/ …$/, '').split(' ');
  const read = (placeholder: string | undefined, part: string): TextInput => {
    const name = placeholder?.slice(1, -1) ?? '';
    const field = operation.fields[name];
    return field ? { [name]: field.kind === 'assignees' ? splitList(part) : [unquote(part)] } : {};
  };
  const whole = read(first, text);
  if (separator === undefined) return [whole];
  const [likeliest, ...others] = placesOf(separator, text)
    .toReversed()
    .map(({ start, end }) => ({ ...read(first, text.slice(0, start)), ...read(second, text.slice(end)) }));
  if (likeliest === undefined) return [whole];
  return second?.startsWith('[') ? [likeliest, ...others, whole] : [likeliest, ...others];
}

const quoted = String.raw`["“”„«»][^"“”„«»]*["“”«»]|<@[^>]*>`;

function placesOf(word: string, text: string): { start: number; end: number }[] {
  const pattern = new RegExp(String.raw`${quoted}|(?<=^|\s)(${word})(?=\s|$)`, 'giu');
  return [...text.matchAll(pattern)]
    .filter(([, found]) => found !== undefined)
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

/** Several things, separated by commas; mentions need none. */
function splitList(text: string): string[] {
  const pattern = new RegExp(`${quoted}|[^,;<"“”„«»]+`, 'gu');
  return (text.match(pattern) ?? []).map(unquote).filter((part) => part !== '');
}

/** Phones turn straight quotes into curly ones; some languages have their own. */
function unquote(text: string): string {
  const trimmed = text.trim();
  return /^(["“”„«»']|‘|’)(.*)(["“”«»']|‘|’)$/su.exec(trimmed)?.[2]?.trim() ?? trimmed;
}

/** Slack escapes what is typed as it does in messages, and puts angle brackets around what looks like an address. */
function unescapeTyped(text: string): string {
  return text
    .replaceAll(/<((?:https?|mailto):[^>|]*)(?:\|([^>]*))?>/g, (_, address: string, label?: string) => label ?? address)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
