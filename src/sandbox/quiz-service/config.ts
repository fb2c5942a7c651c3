import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { QuizServiceOptions } from './service.ts';
import { signatureSchemes } from './webhooks/webhooks.ts';

/** An invalid configuration. Each fault is one sentence. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

const wholeNumber = (description: string, lowest: number, highest = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number(description).int(description).min(lowest, description).max(highest, description);

const webUrl = (description: string) => z.url({ protocol: /^https?$/, error: description });

const environmentSchema = z.object({
  PORT: wholeNumber('must be a port, 0 to 65535', 0, 65_535).default(4010),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().optional(),
  QUIZ_API_KEY: z.string().min(8, 'must have at least 8 characters').optional(),
  WEBHOOK_URL: webUrl('must be an http or https URL').optional(),
  WEBHOOK_SECRET: z.string().optional(),
  WEBHOOK_SCHEME: z.enum(signatureSchemes, `must be one of ${signatureSchemes.join(', ')}`).optional(),
  QUIZ_RATE_PER_MINUTE: wholeNumber('must be a whole number above 0', 1).default(60),
  QUIZ_RATE_PER_HOUR: wholeNumber('must be a whole number above 0', 1).default(2000),
  PUBLIC_URL: webUrl('must be an http or https URL').optional(),
  TRUST_PROXY: z.enum(['true', 'false'], 'must be true or false').default('false'),
});

const flagsSchema = z.object({
  users: wholeNumber('must be a whole number', 0).optional(),
  responses: wholeNumber('must be a whole number', 0).optional(),
  rough: z.boolean().default(false),
});

/** What an operator can choose. @throws ConfigError */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
  commandLine: string[] = process.argv.slice(2),
): QuizServiceOptions {
  const faults: string[] = [];
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const variables = environmentSchema.safeParse(set);
  if (!variables.success) faults.push(...describe(variables.error, ''));
  const flags = readFlags(commandLine, faults);
  if (!variables.success || flags === undefined) throw new ConfigError(faults);

  const config = variables.data;
  return {
    port: config.PORT,
    host: config.HOST,
    // An account keeps its content, so the rough account is another one.
    dataDir: config.DATA_DIR ?? (flags.rough ? './data/quiz-service-rough' : './data/quiz-service'),
    apiKey: config.QUIZ_API_KEY,
    webhook:
      config.WEBHOOK_URL === undefined
        ? undefined
        : { url: config.WEBHOOK_URL, secret: config.WEBHOOK_SECRET, scheme: config.WEBHOOK_SCHEME },
    ratePerMinute: config.QUIZ_RATE_PER_MINUTE,
    ratePerHour: config.QUIZ_RATE_PER_HOUR,
    publicUrl: config.PUBLIC_URL?.replace(/\/+$/, ''),
    trustProxy: config.TRUST_PROXY === 'true',
    rough: flags.rough || undefined,
    sample:
      flags.users === undefined && flags.responses === undefined
        ? 'account'
        : { users: flags.users ?? 0, responses: flags.responses ?? 0 },
  };
}

function readFlags(commandLine: string[], faults: string[]): z.infer<typeof flagsSchema> | undefined {
  try {
    const options = {
      users: { type: 'string' },
      responses: { type: 'string' },
      rough: { type: 'boolean' },
    } as const;
    const flags = flagsSchema.safeParse(parseArgs({ args: commandLine, options }).values);
    if (flags.success) return flags.data;
    faults.push(...describe(flags.error, '--'));
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return undefined;
}

function describe(error: z.ZodError, prefix: string): string[] {
  return error.issues.map((issue) => `${prefix}${issue.path.join('.')} ${issue.message}`);
}
