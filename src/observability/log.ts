import { pino, type Logger } from 'pino';
import { currentWork } from './work.ts';
import { inEnglish } from '../domain/said.ts';

export type Log = Logger;

/**
 * Writes JSON lines to standard output, or lines for a person to a terminal. Every line names the work it belongs to.
 * `secrets`, and text that looks like a secret or personal data, are removed from every line wherever they appear (a
 * header in the error of a library, an address that contains a token).
 */
export function createLog(options: {
  level: string;
  secrets: readonly string[];
  /** Shapes of secrets beside the common ones. */
  secretPatterns?: readonly SecretPattern[];
  /** Default: JSON. */
  terminal?: { isColored: boolean } | undefined;
  /** Which errors have a line of their own: what follows from them is no warning. Default: none. */
  hasOwnLine?: (error: unknown) => boolean;
  write?: (line: string) => void;
}): Log {
  const write = options.write ?? ((line) => process.stdout.write(line));
  const redact = createRedaction(options.secrets, options.secretPatterns);
  const format = options.terminal ? createTerminalLine(options.terminal) : (line: string) => line;
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError, err: describeError },
      redact: { paths: redactedPaths, censor: redacted },
      mixin: () => ({ ...currentWork() }),
      hooks: {
        logMethod(args, method, level) {
          const isFollowing =
            level === warning && causesOf(Object(args[0]).error).some(options.hasOwnLine ?? (() => false));
          (isFollowing ? this.debug : method).apply(this, args);
        },
      },
    },
    { write: (line: string) => write(format(shortened(inEnglish(redact(line))))) },
  );
}

const warning = 40;

function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}

const longestLine = 32 * 1024;
const [longestValue, mostItems] = [4 * 1024, 50];

/** Cuts the values of a line that is too long. After the redaction, which would not find half of a secret. */
function shortened(line: string): string {
  if (line.length <= longestLine) return line;
  return `${JSON.stringify(cut(JSON.parse(line), 0))}\n`;
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > 5) return '…';
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => cut(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, mostItems)
      .map(([name, item]) => [name, cut(item, depth + 1)]),
  );
}

/** An error as the log has it, with its causes. */
interface LoggedError {
  name: string;
  message: string;
  code?: string;
  stack?: string | undefined;
  cause?: LoggedError | string;
}

/** Leaves out all other properties of an error: libraries keep requests with their credentials there. */
function describeError(error: unknown): LoggedError | string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { name, message, ...(code && { code }), stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}

/** A parsed line of the log. */
interface Entry {
  time: string;
  level: string;
  msg?: string;
  error?: LoggedError | string;
  err?: LoggedError | string;
}

const levelColors: Record<string, number> = { trace: 90, debug: 36, info: 32, warn: 33, error: 31, fatal: 31 };
const dim = 90;

/** Formats a line for a person: time (UTC), level, message and the other fields; below them the error, if any. */
function createTerminalLine({ isColored }: { isColored: boolean }): (line: string) => string {
  const paint = (color: number, text: string) => (isColored ? `\u001B[${color}m${text}\u001B[0m` : text);

  return (line) => {
    const { time, level, msg, error, err, ...fields } = JSON.parse(line) as Entry;
    const parts = [
      paint(dim, time.slice(11, 23)),
      paint(levelColors[level] ?? 0, level.toUpperCase().padEnd(5)),
      ...(msg === undefined ? [] : [onOneLine(msg)]),
      ...Object.entries(fields).map(([name, value]) => paint(dim, `${name}=${fieldText(value)}`)),
    ];
    return [parts.join(' '), ...errorLines(error ?? err), ''].join('\n');
  };
}

/** Without quotes where that is unambiguous, otherwise as JSON. */
function fieldText(value: unknown): string {
  return onOneLine(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));
}

function errorLines(error: LoggedError | string | undefined): string[] {
  if (error === undefined) return [];
  if (typeof error === 'string') return [`    ${onOneLine(error)}`];
  const { name, message, code, stack = `${name}: ${message}`, cause } = error;
  const text = code === undefined ? stack : `${stack} (${code})`;
  return [...text.split('\n').map((line) => `    ${onOneLine(line)}`), ...errorLines(cause)];
}

/** Keeps text from outside from moving the cursor or changing colors. */
function onOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}

export const redacted = '[redacted]';

/** Names of fields that give access. */
const secretFields = [
  'password',
  'passwd',
  'secret',
  'signing_secret',
  'token',
  'access_token',
  'refresh_token',
  'bot_token',
  'api_key',
  'apiKey',
  'x-api-key',
  'authorization',
  'cookie',
  'set-cookie',
  'access_code',
  'response_url',
  'responseUrl',
  'trigger_id',
];
/** Names of fields that identify a person, or hold where they are or what they answered. */
const personalFields = [
  'first_name',
  'firstName',
  'last_name',
  'lastName',
  'full_name',
  'real_name',
  'display_name',
  'user_name',
  'username',
  'email',
  'email_address',
  'emailAddress',
  'ip_address',
  'ipAddress',
  'answer',
];
/** Names of fields that are removed with everything in them. */
const wholeFields = ['headers', 'answers', 'questions', 'form', 'body', 'payload'];

