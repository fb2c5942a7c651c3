import { pino, type Logger } from 'pino';

export type Log = Logger;

const redacted = '[redacted]';

/**
 * JSON lines on standard output. `secrets` are blotted out of every line wherever they turn up
 * (a header in a library's error, an address with a token in it), plain or as JSON writes them.
 */
export function createLog(options: {
  level: string;
  secrets: readonly string[];
  write?: (line: string) => void;
}): Log {
  const write = options.write ?? ((line) => process.stdout.write(line));
  const blot = blotter(options.secrets);
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError, err: describeError },
      redact: {
        paths: ['password', 'token', 'secret', 'apiKey', '*.password', '*.token', '*.secret', '*.apiKey', 'headers', '*.headers'],
        censor: redacted,
      },
    },
    { write: (line: string) => write(blot(line)) },
  );
}

/**
 * What the log tells of an error: name, code, message, stack and the causes below it. Other properties
 * are left out, since libraries keep requests with their credentials there.
 */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error ? String(error.code) : undefined;
  return { name, message, ...(code && { code }), stack, ...(cause !== undefined && { cause: describeError(cause) }) };
}

function blotter(secrets: readonly string[]): (line: string) => string {
  const shapes = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  // The longest first, or of one secret that begins with another the rest would stay.
  shapes.sort((a, b) => b.length - a.length);
  if (shapes.length === 0) return (line) => line;
  const pattern = new RegExp(shapes.map((shape) => RegExp.escape(shape)).join('|'), 'g');
  return (line) => line.replaceAll(pattern, redacted);
}
