import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { standardNames } from '../src/domain/own-names.ts';
import { inEnglish } from '../src/domain/said.ts';
import { catalog } from '../src/operations/catalog.ts';
import { printManifest } from '../src/manifest.ts';
import { manifestFor, manifestText, type ManifestOptions } from '../src/slack/app-manifest.ts';
import { commandPattern, commandAndVerb, isTyped } from '../src/operations/line/line.ts';
import { typedCommand } from '../src/slack/views/help.ts';
import { manifestFunctions } from '../src/slack/workflow-steps.ts';
import { programEnv } from './support/child-process.ts';
import { manifestSchema } from './support/manifest-schema.ts';
import { temporaryDirectory } from './support/temporary.ts';

const manifest = parse(readFileSync('manifest.yml', 'utf8'));
const readDocument = (name: string) => readFileSync(`docs/${name}.md`, 'utf8');
const commands: { command: string; usage_hint: string; description: string; should_escape: boolean }[] =
  manifest.features.slash_commands;
const shortcuts: { callback_id: string; type: string; name: string }[] = manifest.features.shortcuts;

test('the manifest has exactly the commands of the catalog', () => {
  const known = new Set(catalog.map((operation) => commandAndVerb(operation).command));
  expect(commands.map(({ command }) => command)).toEqual([...known]);
});

/** Slack shows hints beside the command while somebody types, and cuts long ones; it documents no length. */
const hintAtMost = 45;

test('the usage hint of a command is short, and names some of its verbs and the help', () => {
  for (const { command, usage_hint } of commands) {
    const verbs = catalog
      .map(commandAndVerb)
      .filter((own) => own.command === command)
      .map(({ verb }) => verb);
    const named = usage_hint.split(' | ');
    expect(usage_hint.length).toBeLessThanOrEqual(hintAtMost);
    expect(named.slice(-2)).toEqual(['…', 'help']);
    expect(verbs).toEqual(expect.arrayContaining(named.slice(0, -2)));
  }
});

test('Slack sends user IDs for mentions in commands', () => {
  for (const command of commands) expect(command.should_escape).toBe(true);
});

test('every global shortcut opens the form of an operation', () => {
  const global = shortcuts.filter(({ type }) => type === 'global').map(({ callback_id }) => callback_id);
  expect(global).toEqual(['create-user', 'assign-quiz', 'close-quiz', 'suspend-user', 'start-campaign']);
  for (const name of global) expect(catalog.map((operation) => operation.name)).toContain(name);
});

test('docs/configuration.md gives a reason for exactly the scopes of the manifest', () => {
  const scopes: string[] = manifest.oauth_config.scopes.bot;
  const rows = [...readDocument('configuration').matchAll(/^\| ((?:`[a-z]+:?[a-z:._]*`(?:, )?)+) \|/gm)].map(
    ([, row = '']) => row,
  );
  const explained = rows
    .flatMap((row) => row.split(', '))
    .map((scope) => scope.replaceAll('`', ''))
    .filter((scope) => scopes.includes(scope) || scope.includes(':'));
  expect(explained).toEqual(scopes);
});

test('docs/commands.md lists exactly the commands of the catalog, in its order, as the help has them, with their summaries', () => {
  const rows = catalog
    .filter(isTyped)
    .map((operation) => `| \`${inEnglish(typedCommand(operation))}\` | ${operation.summary} |`);
  const listed = readDocument('commands')
    .split('\n')
    .filter((line) => line.startsWith('| `/'));
  expect(listed).toEqual(rows);
});

test('the README has a row for each slash command', () => {
  const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `(\/[\w-]+)` \|/gm)].map(([, command]) => command);
  expect(rows).toEqual(commands.map(({ command }) => command));
});

const standard: ManifestOptions = { names: standardNames, eventsUrl: undefined, agentsUrl: undefined, hasSteps: false };
const base = readFileSync('manifest.yml', 'utf8');

test('the manifest that is made for the standard settings is manifest.yml', () => {
  expect(manifestFor(base, standard)).toEqual(manifest);
});

