import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { readSandboxConfig } from '../../src/sandbox/config.ts';
import { botEnvironment } from '../../src/sandbox/tenants/bot-environment.ts';
import { tenantSamples } from '../../src/sandbox/tenants/blue-harbor.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { PageState } from '../../src/sandbox/workspace/page-contract.ts';
import { openTenant, type SandboxTenant } from '../../src/sandbox/tenants/tenant.ts';
import { readTenants } from '../../src/tenants/tenants-file.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function openTenants(flags: string[] = ['--tenants']) {
  const folder = temporaryDirectory();
  const config = readSandboxConfig({ PORT: '0', DATA_DIR: folder }, flags);
  const tenants: SandboxTenant[] = [];
  for (const [index, sample] of (config.hasTenants ? tenantSamples : [{}]).entries())
    tenants.push(
      await openTenant(sample, {
        config,
        index,
        clock: createSandboxClock(),
        onClose: (close) => onTestFinished(close),
      }),
    );
  return { folder, tenants };
}

test('without the flag, there is one bot, with its variables in the environment', async () => {
  const { folder, tenants } = await openTenants([]);
  expect(tenants).toHaveLength(1);
  const { TENANTS_FILE: file, ...environment } = botEnvironment(tenants, folder);
  expect(file).toBeUndefined();
  expect(environment).toMatchObject({ QUIZ_API_URL: tenants[0]!.quizService.url, ...tenants[0]!.secrets });
  expect(tenants[0]!.workspace.teamName).toBe('Sandbox workspace');
});

test('with it, a file describes two, and their secrets are in the environment only', async () => {
  const { folder, tenants } = await openTenants();
  const { TENANTS_FILE: file = '', ...environment } = botEnvironment(tenants, folder);
  const text = readFileSync(file, 'utf8');
  for (const { secrets } of tenants) for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
  const list = readTenants(text, { ...environment, DATA_DIR: folder });
  expect([...list.keys()]).toEqual(['northwind', 'blue-harbor']);
  for (const { name = '', quizService, secrets } of tenants)
    expect(list.get(name)).toMatchObject({
      kind: 'bot',
      config: { quizApi: { baseUrl: quizService.url, apiKey: secrets['QUIZ_API_KEY'] } },
    });
});

test('each has the commands and the name that its manifest gives it', async () => {
  const { tenants } = await openTenants();
  const shown = await Promise.all(
    tenants.map(async ({ connect, workspace }) => {
      connect('http://127.0.0.1:9');
      const state = await fetch(`${workspace.url}page/state?as=${people.ada.id}`);
      const { botName, commands, slackbot, workflow } = (await state.json()) as PageState;
      return {
        botName,
        commands: commands.map(({ command }) => command),
        hasSlackbot: slackbot !== null,
        hasWorkflow: workflow !== null,
      };
    }),
  );
  const endings = ['', '-user', '-group', '-alerts', '-campaign', '-admin'];
  expect(shown).toEqual([
    { botName: 'Invigilator', commands: endings.map((end) => `/quiz${end}`), hasSlackbot: true, hasWorkflow: true },
    { botName: 'Examiner', commands: endings.map((end) => `/exam${end}`), hasSlackbot: true, hasWorkflow: true },
  ]);
});

test('the two have no person, no address and no quiz in common', async () => {
  const { tenants } = await openTenants();
  const [northwind, blueHarbor] = tenants.map(({ quizService: { database } }) => ({
    people: database.all<{ name: string }>(`SELECT first_name || ' ' || last_name AS name FROM users`),
    addresses: database.all<{ name: string }>('SELECT email_address AS name FROM users'),
    quizzes: database.all<{ name: string }>('SELECT name FROM quizzes'),
  }));
  for (const kind of ['people', 'addresses', 'quizzes'] as const) {
    const known = new Set(northwind![kind].map(({ name }) => name));
    expect(known.size).toBeGreaterThan(1);
    expect(blueHarbor![kind].filter(({ name }) => known.has(name))).toEqual([]);
  }
});
