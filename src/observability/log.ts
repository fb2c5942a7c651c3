import { pino, type Logger } from 'pino';
import { createRedaction, redacted, redactedPaths } from './redaction.ts';
import { createTerminalLine } from './terminal-line.ts';
import { currentWork } from './work.ts';

export type Log = Logger;

/**
 * JSON lines on standard output; on a terminal, lines for a person. Every line tells on which work it was written.
 * `secrets`, and what looks like something that must not be seen, are blotted out of every line wherever they turn
 * up (a header in a library's error, an address with a token in it).
 */
export function createLog(options: {
  level: string;
  secrets: readonly string[];
  /** Unset: JSON. */
  terminal?: { isColored: boolean } | undefined;
  write?: (line: string) => void;
}): Log {
  const write = options.write ?? ((line) => process.stdout.write(line));
  const redact = createRedaction(options.secrets);
  const shape = options.terminal ? createTerminalLine(options.terminal) : (line: string) => line;
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
    { write: (line: string) => write(shape(redact(line))) },
  );
}

/** What a line tells of the work during which it was written. */
function describeWork(): object {
  const work = currentWork();
  if (work === undefined) return {};
  const { correlationId, from, span } = work;
  return { correlationId, from, ...(span && { trace_id: span.traceId, span_id: span.spanId }) };
}

/**
 * What the log tells of an error: name, code, message, stack and the causes below it. Other properties
 * are left out, since libraries keep requests with their credentials there.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { name, message, ...(code && { code }), stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}
