import { parse } from 'yaml';
import { read } from '../support/project-files.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/temporary.ts';

interface Service {
  env_file?: string;
  environment?: Record<string, string>;
  secrets?: string[];
  command?: string[];
  ports?: string[];
  volumes?: string[];
  healthcheck?: { test: string[] };
  deploy?: { replicas: number };
  depends_on?: Record<string, { condition: string }>;
  image: string;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  security_opt?: string[];
  mem_limit?: string;
  cpus?: number;
  pids_limit?: number;
  init?: boolean;
  restart?: string;
  stop_grace_period?: string;
  logging?: { driver: string; options: Record<string, string> };
}

/** docker-compose.yml. */
export const compose = parse(read('docker-compose.yml')) as {
  services: Record<'bot' | 'redis' | 'balancer', Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, { file: string }>;
};

/** `512mb`, `1g` or `256Mi` in bytes. */
export function bytesOf(size: string): number {
  return Number.parseInt(size, 10) * (/g/i.test(size) ? 1024 ** 3 : 1024 ** 2);
}

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
