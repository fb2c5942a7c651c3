import { typingDistance } from '../domain/typing-distance.ts';
import { baseAddress } from './values.ts';
import { secretNames, variables } from './variables.ts';

const known = Object.keys(variables.shape);
const readNames: ReadonlySet<string> = new Set([...known, ...secretNames.map((name) => `${name}_FILE`)]);
const areOfBot = /^(?:SLACK|QUIZ|WEBHOOK)_/;

/** A value as it is meant: files of variables that Docker reads keep quotation marks and the ends of lines of Windows. */
export function asMeant(name: string, value: string): string {
  const text = value.trim();
  return readNames.has(name) && isQuoted(text) ? text.slice(1, -1).trim() : text;
}

/** What an operator probably meant otherwise, though the bot starts: a sentence each, without a value. */
export function noticesOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const set = Object.entries(env).filter((entry): entry is [string, string] => (entry[1] ?? '').trim() !== '');
  const namesWhere = (is: (value: string) => boolean) =>
    set.flatMap(([name, value]) => (readNames.has(name) && is(value) ? [name] : [])).join(', ');
  const quoted = namesWhere((value) => isQuoted(value.trim()));
  const ended = namesWhere((value) => /\r\s*$/.test(value));
  return [
    ...(quoted === ''
      ? []
      : [`The values of ${quoted} are in quotation marks, which the bot takes off: remove them from the file.`]),
    ...(ended === ''
      ? []
      : [
          `The values of ${ended} end with a carriage return, which the bot takes off: save the file with Unix line ends.`,
        ]),
    ...set.flatMap(([name]) => noticeOfName(name, env)),
    ...noticeOfAddress(env['QUIZ_API_URL']),
  ];
}

function noticeOfAddress(address: string | undefined): string[] {
  const given = asMeant('QUIZ_API_URL', address ?? '');
  const added = given.slice(baseAddress(given).length);
  return added === '' ? [] : [`QUIZ_API_URL ends with ${added}, which the bot adds itself: remove it there.`];
}

function noticeOfName(name: string, env: Readonly<Record<string, string | undefined>>): string[] {
  if (readNames.has(name)) return [];
  const base = name.replace(/_FILE$/, '');
  if (base !== name && known.includes(base))
    return [`${name} is not read, because only secrets may be files: set ${base} to its value.`];
  const meant = [...readNames].find((one) => env[one] === undefined && isNearly(name, one));
  return meant === undefined ? [] : [`${name} is no variable of the bot, so it is not read. ${meant} may be meant.`];
}

/** Names of other programs are told apart by fewer mistakes than those that can only be meant for the bot. */
function isNearly(name: string, meant: string): boolean {
  if (name.length < 6) return false;
  if (!areOfBot.test(name)) return typingDistance(name, meant, 1) <= 1;
  const parts = name.split('_');
  const ofMeant = meant.split('_');
  return typingDistance(name, meant, 2) <= 2 || (parts.length > 1 && parts.every((part) => ofMeant.includes(part)));
}

function isQuoted(text: string): boolean {
  return text.length > 1 && /^(["']).*\1$/s.test(text);
}
