import { z } from 'zod';
import { commandEndings, standardNames } from '../domain/own-names.ts';
import { noLimits, readLimits } from '../domain/rights-limits.ts';
import { readHolidays } from '../time/working-hours.ts';
import { formalities } from '../words/languages.ts';
import {
  redisAddress,
  baseAddress,
  certificates,
  conversationId,
  isEncrypted,
  language,
  list,
  noUrl,
  proxy,
  signatureSchemes,
  timeZone,
  url,
  yesOrNo,
} from './values.ts';

/** Each token of Slack says by its beginning what it is. */
const noToken = /^(?!xox|xapp-)/;
const ofSlack = 'is a token of Slack.';

const portNumber = 'must be a port number from 0 to 65535.';

const moment = 'must be a day such as 2027-03-01, or a time in UTC such as 2027-03-01T09:30Z.';

const years = 'must be a whole number of years from 1 to 30.';

const hours = 'must be a number of hours, above 0 and at most 720.';

const holidayRule =
  'must be dates such as 2026-12-25, or Europe/Berlin:2026-10-03 for the people in a time zone, separated by commas';

/** Slack takes 32 characters of a command: https://docs.slack.dev/reference/app-manifest, `slash_commands`. The longest ending has 9. */
const commandPrefix =
  'must be 1 to 20 lower-case letters, digits, hyphens and underscores without a slash, such as exam, and begin and end with a letter or digit.';

/** Slack takes 35 characters as the name of an app. Other characters are markup somewhere, or cannot be typed in a mention. */
const botName =
  'must be 1 to 35 letters, digits, spaces, periods, hyphens, apostrophes and underscores, and begin and end with a letter or digit.';

