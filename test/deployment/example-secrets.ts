import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/temporary.ts';

/** A secret of each kind that the bot accepts, by variable. */
export const exampleSecrets: Readonly<Record<string, string>> = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing',
  QUIZ_API_KEY: 'key',
  WEBHOOK_SECRET: 'w'.repeat(32),
  REDIS_PASSWORD: '0f'.repeat(32),
};

/**
 * Writes secrets as an operator does, a file each that ends with a line break.
 * @returns the folder
 */
export function writeSecrets(secrets: Readonly<Record<string, string>> = exampleSecrets): string {
  const folder = join(temporaryDirectory(), 'secrets');
  mkdirSync(folder);
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(folder, name), `${secret}\n`);
  return folder;
}
