import type { z } from 'zod';
import type { variables } from './variables.ts';

/** In characters. Who guesses the secret can invent submissions. */
const shortestWebhookSecret = 16;

type Variables = z.output<typeof variables>;

/** A sentence for each variable that is wrong, except for those whose file is. */
export function faultsOf(
  parsed: { success: true } | { success: false; error: z.ZodError },
  fileFaults: Readonly<Record<string, string>>,
): string[] {
  const issues = parsed.success ? [] : parsed.error.issues;
  return issues.filter(({ path: [name] }) => !(String(name) in fileFaults)).map(fault);
}

function fault(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')} ${message(issue)}`;
}

function message(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}.`;
  return issue.message;
}

/** What is wrong with how Redis is given, though each variable by itself is right. */
export function faultsOfRedis({
  REDIS_URL: address,
  REDIS_PASSWORD: password,
}: Pick<Variables, 'REDIS_URL' | 'REDIS_PASSWORD'>): string[] {
  if (password === undefined) return [];
  if (address === undefined)
    return ['REDIS_PASSWORD must not be set without REDIS_URL: set the address of Redis, or unset the password.'];
  return new URL(address).password === ''
    ? []
    : ['REDIS_PASSWORD must not be set where REDIS_URL has a password: remove one of them.'];
}

/** What is wrong with how webhooks are proved. */
export function faultsOfWebhook({
  WEBHOOK_SECRET: secrets,
  WEBHOOK_SCHEME: schemes,
  WEBHOOK_ALLOW_UNSIGNED: allowsUnsigned,
}: Variables): string[] {
  const faults: string[] = [];
  if (allowsUnsigned && secrets.length > 0) {
    faults.push(
      'WEBHOOK_ALLOW_UNSIGNED must not be true where WEBHOOK_SECRET is set: unset it to take signed webhooks only, or unset the secret.',
    );
  }
  if (schemes.includes('standard') && secrets.some((secret) => /^whsec_(?![A-Za-z0-9+/]{2,}={0,2}$)/.test(secret))) {
    faults.push('WEBHOOK_SECRET must be base64 after whsec_: copy it again from where the webhook was made.');
  } else if (secrets.some((secret) => secret.replace(/^whsec_/, '').length < shortestWebhookSecret)) {
    faults.push(
      `WEBHOOK_SECRET must have at least ${shortestWebhookSecret} characters: anyone can guess a shorter one. Make a new one with openssl rand -hex 32, and set it in the quiz account, too.`,
    );
  }
  return faults;
}

/**
 * Names of variables that made a bot one for some groups of the account, up to version 1.7: without them it shows more, so the
 * bot does not start. Set to nothing, they are not the same as not set.
 */
export function faultsOfGroups(given: Readonly<Record<string, unknown>>): string[] {
  return ['GROUPS', 'QUIZ_GROUPS'].filter((name) => given[name] !== undefined).map(faultOfGroups);
}

export function faultOfGroups(name: string): string {
  return `${name} is not supported any more, and without it the bot shows what the rights in the quiz account allow. Give trainers their groups and quizzes there, and no administrators: docs/install.md, “Several clients in one account”. Then remove ${name}.`;
}
