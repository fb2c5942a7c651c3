import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { secretNames, variables } from './variables.ts';
import { typingDistance } from '../domain/typing-distance.ts';
import { baseAddress } from './values.ts';

/** Other programs read these names in lower case, and then those count first. */
const inLowerCase = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];

/** Variables that are a token of Slack, or say themselves what else they must be. */
const maySayToken = /^(?:SLACK_|QUIZ_API_KEY$)/;

/**
 * The variables that are set to something.
 *
 * @returns `set`: as the environment has them; `given`: with the secrets that stand in files; `fileFaults`: by variable, a sentence
 *   for each file that cannot be used, and each token of Slack where none belongs
 */
export function givenIn(env: Record<string, string | undefined>) {
  const lower = inLowerCase.filter((name) => env[name.toLowerCase()] !== undefined);
  const named = { ...env, ...Object.fromEntries(lower.map((name) => [name, env[name.toLowerCase()]])) };
  const set = Object.fromEntries(
    Object.entries(named)
      .map(([name, value]) => [name, value === undefined ? undefined : asMeant(name, value)])
      .filter(([, value]) => value !== '' && value !== undefined),
  ) as Record<string, string>;
  const { secrets, faults: fileFaults } = readSecretFiles(set, secretNames);
  const given: Record<string, string> = { ...set, ...secrets };
  for (const name of Object.keys(variables.shape)) {
    if (maySayToken.test(name) || !/^(?:xox|xapp-)/.test(given[name] ?? '')) continue;
    // Sentences about values of other forms may repeat them.
    delete given[name];
    fileFaults[name] = `${name} is a token of Slack. Set it to a value of its own.`;
  }
  return { set, given, fileFaults };
}

/**
 * Reads the secrets that are given as files: `QUIZ_API_KEY_FILE` names the file that holds `QUIZ_API_KEY`. A file keeps a
 * secret out of `docker inspect`, of the list of processes and of what a child process inherits.
 *
 * @param given variables with their values, none of them empty
 * @param names variables that may be given as a file
 * @returns the secrets by variable; and where a file cannot be used, one sentence by variable, without the secret
 */
function readSecretFiles(
  given: Readonly<Record<string, string>>,
  names: readonly string[],
): { secrets: Record<string, string>; faults: Record<string, string> } {
  const secrets: Record<string, string> = {};
  const faults: Record<string, string> = {};
  for (const name of names) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] === undefined) {
      const read = readSecret(path);
      if ('secret' in read) secrets[name] = read.secret;
      else faults[name] = `${name}_FILE names ${path}, ${read.fault}`;
    } else {
      faults[name] = `${name} and ${name}_FILE are both set. Unset ${name} to use the file, or ${name}_FILE.`;
    }
  }
  return { secrets, faults };
}

function readSecret(path: string): { secret: string } | { fault: string } {
  let text: string | undefined;
  try {
    text = textOfFile(path);
  } catch (error) {
    return { fault: reasonOf(error) };
  }
  if (text === undefined) return { fault: 'which is no ordinary file. Write the secret into one, and name that.' };
  // Editors and `echo` end a file with a line break. Variables are trimmed likewise.
  const secret = text.trim();
  if (secret === '') return { fault: 'which is empty. Write the secret into it.' };
  if (/[\r\n]/.test(secret)) return { fault: 'which has several lines. Write the secret into it, and nothing else.' };
  return { secret };
}

/** Undefined for a pipe or a device: reading it could wait for ever, and nothing else would start. */
function textOfFile(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    return found.isFile() || found.isDirectory() ? readFileSync(file, 'utf8') : undefined;
  } finally {
    closeSync(file);
  }
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'which does not exist. Create the file with the secret in it, or correct the path.';
    case 'EACCES':
    case 'EPERM':
      return `which the bot’s user${idOfUser()} may not read. Let that user read the file and enter its folder.`;
    case 'EISDIR':
      return 'which is a folder. Name the file in it that holds the secret.';
    default:
      return `which cannot be read (${code ?? String(error)}). Name a file that holds the secret.`;
  }
}

function idOfUser(): string {
  const uid = process.getuid?.();
  return uid === undefined ? '' : ` (${uid})`;
}

const known = Object.keys(variables.shape);
const readNames: ReadonlySet<string> = new Set([...known, ...secretNames.map((name) => `${name}_FILE`)]);
const areOfBot = /^(?:SLACK|QUIZ|WEBHOOK)_/;

/** A value as it is meant: files of variables that Docker reads keep quotation marks and the ends of lines of Windows. */
function asMeant(name: string, value: string): string {
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
  const unread = `${name} is no variable of the bot, so it is not read.`;
  const meant = [...readNames].find((one) => env[one] === undefined && isNearly(name, one));
  if (meant !== undefined) return [`${unread} ${meant} may be meant.`];
  const given = areOfBot.test(name) && [...readNames].find((one) => typingDistance(name, one, 2) <= 2);
  return given ? [`${unread} ${given}, which is set, may be meant.`] : [];
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