test('the manifest with Slackbot differs from the other by its addresses, a scope and the server of tools', () => {
  const address = 'https://bot.example/slack/events';
  expect(manifestFor(base, { ...standard, eventsUrl: address, agentsUrl: 'https://bot.example/mcp' })).toEqual({
    ...manifest,
    features: { ...manifest.features, slash_commands: commands.map((command) => ({ ...command, url: address })) },
    oauth_config: {
      scopes: { ...manifest.oauth_config.scopes, bot: [...manifest.oauth_config.scopes.bot, 'mcp:connect'] },
    },
    settings: {
      ...manifest.settings,
      event_subscriptions: { ...manifest.settings.event_subscriptions, request_url: address },
      interactivity: { ...manifest.settings.interactivity, request_url: address },
      socket_mode_enabled: false,
    },
    mcp_servers: { invigilator: { url: 'https://bot.example/mcp', auth_type: 'slack_identity_auth' } },
  });
});

test('the manifest with the steps of workflows differs from the other by these steps and what they need', () => {
  expect(manifestFor(base, { ...standard, hasSteps: true })).toEqual({
    ...manifest,
    settings: {
      ...manifest.settings,
      event_subscriptions: { bot_events: [...manifest.settings.event_subscriptions.bot_events, 'function_executed'] },
      org_deploy_enabled: true,
      function_runtime: 'remote',
    },
    functions: manifestFunctions(),
  });
});

test('the manifest of a bot with other names has each command of the catalog by its name, and everything else alike', () => {
  const names = { commandPrefix: 'exam', botName: 'Examiner' };
  const made = parse(manifestText(base, { ...standard, names }));
  const inCatalog = [...new Set(catalog.map((operation) => commandAndVerb(operation).command))];
  expect(made.features.slash_commands.map(({ command }: { command: string }) => command)).toEqual(
    inCatalog.map((command) => command.replace('/quiz', '/exam')),
  );
  expect(made.features.bot_user.display_name).toBe('Examiner');
  expect(made.display_information.name).toBe('Examiner');
  expect(JSON.stringify(made).replaceAll('"/exam', '"/quiz').replaceAll('Examiner', 'Invigilator')).toBe(
    JSON.stringify(manifest),
  );
});

test.each([
  ['the standard settings', {}],
  ['the steps of workflows', { hasSteps: true }],
  [
    'everything',
    { eventsUrl: 'https://bot.example/slack/events/a', agentsUrl: 'https://bot.example/mcp', hasSteps: true },
  ],
  ['the shortest names', { names: { commandPrefix: 'q', botName: 'Q' } }],
  ['the longest names', { names: { commandPrefix: 'q'.repeat(20), botName: 'N'.repeat(35) } }],
  ['names that YAML could take for something else', { names: { commandPrefix: '1', botName: 'true' } }],
  ['the required scopes', { hasOptionalScopes: false }],
])('the manifest with %s follows Slack’s schema, and is written without aliases', (_name, options) => {
  const text = manifestText(base, { ...standard, ...options });
  const made = parse(text, { maxAliasCount: 0 });
  expect(made).toEqual(manifestFor(base, { ...standard, ...options }));
  expect(manifestSchema.safeParse(made).error?.issues ?? []).toEqual([]);
});

test('scopes that people can refuse can be left out', () => {
  const { bot, bot_optional: optional } = manifest.oauth_config.scopes;
  expect(manifestFor(base, { ...standard, hasOptionalScopes: false }).oauth_config.scopes).toEqual({
    bot: bot.filter((scope: string) => !optional.includes(scope)),
  });
});

