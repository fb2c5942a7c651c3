import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { catalog } from '../src/operations/catalog.ts';
import { commandAndVerb } from '../src/slack/command-line.ts';

const manifest = parse(readFileSync('manifest.yml', 'utf8'));
const readme = readFileSync('README.md', 'utf8');
const commands: { command: string; usage_hint: string; description: string; should_escape: boolean }[] = manifest.features.slash_commands;
const shortcuts: { callback_id: string; type: string; name: string }[] = manifest.features.shortcuts;

test('the manifest has exactly the commands of the catalog', () => {
  const known = new Set(catalog.map((operation) => commandAndVerb(operation).command));
  expect(commands.map(({ command }) => command)).toEqual([...known]);
});

test('the usage hint of a command names exactly its verbs', () => {
  for (const { command, usage_hint } of commands) {
    const verbs = catalog.map(commandAndVerb).filter((own) => own.command === command).map(({ verb }) => verb);
    expect(usage_hint.split('|').map((part) => part.trim().split(' ')[0])).toEqual([...verbs, 'help']);
  }
});

test('Slack sends user IDs for mentions in commands', () => {
  for (const command of commands) expect(command.should_escape).toBe(true);
});

test('every global shortcut opens the form of an operation', () => {
  const global = shortcuts.filter(({ type }) => type === 'global').map(({ callback_id }) => callback_id);
  expect(global).toEqual(['create-user', 'assign-quiz', 'close-quiz', 'suspend-user']);
  for (const name of global) expect(catalog.map((operation) => operation.name)).toContain(name);
});

test('the README gives a reason for exactly the scopes of the manifest', () => {
  const scopes: string[] = manifest.oauth_config.scopes.bot;
  const rows = [...readme.matchAll(/^\| ((?:`[a-z]+:?[a-z:._]*`(?:, )?)+) \|/gm)].map(([, row = '']) => row);
  const explained = rows.flatMap((row) => row.split(', ')).map((scope) => scope.replaceAll('`', '')).filter((scope) => scopes.includes(scope) || scope.includes(':'));
  expect(explained).toEqual(scopes);
});

test('the README lists every command with the catalog’s summary', () => {
  for (const { command, summary } of catalog) expect(readme).toContain(`| \`${command}\` | ${summary} |`);
});

test('the long description has a length that Slack accepts', () => {
  const length = manifest.display_information.long_description.length;
  expect(length).toBeGreaterThanOrEqual(174);
  expect(length).toBeLessThanOrEqual(4_000);
});
