import type { RawInput } from '../governance/read-input.ts';
import type { Operation } from '../operations/operation.ts';

/** What somebody typed after a slash command. */
export type CommandLine =
  | { kind: 'help' }
  | { kind: 'operation'; operation: Operation; raw: RawInput }
  | { kind: 'unknown'; verb: string };

/** The slash command and the verb of an operation: `/quiz` and `close` of `/quiz close <quiz>`. */
export function commandAndVerb(operation: Operation): { command: string; verb: string } {
  const [command = '', verb = ''] = operation.command.split(' ');
  return { command, verb };
}

/** Reads what was typed after `command`, among the operations that have it. */
export function parseCommandLine(operations: readonly Operation[], command: string, text: string): CommandLine {
  const typed = unescapeTyped(text).trim();
  const [verb, rest] = splitOnce(typed);
  if (verb === '' || verb.toLowerCase() === 'help') return { kind: 'help' };
  const operation = operations.find((candidate) => {
    const own = commandAndVerb(candidate);
    return own.command === command && own.verb === verb.toLowerCase();
  });
  if (operation === undefined) return { kind: 'unknown', verb };
  const [field] = Object.keys(operation.fields);
  return { kind: 'operation', operation, raw: field === undefined ? {} : { [field]: unquote(rest) } };
}

function splitOnce(text: string): [string, string] {
  const space = text.search(/\s/);
  return space === -1 ? [text, ''] : [text.slice(0, space), text.slice(space).trim()];
}

/** Phones turn straight quotes into curly ones; some languages have their own. */
function unquote(text: string): string {
  return /^(["“”„«»']|‘|’)(.*)(["“”«»']|‘|’)$/su.exec(text)?.[2]?.trim() ?? text;
}

/** Slack escapes what is typed as it does in messages, and puts angle brackets around what looks like an address. */
function unescapeTyped(text: string): string {
  return text
    .replaceAll(/<((?:https?|mailto):[^>|]*)(?:\|([^>]*))?>/g, (_, address: string, label?: string) => label ?? address)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
