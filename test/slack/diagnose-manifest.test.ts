import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { standardNames } from '../../src/domain/own-names.ts';
import { manifestFor, type AppManifest, type ManifestOptions } from '../../src/slack/app-manifest.ts';
import { differencesOf, othersIn } from '../../src/slack/diagnose-manifest.ts';

const base = readFileSync('manifest.yml', 'utf8');
const eventsUrl = 'https://bot.example/slack/events';
const options: ManifestOptions = {
  names: standardNames,
  eventsUrl,
  agentsUrl: 'https://bot.example/mcp',
  hasSteps: true,
};
const expected = manifestFor(base, options);

/** The manifest of the app, after someone changed it. */
const changed = (change: (manifest: AppManifest) => void): AppManifest => {
  const manifest = structuredClone(expected);
  change(manifest);
  return manifest;
};

test('an app with its manifest differs in nothing', () => {
  expect(differencesOf(expected, expected)).toEqual([]);
  expect(othersIn(expected, expected)).toEqual([]);
});

describe('an app that was changed', () => {
  test.each<[string, (manifest: AppManifest) => void]>([
    ['is called Quizzes instead of Invigilator', ({ display_information: about }) => (about.name = 'Quizzes')],
    [
      'has a bot that is called quizzes instead of Invigilator',
      ({ features: { bot_user: bot } }) => (bot.display_name = 'quizzes'),
    ],
    ['lacks the command /quiz-admin', ({ features: { slash_commands: commands } }) => commands.pop()],
    [
      'sends /quiz to https://old.example/slack/events instead of https://bot.example/slack/events',
      ({ features }) => (features.slash_commands[0]!.url = 'https://old.example/slack/events'),
    ],
    [
      'sends /quiz without the IDs of people and channels (should_escape)',
      ({ features }) => (features.slash_commands[0]!.should_escape = false),
    ],
    ['lacks the shortcut import-message', ({ features: { shortcuts } }) => shortcuts.pop()],
    ['lacks the scope commands', ({ oauth_config: { scopes } }) => scopes.bot.shift()],
    ['lacks the event function_executed', ({ settings }) => settings.event_subscriptions.bot_events.pop()],
    ['has Socket Mode turned on', ({ settings }) => (settings.socket_mode_enabled = true)],
    ['has interactivity turned off', ({ settings }) => (settings.interactivity.is_enabled = false)],
    [
      'sends events to nowhere instead of https://bot.example/slack/events',
      ({ settings }) => delete settings.event_subscriptions.request_url,
    ],
    [
      'sends interactions to https://old.example instead of https://bot.example/slack/events',
      ({ settings }) => (settings.interactivity.request_url = 'https://old.example'),
    ],
    ['lacks the function list_groups', ({ functions }) => delete functions?.['list_groups']],
    ['lacks the MCP server, so that Slackbot has no tools', (manifest) => delete manifest.mcp_servers],
  ])('%s', (difference, change) => {
    expect(differencesOf(expected, changed(change))).toEqual([difference]);
  });

  test('lacks nothing where a scope is missing that people can refuse', () => {
    const found = changed(
      ({ oauth_config: { scopes } }) => (scopes.bot = scopes.bot.filter((scope) => scope !== 'dnd:read')),
    );
    expect(differencesOf(expected, found)).toEqual([]);
  });

  test('has what the bot does not use', () => {
    const found = changed(({ features, oauth_config: { scopes }, settings }) => {
      features.slash_commands.push({ command: '/other' });
      features.shortcuts.push({ callback_id: 'other', type: 'global' });
      scopes.bot.push('chat:write.public');
      settings.event_subscriptions.bot_events.push('reaction_added');
    });
    expect(differencesOf(expected, found)).toEqual([]);
    expect(othersIn(expected, found)).toEqual([
      'has the command /other',
      'has the shortcut other',
      'has the scope chat:write.public',
      'has the event reaction_added',
    ]);
  });

  test('has other commands where it was made with other names', () => {
    const found = manifestFor(base, { ...options, names: { commandPrefix: 'exam', botName: 'Examiner' } });
    expect(differencesOf(expected, found).filter((difference) => difference.startsWith('lacks'))).toHaveLength(6);
    expect(othersIn(expected, found)).toHaveLength(6);
  });

  test('in Socket Mode can have any address', () => {
    const socket = manifestFor(base, { ...options, eventsUrl: undefined });
    const found = structuredClone(socket);
    found.settings.event_subscriptions.request_url = 'https://old.example';
    expect(differencesOf(socket, found)).toEqual([]);
  });

  test('lacks everything where Slack says nothing', () => {
    expect(differencesOf(expected, {}).length).toBeGreaterThan(50);
    expect(othersIn(expected, {})).toEqual([]);
  });
});
