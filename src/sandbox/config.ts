/**
 * Where the sandbox listens and keeps its data; both can be changed with the variables the bot has for them.
 * @throws Error when `PORT` is no port
 */
export function readSandboxConfig(env: Record<string, string | undefined> = process.env) {
  return {
    host: env['HOST'] || '127.0.0.1',
    /** Undefined: 8080, or any free port when that is taken. */
    port: env['PORT'] ? readPort(env['PORT']) : undefined,
    dataDir: env['DATA_DIR'] || './data/sandbox',
    timeZone: env['TIME_ZONE'] || 'UTC',
    logLevel: env['LOG_LEVEL'] || 'info',
    /** What a child needs of the surroundings to run at all. */
    surroundings: { PATH: env['PATH'], HOME: env['HOME'] },
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT must be a port, 0 to 65535.');
  return port;
}