/** For pino's `redact`: the first two levels of a line. `createRedaction` finds single fields at any depth. */
const redactedPaths = wholeFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`]);

const fieldNames = [...secretFields, ...personalFields].map((field) => RegExp.escape(field)).join('|');
/** A field of the line, with a string or a number. */
const field = new RegExp(String.raw`("(?:${fieldNames})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|[-\d.]+)`, 'gi');
/** A field in JSON inside a string of the line: every quote has a backslash, and every backslash a second one. */
const fieldInText = new RegExp(
  String.raw`(\\"(?:${fieldNames})\\"\s*:\s*)(?:\\"(?:[^"\\]|\\\\(?:\\["\\]|[^"\\]))*\\"|[-\d.]+)`,
  'gi',
);
const inForm =
  /((?:password|passwd|secret|token|api_?key|access_code|signature|trigger_id|response_url)=)(?:\\["/]|[^\s"\\&])+/gi;

export interface SecretPattern {
  /** A line without any of these cannot match. Searching for a string is much faster than matching a pattern. */
  hints: readonly string[];
  pattern: RegExp;
  /** `$1` is the part that stays. */
  replacement: string;
}

const commonPatterns: readonly SecretPattern[] = [
  { hints: ['"'], pattern: field, replacement: `$1"${redacted}"` },
  { hints: [String.raw`\"`], pattern: fieldInText, replacement: String.raw`$1\"${redacted}\"` },
  { hints: ['='], pattern: inForm, replacement: `$1${redacted}` },
  {
    hints: ['earer', 'EARER', 'asic ', 'ASIC '],
    pattern: /\b((?:bearer|basic)(?: +|%20|\+))[^\s"'\\,;<>]+/gi,
    replacement: `$1${redacted}`,
  },
  { hints: ['://'], pattern: /(:\/\/)[^\s"'\\/@]{1,500}@/g, replacement: `$1${redacted}@` },
  // A name within a sentence, as `named` marks it. The messages of some errors are sentences for people.
  { hints: ['\u2068'], pattern: /\u2068[^\u2068\u2069]*\u2069/g, replacement: redacted },
];

/**
 * Removes from a line of JSON the configured secrets, what looks like a password, token or e-mail address, and what
 * `morePatterns` match. The line stays JSON.
 */
export function createRedaction(
  secrets: readonly string[],
  morePatterns: readonly SecretPattern[] = [],
): (line: string) => string {
  const removeSecrets = createSecretRemover(secrets);
  const patterns = [...commonPatterns, ...morePatterns];
  return (line) => {
    let clean = removeSecrets(line);
    for (const { hints, pattern, replacement } of patterns) {
      if (hints.some((hint) => clean.includes(hint))) clean = clean.replace(pattern, replacement);
    }
    return clean.includes('@') || clean.includes('%40') ? removeAddresses(clean) : clean;
  };
}

function createSecretRemover(secrets: readonly string[]): (line: string) => string {
  const forms = secrets.flatMap((secret) =>
    [inJson(secret), inJson(inJson(secret)), encodeURIComponent(secret)].map((form) => ({
      form,
      pattern: secret.length < removedAnywhere ? wholeToken(form) : RegExp.escape(form),
    })),
  );
  // The longest first: if one secret begins with another, the rest of it would stay.
  const alternatives = new Set(forms.toSorted((a, b) => b.form.length - a.form.length).map(({ pattern }) => pattern));
  if (alternatives.size === 0) return (line) => line;
  const pattern = new RegExp([...alternatives].join('|'), 'g');
  return (line) =>
    line.replace(pattern, (_match, offset: number) => line.slice(offset, endOfEscape(line, offset)) + redacted);
}

/** In characters. A shorter secret can be a part of words, which the log would lose everywhere. */
const removedAnywhere = 8;

/** Matches the text where no letter, digit or underscore is beside it, except those of an escape such as `\n` or `%20`. */
function wholeToken(form: string): string {
  const word = String.raw`[A-Za-z0-9_]`;
  const escape = String.raw`\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2}`;
  return String.raw`(?:(?<!${word})|(?<=${escape}))${RegExp.escape(form)}(?!${word})`;
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const atSign = /@|%40/gi;
const longestLocalPart = 64;
/** Sticky: matches at `lastIndex` only. */
const domain = /[^\s"'\\<>()[\],;:@/?#&%|{}=]{1,253}/y;
const endsLocalPart = /[\s"\\<>()[\],;:@]/;

/** Not a single pattern: on a long text, that would search for the start of an address from every letter. */
function removeAddresses(line: string): string {
  let clean = '';
  let done = 0;
  for (const { index: at, 0: sign } of line.matchAll(atSign)) {
    if (at < done) continue;
    domain.lastIndex = at + sign.length;
    // A slash precedes the @ of a package, as in `node_modules/@scope`.
    if (line[at - 1] === '/' || !domain.test(line)) continue;
    const end = domain.lastIndex;
    let start = at;
    while (start > done && at - start < longestLocalPart && !endsLocalPart.test(line[start - 1] ?? '')) start -= 1;
    start = endOfEscape(line, start);
    if (start >= at) continue;
    clean += line.slice(done, start) + redacted;
    done = end;
  }
  return clean + line.slice(done);
}

/** The end of the JSON escape that contains a place of the line, or the place itself outside escapes: the `n` of `\n` is no letter. */
function endOfEscape(line: string, place: number): number {
  const [begun] = /\\u?[\da-f]{0,3}$/i.exec(line.slice(Math.max(0, place - 5), place)) ?? [];
  if (begun === undefined) return place;
  const backslash = place - begun.length;
  let before = backslash;
  while (line[before - 1] === '\\') before -= 1;
  if ((backslash - before) % 2 === 1) return place;
  const length = line[backslash + 1] === 'u' ? 6 : 2;
  return Math.max(place, backslash + length);
}