/** Every variable of the environment that the bot reads, as it is checked. */
export const variables = z.object({
  SLACK_BOT_TOKEN: z
    .string({ error: 'is not set. Set it to the bot token of the Slack app (OAuth & Permissions, xoxb-…).' })
    .regex(
      /^(?:xoxe\.)?xoxb-/,
      'must be the bot token of the Slack app, which begins with xoxb-: copy it from OAuth & Permissions.',
    ),
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(noToken, `${ofSlack} Copy the signing secret from Basic Information.`)
    .optional(),
  SLACK_APP_TOKEN: z
    .string()
    .regex(
      /^xapp-/,
      'must be an app-level token, which begins with xapp-: copy it from Basic Information, or unset it to use HTTP.',
    )
    .optional(),
  SLACK_API_URL: url
    .refine(isEncrypted, {
      error: 'must begin with https:// (the bot sends its token there; only a loopback address may use plain http).',
    })
    .default('https://slack.com/api/'),
  COMMAND_PREFIX: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9_-]{0,18}[a-z0-9])?$/, { error: commandPrefix, abort: true })
    .refine((prefix) => commandEndings.every((ending) => ending === '' || !prefix.endsWith(ending)), {
      error: `must not end with one of ${commandEndings.slice(1).join(', ')}, with which the commands of the bot end.`,
    })
    .default(standardNames.commandPrefix),
  BOT_NAME: z
    .string()
    .regex(/^(?=.{1,35}$)[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} .’'_-]*[\p{L}\p{M}\p{N}])?$/u, botName)
    .default(standardNames.botName),
  QUIZ_API_URL: z
    .url({
      protocol: /^https?$/,
      error: ({ input }) =>
        input === undefined ? 'is not set. Set it to the base address of the quiz service, without /api.' : noUrl,
      abort: true,
    })
    .refine(isEncrypted, {
      error:
        'must begin with https:// (the quiz service refuses plain http with 403.4; only a loopback address may use it).',
    })
    .transform(baseAddress),
  QUIZ_API_KEY: z
    .string({ error: 'is not set. Set it to the API key from the API tab of the quiz account’s settings.' })
    .regex(noToken, `${ofSlack} Copy the API key from the API tab of the quiz account’s settings.`),
  QUIZ_TIME_ZONE: timeZone,
  WEBHOOK_SECRET: list.default([]),
  WEBHOOK_ALLOW_UNSIGNED: yesOrNo.default(false),
  WEBHOOK_SCHEME: signatureSchemes.default(['body']),
  WEBHOOK_SIGNATURE_HEADER: z.string().default('X-Webhook-Signature'),
  WEBHOOK_TIMESTAMP_HEADER: z.string().default('X-Webhook-Timestamp'),
  ALERTS_CHANNEL: conversationId.optional(),
  APPROVALS_CHANNEL: conversationId.optional(),
  APPROVAL_TTL_HOURS: z
    .string()
    .regex(/^\d{1,4}(\.\d+)?$/, { error: hours, abort: true })
    .transform(Number)
    .pipe(z.number().positive(hours).max(720, hours))
    .default(24),
  ALLOW_SELF_APPROVAL: yesOrNo.default(false),
  AUDIT_CHANNEL: conversationId.optional(),
  OWNERS: list
    .refine((ids) => ids.every((id) => /^[UW][A-Z0-9]+$/.test(id)), {
      error: 'must be Slack user ids such as U0123456789, separated by commas.',
    })
    .default([]),
  RIGHTS: list
    .transform((entries, { addIssue }) => {
      const { limits, problems } = readLimits(entries);
      if (problems.length > 0)
        addIssue(
          `must be operations with what is left of them, such as delete-quiz:nobody, separated by commas: ${problems.join(', and ')}.`,
        );
      return limits;
    })
    .default(noLimits),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, { error: portNumber, abort: true })
    .transform(Number)
    .pipe(z.number().max(65_535, portNumber))
    .default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  REDIS_URL: redisAddress.optional(),
  REDIS_PASSWORD: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  TENANTS_FILE: z.string().optional(),
  HTTPS_PROXY: proxy.optional(),
  HTTP_PROXY: proxy.optional(),
  NO_PROXY: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ''))
    .default([]),
  NODE_EXTRA_CA_CERTS: certificates.default([]),
  TIME_ZONE: timeZone,
  EVIDENCE_KEY_SINCE: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/, { error: moment, abort: true })
    .transform((text) => Date.parse(text))
    .refine((at) => !Number.isNaN(at), moment)
    .optional(),
  RETENTION_YEARS: z
    .string()
    .regex(/^\d{1,2}$/, { error: years, abort: true })
    .transform(Number)
    .pipe(z.number().min(1, years).max(30, years))
    .default(3),
  QUIZ_TAKE_URL: z
    .string()
    .refine(
      (text) => text.includes('{quiz_id}') && URL.canParse(text.replaceAll('{quiz_id}', 'id')) && /^https?:/.test(text),
      {
        error: 'must be an http or https address that contains {quiz_id}, such as https://quiz.example/take/{quiz_id}.',
      },
    )
    .optional(),
  NOTIFY_RESPONDENTS: yesOrNo.default(true),
  MANAGER_FIELD: z.string().optional(),
  LANGUAGE: language.default('en'),
  FORMALITY: z.enum(formalities).default('formal'),
  MCP_ENABLED: yesOrNo.default(false),
  WORKFLOW_STEPS_ENABLED: yesOrNo.default(false),
  HOLIDAYS: list
    .transform((entries, { addIssue }) => {
      const { holidays, problems } = readHolidays(entries);
      if (problems.length > 0) addIssue(`${holidayRule}: ${problems.join(', and ')}.`);
      return holidays;
    })
    .default(new Set<string>()),
});

/** What may also stand in a file, which the variable with `_FILE` after its name names. */
export const secretNames = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'QUIZ_API_KEY',
  'WEBHOOK_SECRET',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'HTTPS_PROXY',
  'HTTP_PROXY',
] as const satisfies (keyof typeof variables.shape)[];

/** The variables of the process, which its bots share. All others are about one bot. */
export const processVariables = variables.pick({
  PORT: true,
  HOST: true,
  DATA_DIR: true,
  REDIS_URL: true,
  REDIS_PASSWORD: true,
  LOG_LEVEL: true,
  HTTPS_PROXY: true,
  HTTP_PROXY: true,
  NO_PROXY: true,
  NODE_EXTRA_CA_CERTS: true,
  TENANTS_FILE: true,
});

const processNames: ReadonlySet<string> = new Set(Object.keys(processVariables.shape));

/** The variables that are about one bot, with whether each is a secret. */
export const botVariables: ReadonlyMap<string, { isSecret: boolean }> = new Map(
  Object.keys(variables.shape)
    .filter((name) => !processNames.has(name))
    .map((name) => [name, { isSecret: (secretNames as readonly string[]).includes(name) }]),
);
