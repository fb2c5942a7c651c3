/** As `createLog` writes it. */
interface Entry {
  time: string;
  level: string;
  msg?: string;
  error?: ToldError | string;
  err?: ToldError | string;
}

/** As `describeError` gives it. */
interface ToldError {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ToldError | string;
}

const levelColors: Record<string, number> = { trace: 90, debug: 36, info: 32, warn: 33, error: 31, fatal: 31 };
const dim = 90;

/** A line of the log as a person reads it: time (UTC), level, message, the other fields; what is known of an error below. */
export function createTerminalLine({ isColored }: { isColored: boolean }): (line: string) => string {
  const paint = (color: number, text: string) => (isColored ? `\u001B[${color}m${text}\u001B[0m` : text);

  return (line) => {
    const { time, level, msg, error, err, ...fields } = JSON.parse(line) as Entry;
    const told = [
      paint(dim, time.slice(11, 23)),
      paint(levelColors[level] ?? 0, level.toUpperCase().padEnd(5)),
      ...(msg === undefined ? [] : [onOneLine(msg)]),
      ...Object.entries(fields).map(([name, value]) => paint(dim, `${name}=${plain(value)}`)),
    ];
    return [told.join(' '), ...stacksOf(error ?? err), ''].join('\n');
  };
}

/** Bare where that is clear, otherwise as JSON. */
function plain(value: unknown): string {
  return onOneLine(typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value));
}

/** An error with its causes. */
function stacksOf(error: ToldError | string | undefined): string[] {
  if (error === undefined) return [];
  if (typeof error === 'string') return [`    ${onOneLine(error)}`];
  const { name, message, code, stack = `${name}: ${message}`, cause } = error;
  const told = code === undefined ? stack : `${stack} (${code})`;
  return [...told.split('\n').map((line) => `    ${onOneLine(line)}`), ...stacksOf(cause)];
}

/** A text from outside must not move the cursor or colour what follows. */
function onOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ');
}
