import { readFileSync } from 'node:fs';

/** The bot's version, as its package says. */
export const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
