import { pino, type Logger } from 'pino';
import { inEnglish } from '../domain/said.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { SetTimer } from '../time/clock.ts';

export type Log = Logger;

/**
 * Writes JSON lines to standard output. Every line names the work it belongs to. `secrets`, and text that looks like a secret or
 * personal data, are removed from every line wherever they appear (a header in the error of a library, an address that contains
 * a token).
 */
export function createLog(options: {
  level: string;
  secrets: readonly string[];
  /** Shapes of secrets beside the common ones. */
  secretPatterns?: readonly RegExp[];
  /** Which errors have a line of their own: what follows from them is no warning. Default: none. */
  hasOwnLine?: (error: unknown) => boolean;
  write?: (line: string) => void;
}): Log {
  const write = options.write ?? ((line) => process.stdout.write(line));
  const redact = createRedaction(options.secrets, options.secretPatterns);
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError, err: describeError },
      mixin: () => ({ ...currentWork() }),
      hooks: {
        logMethod(args, method, level) {
          const isFollowing =
            level === warning && causesOf(Object(args[0]).error).some(options.hasOwnLine ?? (() => false));
          (isFollowing ? this.debug : method).apply(this, args);
        },
      },
    },
    {
      write: (line: string) => write(`${JSON.stringify(clean(JSON.parse(line), redact, line.length > longestLine))}\n`),
    },
  );
}

const warning = 40;

