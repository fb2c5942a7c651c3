import { parseArgs } from 'node:util';

export type SandboxConfig = ReturnType<typeof readSandboxConfig>;

/**
 * Reads the sandbox's configuration. The variables are those of the bot.
 * @throws Error when `PORT` is not a port, or for an unknown flag
 */
export function readSandboxConfig(
  env: Record<string, string | undefined> = process.env,
  commandLine: string[] = process.argv.slice(2),
) {
  const { rough = false } = parseArgs({ args: commandLine, options: { rough: { type: 'boolean' } } }).values;
  return {
    /** Whether the quiz service serves the rough account. */
    rough,
    /** Whether a new account begins with three days of campaigns. The oddities of the rough one are to be met fresh. */
    hasOpening: !rough,
    host: env['HOST'] || '127.0.0.1',
    /** Undefined selects 8080, or any free port when 8080 is taken. */
    port: env['PORT'] ? readPort(env['PORT']) : undefined,
    dataDir: env['DATA_DIR'] || `./data/sandbox${rough ? '-rough' : ''}`,
    timeZone: env['TIME_ZONE'] || 'UTC',
    /** The variables that the child process needs to run. */
    childEnv: { PATH: env['PATH'], HOME: env['HOME'] },
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('PORT must be a port, 0 to 65535.');
  return port;
}
