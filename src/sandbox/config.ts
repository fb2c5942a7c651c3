/** Where the sandbox listens and keeps its data; both can be changed with the variables the bot has for them. */
export function readSandboxConfig(env: Record<string, string | undefined> = process.env) {
  return {
    host: env['HOST'] || '127.0.0.1',
    /** Undefined: 8080, or any free port when that is taken. */
    port: env['PORT'] ? Number(env['PORT']) : undefined,
    dataDir: env['DATA_DIR'] || './data/sandbox',
    timeZone: env['TIME_ZONE'] || 'UTC',
    logLevel: env['LOG_LEVEL'] || 'info',
    /** What a child needs of the surroundings to run at all. */
    surroundings: { PATH: env['PATH'], HOME: env['HOME'] },
  };
}
