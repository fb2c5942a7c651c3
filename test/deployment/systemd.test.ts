import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { read, variables } from '../support/project-files.ts';
import { systemdAnalyze, systemdMissing } from '../support/programs.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { bytesOf, compose, exampleSecrets, writeSecrets } from './compose-file.ts';

const path = 'deploy/systemd/invigilator.service';
const settings = [...read(path).matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const);
const valuesOf = (name: string) => settings.filter(([key]) => key === name).map(([, value]) => value);
const only = (name: string) => {
  const [value, ...others] = valuesOf(name);
  if (value === undefined || others.length > 0) throw new Error(`${path} must have ${name} once`);
  return value;
};
const environment = Object.fromEntries(
  valuesOf('Environment')
    .flatMap((line) => line.split(' '))
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
);
const credentials = Object.fromEntries(valuesOf('LoadCredential').map((line) => line.split(':') as [string, string]));

describe('deploy/systemd/invigilator.service', () => {
  test('runs the command of npm start, and starts it again when it exits', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(only('ExecStart')).toBe(
      `/usr/bin/env ${scripts['start']!.replace(/^.*exec /, '').replace(/\$\(.*?\) /, '')}`,
    );
    expect(environment['PATH']!.split(':')[0]).toBe(`${only('WorkingDirectory')}/node_modules/.bin`);
    expect(only('Restart')).toBe('always');
    expect(`${only('TimeoutStopSec')}s`).toBe(compose.services.bot.stop_grace_period);
  });

  test('gives the bot a valid configuration when the address is set and the secrets are there', () => {
    const { REDIS_PASSWORD: _, ...secrets } = exampleSecrets;
    expect(Object.keys(credentials)).toEqual(Object.keys(secrets));
    for (const [name, file] of Object.entries(credentials)) expect(file).toBe(`/etc/invigilator/secrets/${name}`);
    const folder = writeSecrets(secrets);
    const resolved = Object.entries(environment).map(([name, value]) => [name, value.replace('%d', folder)]);
    expect(readConfig({ QUIZ_API_URL: 'https://quiz.example', ...Object.fromEntries(resolved) })).toMatchObject({
      slack: { botToken: 'xoxb-1', signingSecret: 'signing' },
      quizApi: { apiKey: 'key' },
      webhook: { secrets: ['w'.repeat(32)] },
    });
    const known = Object.keys(environment).map((name) => name.replace(/_FILE$/, ''));
    expect(known.filter((name) => !/^(?:PATH|NODE_\w+)$/.test(name) && !variables.includes(name))).toEqual([]);
    expect(Object.keys(environment).filter((name) => name in exampleSecrets)).toEqual([]);
  });

  test('keeps the state in a folder of the bot’s own', () => {
    expect(environment['DATA_DIR']).toBe(`%S/${only('StateDirectory')}`);
    expect(environment['NODE_COMPILE_CACHE']).toBe(`%C/${only('CacheDirectory')}`);
    expect([only('StateDirectoryMode'), only('UMask'), only('DynamicUser')]).toEqual(['0700', '0077', 'yes']);
  });

  test('bounds memory, CPU time and processes as docker-compose.yml does', () => {
    const { mem_limit: memory, cpus, pids_limit: processes } = compose.services.bot;
    expect(bytesOf(only('MemoryMax'))).toBe(bytesOf(memory!));
    expect(only('CPUQuota')).toBe(`${cpus! * 100}%`);
    expect(Number(only('TasksMax'))).toBe(processes);
  });

  test.skipIf(systemdMissing !== null)('has no setting that systemd does not know', () => {
    expect(systemdAnalyze(['verify', path])).toEqual({ output: '', code: 0 });
    const wrong = join(temporaryDirectory(), 'wrong.service');
    writeFileSync(wrong, readFileSync(path, 'utf8').replace('ProtectHome=', 'ProtectHomes='));
    expect(systemdAnalyze(['verify', wrong]).output).toContain('ProtectHomes');
  });

  test.skipIf(systemdMissing !== null)('leaves the bot little that it could do to the machine', () => {
    // The scale ends at 10, where a unit without hardening is at 9.6; the threshold is in tenths.
    const exposure = (file: string) => systemdAnalyze(['security', '--offline=true', '--threshold=15', file]);
    expect(exposure(path)).toMatchObject({ code: 0 });
    const open = join(temporaryDirectory(), 'open.service');
    writeFileSync(open, '[Service]\nExecStart=/usr/bin/env node src/main.ts\n');
    expect(exposure(open).code).not.toBe(0);
  });
});
