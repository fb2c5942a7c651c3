import { pino, type Logger } from 'pino';
import { createRedaction, redacted, redactedPaths, type SecretPattern } from './redaction.ts';
import { currentWork } from './work.ts';

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
      mixin: describeWork,
    },
    { write: (line: string) => write(format(redact(line))) },
  );
}

function describeWork(): object {
  const work = currentWork();
  if (work === undefined) return {};
  const { correlationId, from, span } = work;
  return { correlationId, from, ...(span && { trace_id: span.traceId, span_id: span.spanId }) };
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
