import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/sandbox/quiz-service/config.ts';

function faultsOf(environment: Record<string, string>, commandLine: string[] = []): readonly string[] {
  try {
    readConfig(environment, commandLine);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

test('every variable is optional', () => {
  expect(readConfig({}, [])).toEqual({
    port: 4010,
    host: '127.0.0.1',
    dataDir: './data/quiz-service',
    apiKey: undefined,
    webhook: undefined,
    ratePerMinute: 60,
    ratePerHour: 2000,
    publicUrl: undefined,
    trustProxy: false,
    rough: undefined,
    sample: 'account',
  });
});

test('every option can be set', () => {
  const environment = {
    PORT: '0',
    HOST: '::1',
    DATA_DIR: '/x',
    QUIZ_API_KEY: 'abcdefgh',
    WEBHOOK_URL: 'https://x.example/hook',
    WEBHOOK_SECRET: 'hush',
    WEBHOOK_SCHEME: 'standard',
    QUIZ_RATE_PER_MINUTE: '600',
    QUIZ_RATE_PER_HOUR: '7000',
    PUBLIC_URL: 'https://quiz.example/',
    TRUST_PROXY: 'true',
  };
  expect(readConfig(environment, ['--users', '5', '--responses=6', '--rough'])).toEqual({
    port: 0,
    host: '::1',
    dataDir: '/x',
    apiKey: 'abcdefgh',
    webhook: { url: 'https://x.example/hook', secret: 'hush', scheme: 'standard' },
    ratePerMinute: 600,
    ratePerHour: 7000,
    publicUrl: 'https://quiz.example',
    trustProxy: true,
    rough: true,
    sample: { users: 5, responses: 6 },
  });
});

test('each fault is one sentence that says what to set', () => {
  const environment = {
    PORT: '70000',
    WEBHOOK_URL: 'file:///etc',
    WEBHOOK_SCHEME: 'md5',
    TRUST_PROXY: 'yes',
    QUIZ_API_KEY: 'short',
  };
  expect(faultsOf(environment, ['--users', 'many'])).toEqual([
    'PORT must be a port, 0 to 65535',
    'QUIZ_API_KEY must have at least 8 characters',
    'WEBHOOK_URL must be an http or https URL',
    'WEBHOOK_SCHEME must be one of body, timestamp-body, standard, timestamp-secret',
    'TRUST_PROXY must be true or false',
    '--users must be a whole number',
  ]);
});

test('an unknown flag is a fault, and an empty variable counts as not set', () => {
  expect(faultsOf({}, ['--people', '5'])).toEqual([expect.stringContaining('--people')]);
  expect(readConfig({ PORT: '', WEBHOOK_URL: '' }, [])).toMatchObject({ port: 4010, webhook: undefined });
});

test('the rough account has a directory of its own', () => {
  expect(readConfig({}, ['--rough'])).toMatchObject({ rough: true, dataDir: './data/quiz-service-rough' });
});