describe('npm run manifest', () => {
  const run = (parameters: string[], env: Record<string, string> = {}) => printManifest(parameters, env);

  test('prints manifest.yml as it is for Socket Mode without other settings', () => {
    for (const made of [run(['--socket']), run([], { SLACK_APP_TOKEN: 'xapp-1' }), run([])])
      expect(made).toEqual({ said: base, faults: '' });
  });

  test.each([
    [['--socket'], { stdout: base, stderr: '', status: 0 }],
    [['--sockets'], { stdout: '', stderr: expect.stringMatching(/^Unknown option/), status: 1 }],
  ])('is a program, which with %j prints or says why not', (parameters, ended) => {
    const options = { env: programEnv, encoding: 'utf8' } as const;
    expect(spawnSync(process.execPath, ['src/manifest.ts', ...parameters], options)).toMatchObject(ended);
  });

  test('prints what the environment asks for, with the address of the bot', () => {
    const made = parse(
      run(['--url', 'https://bot.example'], {
        COMMAND_PREFIX: 'exam',
        BOT_NAME: 'Examiner',
        MCP_ENABLED: 'true',
        WORKFLOW_STEPS_ENABLED: 'true',
      }).said,
    );
    expect(made).toEqual(
      manifestFor(base, {
        names: { commandPrefix: 'exam', botName: 'Examiner' },
        eventsUrl: 'https://bot.example/slack/events',
        agentsUrl: 'https://bot.example/mcp',
        hasSteps: true,
      }),
    );
  });

  test('prints the manifest of a tenant, before it has any secret', () => {
    const tenantsFile = join(temporaryDirectory(), 'tenants.yml');
    writeFileSync(
      tenantsFile,
      [
        'tenants:',
        '  acme: { COMMAND_PREFIX: exam, BOT_NAME: Examiner, MCP_ENABLED: true, SLACK_BOT_TOKEN_ENV: ACME_TOKEN }',
        '  north: { SLACK_APP_TOKEN_FILE: /run/secrets/north }',
      ].join('\n'),
    );
    const ofTenant = (parameters: string[]) => run(parameters, { TENANTS_FILE: tenantsFile });
    expect(parse(ofTenant(['acme', '--url', 'https://bot.example']).said)).toEqual(
      manifestFor(base, {
        names: { commandPrefix: 'exam', botName: 'Examiner' },
        eventsUrl: 'https://bot.example/slack/events/acme',
        agentsUrl: 'https://bot.example/mcp/acme',
        hasSteps: false,
      }),
    );
    expect(ofTenant(['north']).said).toBe(base);
    for (const name of ['gone', 'other'])
      expect(ofTenant([name]).faults).toBe(`TENANTS_FILE has no tenant ${name}. It has: acme, north.\n`);
    expect(ofTenant(['--socket']).faults).toMatch(/^Name a tenant of TENANTS_FILE/);
    expect(run(['acme', '--socket']).faults).toMatch(/^TENANTS_FILE is not set/);
  });

  test.each([
    ['HTTP and no address', [], { SLACK_SIGNING_SECRET: 'signing' }, /^Name the public address of the bot/],
    ['an address that Slack refuses', ['--url', 'http://bot.example'], {}, /^--url must be an https address/],
    ['agents and no address', ['--socket'], { MCP_ENABLED: 'true' }, /^MCP_ENABLED is true/],
    ['a name that Slack refuses', ['--socket'], { COMMAND_PREFIX: '/exam' }, /^COMMAND_PREFIX must be/],
    ['another parameter', ['--sockets'], {}, /^Unknown option/],
  ])('prints no manifest for %s', (_name, parameters, env, said) => {
    expect(run(parameters, env)).toEqual({ said: '', faults: expect.stringMatching(said) });
  });
});

test.each([
  ['an unknown part', { ...manifest, feature: {} }],
  [
    'a long name of a shortcut',
    { ...manifest, features: { ...manifest.features, shortcuts: [{ ...shortcuts[0], name: 'n'.repeat(25) }] } },
  ],
  [
    'an optional scope that is in no other list',
    { ...manifest, oauth_config: { scopes: { bot: ['commands'], bot_optional: ['dnd:read'] } } },
  ],
  ['a scope twice', { ...manifest, oauth_config: { scopes: { bot: ['commands', 'commands'] } } }],
])('the schema refuses %s', (_name, broken) => {
  expect(manifestSchema.safeParse(broken).success).toBe(false);
});

test('the bot recognizes each command under another name with the same ending', () => {
  const renamed = commands.map(({ command }) => command.replace('/quiz', '/exam'));
  const names = commands.map(({ command }) => command);
  for (const [index, name] of names.entries()) {
    const matching = names.filter((candidate) => commandPattern(candidate, names).test(renamed[index]!));
    expect(matching).toEqual([name]);
    expect(names.filter((candidate) => commandPattern(candidate, names).test(name))).toEqual([name]);
  }
});