function causesOf(error: unknown): unknown[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
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

/** The values of a longer line are cut. */
const longestLine = 32 * 1024;
const [longestValue, mostItems, deepest] = [4 * 1024, 50, 6];

/** Removes from what a line holds what must not be in a log, and cuts it after that: half of a secret would not be found. */
function clean(value: unknown, redact: (text: string) => string, isLong: boolean, depth = 0): unknown {
  if (typeof value === 'string') {
    const text = inEnglish(redact(value));
    return isLong && text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isLong && depth >= deepest) return '…';
  const atMost = isLong ? mostItems : Infinity;
  if (Array.isArray(value)) return value.slice(0, atMost).map((item) => clean(item, redact, isLong, depth + 1));
  const fields = Object.entries(value).slice(0, atMost);
  return Object.fromEntries(
    fields.map(([name, item]) => [
      redact(name),
      isHidden(name, item) ? redacted : clean(item, redact, isLong, depth + 1),
    ]),
  );
}

const redacted = '[redacted]';

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
const wholeFields = new Set(['headers', 'answers', 'questions', 'form', 'body', 'payload']);

const hiddenFields = new Set([...secretFields, ...personalFields].map((field) => field.toLowerCase()));

function isHidden(name: string, value: unknown): boolean {
  return wholeFields.has(name) || (hiddenFields.has(name.toLowerCase()) && /string|number/.test(typeof value));
}

/** Each matches what is removed, and no more. */
const commonPatterns: readonly RegExp[] = [
  // A field in JSON that is a text.
  new RegExp(
    String.raw`(?<="(?:${[...hiddenFields].map((field) => RegExp.escape(field)).join('|')})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|[-\d.]+)`,
    'gi',
  ),
  /(?<=(?:password|passwd|secret|token|api_?key|access_code|signature|trigger_id|response_url)=)(?:\\["/]|[^\s"\\&])+/gi,
  /(?<=\b(?:bearer|basic)(?: +|%20|\+))[^\s"'\\,;<>]+/gi,
  /(?<=:\/\/)[^\s"'\\/@]{1,500}(?=@)/g,
  // A name within a sentence, as `named` marks it. The messages of some errors are sentences for people.
  /\u2068[^\u2068\u2069]*\u2069/g,
];

/**
 * Removes from a text the configured secrets, what looks like a password, token or e-mail address, and what `morePatterns`
 * match.
 */
export function createRedaction(
  secrets: readonly string[],
  morePatterns: readonly RegExp[] = [],
): (text: string) => string {
  const patterns = [...patternOfSecrets(secrets), ...commonPatterns, ...morePatterns];
  return (text) => {
    let safe = text;
    for (const pattern of patterns) safe = safe.replace(pattern, redacted);
    return safe.includes('@') || safe.includes('%40') ? withoutAddresses(safe) : safe;
  };
}

/** In characters. A shorter secret can be a part of words, which the log would lose everywhere. */
const removedAnywhere = 8;

/** The secrets as they are, in JSON that is a text, and in an address. */
function patternOfSecrets(secrets: readonly string[]): RegExp[] {
  const forms = secrets.flatMap((secret) =>
    [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)].map((form) => ({
      form,
      pattern: secret.length < removedAnywhere ? wholeToken(form) : RegExp.escape(form),
    })),
  );
  // The longest first: if one secret begins with another, the rest of it would stay.
  const alternatives = new Set(forms.toSorted((a, b) => b.form.length - a.form.length).map(({ pattern }) => pattern));
  return alternatives.size === 0 ? [] : [new RegExp([...alternatives].join('|'), 'g')];
}

/** Matches the text where no letter, digit or underscore is beside it, except those of an escape such as `\n` or `%20`. */
function wholeToken(form: string): string {
  const word = String.raw`[A-Za-z0-9_]`;
  const escape = String.raw`\\[bfnrt]|\\u[\da-fA-F]{4}|%[\da-fA-F]{2}`;
  return String.raw`(?:(?<!${word})|(?<=${escape}))${RegExp.escape(form)}(?!${word})`;
}

const atSign = /@|%40/gi;
const longestLocalPart = 64;
/** Sticky: matches at `lastIndex` only. */
const domain = /[^\s"'\\<>()[\],;:@/?#&%|{}=]{1,253}/y;
const endsLocalPart = /[\s"\\<>()[\],;:@]/;

/** Not a single pattern: on a long text, that would search for the start of an address from every letter. */
function withoutAddresses(text: string): string {
  let kept = '';
  let done = 0;
  for (const { index: at, 0: sign } of text.matchAll(atSign)) {
    if (at < done) continue;
    domain.lastIndex = at + sign.length;
    // A slash precedes the @ of a package, as in `node_modules/@scope`.
    if (text[at - 1] === '/' || !domain.test(text)) continue;
    const end = domain.lastIndex;
    let start = at;
    while (start > done && at - start < longestLocalPart && !endsLocalPart.test(text[start - 1] ?? '')) start -= 1;
    if (start === at) continue;
    kept += text.slice(done, start) + redacted;
    done = end;
  }
  return kept + text.slice(done);
}

/** A piece of work, such as one command or one webhook. Every line logged during it carries its ID and its origin. */
interface Work {
  /** Names this piece of work in the log; people read it as the reference of a failure. */
  readonly correlationId: string;
  /** Where the work comes from; few different values: `command`, `action`, `webhook`, `queue channel`, … */
  readonly from: string;
}

const running = new AsyncLocalStorage<Work>();

/** Runs a function as a piece of work of its own. */
export async function beginWork<Value>(from: string, run: () => Promise<Value>): Promise<Value> {
  return running.run({ correlationId: newCorrelationId(), from }, run);
}

/** The piece of work that the caller is part of; undefined outside any. */
export function currentWork(): Work | undefined {
  return running.getStore();
}

/** The ID of the current work, which all its lines in the log carry; a new one outside any work. */
export function currentCorrelationId(): string {
  return currentWork()?.correlationId ?? newCorrelationId();
}

function newCorrelationId(): string {
  return randomUUID().slice(0, 8);
}

/** Different failures that are counted at the same time. Above this, the oldest counts as new when it comes again. */
const failuresAtMost = 100;

/**
 * Logs a failure at once, and the same failure again in one line per minute with the number of times, so that an outage does not
 * fill the disk.
 */
export function createFailureLog(log: Log, message: string, setTimer: SetTimer): (error: unknown) => void {
  const repeated = new Map<string, { times: number; latest: unknown }>();

  function begin(text: string, latest: unknown): void {
    const count = { times: 0, latest };
    repeated.set(text, count);
    setTimer(() => {
      if (repeated.get(text) === count) repeated.delete(text);
      if (count.times === 0) return;
      log.warn({ error: count.latest, times: count.times }, message);
      begin(text, count.latest);
    }, 60_000);
  }

  return (error) => {
    const text = textOf(error);
    const known = repeated.get(text);
    if (known !== undefined) return void Object.assign(known, { times: known.times + 1, latest: error });
    log.warn({ error }, message);
    if (repeated.size >= failuresAtMost) repeated.delete(repeated.keys().next().value!);
    begin(text, error);
  };
}

/** Without numbers, such as ports, which differ each time. */
function textOf(error: unknown): string {
  const own = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const cause = error instanceof Error && error.cause !== undefined ? ` <- ${textOf(error.cause)}` : '';
  return (own + cause).replaceAll(/\d+/g, '0').slice(0, 1_000);
}

/**
 * Logs refused requests in one line per five seconds, with the number of refusals for each reason, so that a flood of requests
 * does not become a flood of lines.
 *
 * @returns counts a refusal; `reason` must be a constant, never text from the request
 */
export function createRefusalLog(log: Log, message: string, setTimer: SetTimer): (reason: string) => void {
  let reasons: Record<string, number> = {};

  function write(): void {
    log.warn({ reasons }, message);
    reasons = {};
  }

  return (reason) => {
    if (Object.keys(reasons).length === 0) setTimer(write, 5_000);
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  };
}

/** Logs once that a key or a token of the bot is refused, and once that it is accepted again. */
export function createCredentialLog(log: Log, variable: string) {
  let isRefused = false;
  return {
    /** @param whatToDo one line for the operator */
    refused(whatToDo: string): void {
      if (!isRefused) log.error(whatToDo);
      isRefused = true;
    },
    accepted(): void {
      if (isRefused) log.info(`${variable} is accepted again`);
      isRefused = false;
    },
  };
}
