import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, readMoveConfig, secretsOf } from '../src/config.ts';
import { temporaryDirectory } from './support/temporary.ts';

const enough = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing',
  QUIZ_API_URL: 'https://quiz.example',
  QUIZ_API_KEY: 'key',
};

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

function fileWith(text: string, mode = 0o600): string {
  const path = join(temporaryDirectory(), 'secret');
  writeFileSync(path, text, { mode });
  return path;
}

const { QUIZ_API_KEY: _, ...withoutKey } = enough;

describe('a secret that is given as a file', () => {
  test('is read, for every secret there is, and redacted like the others', () => {
    const secrets = {
      SLACK_BOT_TOKEN: 'xoxb-of-file',
      SLACK_SIGNING_SECRET: 'signing-of-file',
      SLACK_APP_TOKEN: 'xapp-of-file',
      QUIZ_API_KEY: 'key-of-file',
      WEBHOOK_SECRET: 'new-secret-of-webhooks,old-secret-of-webhooks',
      REDIS_URL: 'rediss://bot@redis.example:6380/1',
      REDIS_PASSWORD: 'of/redis 100%',
      HTTPS_PROXY: 'http://bot:of%2Fproxy@proxy.example:3128',
      HTTP_PROXY: 'http://bot:of-plain-proxy@proxy.example:3128',
    };
    const files = Object.entries(secrets).map(([name, text]) => [`${name}_FILE`, fileWith(text)]);
    const config = readConfig({ QUIZ_API_URL: enough.QUIZ_API_URL, ...Object.fromEntries(files) });
    expect(config).toMatchObject({
      slack: { botToken: 'xoxb-of-file', signingSecret: 'signing-of-file', appToken: 'xapp-of-file' },
      quizApi: { apiKey: 'key-of-file' },
      webhook: { secrets: ['new-secret-of-webhooks', 'old-secret-of-webhooks'] },
      redisUrl: 'rediss://bot:of%2Fredis%20100%25@redis.example:6380/1',
    });
    expect(secretsOf(config)).toEqual([
      'xoxb-of-file',
      'signing-of-file',
      'xapp-of-file',
      'key-of-file',
      'new-secret-of-webhooks',
      'old-secret-of-webhooks',
      'of/redis 100%',
      'of/proxy',
      'of-plain-proxy',
    ]);
  });

  test.each(['key\n', 'key\r\n', '\n key \n\n', '\u{FEFF}key'])('%j is read without what editors add', (text) => {
    expect(readConfig({ ...withoutKey, QUIZ_API_KEY_FILE: fileWith(text) }).quizApi.apiKey).toBe('key');
  });

  test('counts as not given where its variable is set to nothing', () => {
    expect(readConfig({ ...enough, QUIZ_API_KEY_FILE: ' ' }).quizApi.apiKey).toBe('key');
    expect(readConfig({ ...enough, QUIZ_API_KEY: '', QUIZ_API_KEY_FILE: fileWith('other') }).quizApi.apiKey).toBe(
      'other',
    );
  });

  test.each([
    ['a file that does not exist', () => join(temporaryDirectory(), 'none'), 'which does not exist. Create '],
    ['a path through a file', () => `${fileWith('key')}/key`, 'which does not exist. Create '],
    ['a folder', () => temporaryDirectory(), 'which is a folder. Name the file '],
    ['an empty file', () => fileWith('\n'), 'which is empty. Write the secret into it.'],
    ['a file of several lines', () => fileWith('QUIZ_API_KEY=hush\nOTHER=hush\n'), 'which has several lines. Write '],
  ])('is refused with one sentence that says what to do: %s', (_what, make, said) => {
    const path = make();
    const faults = faultsOf({ ...withoutKey, QUIZ_API_KEY_FILE: path });
    expect(faults).toEqual([expect.stringContaining(`QUIZ_API_KEY_FILE names ${path}, ${said}`)]);
    expect(faults[0]).not.toContain('hush');
  });

  test.skipIf(process.getuid?.() === undefined)('is refused where the bot’s user may not read it', () => {
    const path = fileWith('hush', 0o000);
    const isRoot = process.getuid?.() === 0;
    // Root may read every file, so it becomes another user while it reads.
    if (isRoot) process.seteuid!(65_534);
    try {
      expect(faultsOf({ ...withoutKey, QUIZ_API_KEY_FILE: path })).toEqual([
        expect.stringMatching(/, which the bot’s user \(\d+\) may not read\. Let that user read the file and enter /),
      ]);
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  });

  test('that is wrong leaves the other faults to be told, and none about the variable it stands for', () => {
    const faults = faultsOf({
      PORT: 'eighty',
      SLACK_APP_TOKEN_FILE: '/nowhere/app',
      QUIZ_API_KEY_FILE: '/nowhere/key',
    });
    expect(faults.map((fault) => fault.split(' ')[0]!).toSorted()).toEqual([
      'PORT',
      'QUIZ_API_KEY_FILE',
      'QUIZ_API_URL',
      'SLACK_APP_TOKEN_FILE',
      'SLACK_BOT_TOKEN',
    ]);
  });
});

describe('the password of Redis', () => {
  test('goes into the address, also into that of a socket', () => {
    const redis = (env: Record<string, string>) => readConfig({ ...enough, ...env }).redisUrl;
    expect(redis({ REDIS_URL: 'redis://redis:6379', REDIS_PASSWORD: 'a@b:c' })).toBe('redis://:a%40b%3Ac@redis:6379');
    expect(redis({ REDIS_URL: 'unix:///run/redis.sock?db=1', REDIS_PASSWORD: 'hush' })).toBe(
      'unix://:hush@localhost/run/redis.sock?db=1',
    );
    expect(readMoveConfig({ REDIS_URL: 'redis://redis:6379', REDIS_PASSWORD_FILE: fileWith('hush\n') }).redisUrl).toBe(
      'redis://:hush@redis:6379',
    );
  });

  test('is refused without an address, and beside another password', () => {
    expect(faultsOf({ ...enough, REDIS_PASSWORD: 'hush' })).toEqual([
      'REDIS_PASSWORD must not be set without REDIS_URL: set the address of Redis, or unset the password.',
    ]);
    const both = { REDIS_URL: 'redis://:other@redis', REDIS_PASSWORD: 'hush' };
    const said = 'REDIS_PASSWORD must not be set where REDIS_URL has a password: remove one of them.';
    expect(faultsOf({ ...enough, ...both })).toEqual([said]);
    expect(() => readMoveConfig(both)).toThrow(said);
    expect(() => readMoveConfig({ REDIS_URL: 'redis://redis', REDIS_PASSWORD_FILE: '/nowhere' })).toThrow(
      /^REDIS_PASSWORD_FILE names \/nowhere, which does not exist\./,
    );
  });
});
