import { readFileSync, globSync } from 'node:fs';
import { LogLevel } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { people, teamId, teamName, userGroups } from '../../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../../src/sandbox/workspace/workspace.ts';
import {
  createBotIdentity,
  createWorkspaceClient,
  createWorkspaces,
  methodsPerWorkspace,
  createObservedFetch,
  slackLogger,
  createRateLimitFetch,
} from '../../../src/slack/connection/client.ts';
import { WebClient } from '@slack/web-api';
import { Registry } from 'prom-client';
import { createSlackMetrics } from '../../../src/slack/metrics.ts';
import { recordingLog } from '../../support/log.ts';

const { ada, maya, erin } = people;
const second = { id: 'T0SECOND', name: 'Second workspace' };
const organization = (workspaces: readonly { id: string; name: string }[]) => ({
  id: 'E0OWN',
  name: 'Quiz Example',
  isInstalledForAll: true,
  workspaces,
});
const both = organization([{ id: teamId, name: teamName }, second]);

async function setUp(enterprise?: ReturnType<typeof organization>) {
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken: 'xoxb-t',
    signingSecret: 's',
    ...(enterprise && { enterprise }),
  });
  onTestFinished(() => workspace.close());
  const clock = { now: 1 };
  const client: ReturnType<typeof createWorkspaceClient> = createWorkspaceClient(
    'xoxb-t',
    { slackApiUrl: workspace.apiUrl, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR },
    () => workspaces(),
  );
  const now = () => clock.now;
  const workspaces = createWorkspaces({ client, identity: createBotIdentity(client, now), now });
  const teamsOf = (method: string) =>
    workspace.calls.filter((call) => call.method === method).map(({ args }) => args['team_id']);
  return { workspace, client, clock, teamsOf };
}

test('every method that the bot calls and that needs a workspace with the token of an organization gets one', () => {
  const types = globSync('node_modules/@slack/web-api/dist/types/request/*.d.ts').map((path) =>
    readFileSync(path, 'utf8'),
  );
  const needsWorkspace = new Set(
    types.flatMap((text) =>
      [...text.matchAll(/export (?:type|interface) (\w+)Arguments\b[^;{]*OptionalTeamAssignable/g)].map(
        ([, name]) => name,
      ),
    ),
  );
  expect(needsWorkspace).toContain('DndTeamInfo');
  // The types lack it: https://docs.slack.dev/reference/methods/team.profile.get
  needsWorkspace.add('TeamProfileGet');
  const called = new Set(
    globSync('src/**/*.ts', { exclude: ['src/sandbox/**'] }).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\bclient\.((?:\w+\.)+\w+)\(/g)].map(([, method = '']) => method),
    ),
  );
  const nameOf = (method: string) => method.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
  expect([...called].filter((method) => needsWorkspace.has(nameOf(method))).toSorted()).toEqual(
    methodsPerWorkspace.toSorted(),
  );
});

test('with the token of a workspace, each call is about that workspace', async () => {
  const { client, teamsOf, workspace } = await setUp();
  await client.usergroups.users.list({ usergroup: userGroups.kitchen.id });
  await client.dnd.teamInfo({ users: ada.id });
  expect([teamsOf('usergroups.users.list'), teamsOf('dnd.teamInfo')]).toEqual([[teamId], [teamId]]);
  expect(workspace.calls.map(({ method }) => method)).not.toContain('auth.teams.list');
});

test('the people of an organization are listed workspace by workspace, page by page', async () => {
  const { workspace, client } = await setUp(both);
  workspace.setPerson({ ...erin, teamId: second.id, enterpriseId: both.id });
  const ids: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    const { members = [], response_metadata } = await client.users.list({ limit: 5, ...(cursor && { cursor }) });
    ids.push(...members.map(({ id }) => id));
    cursor = response_metadata?.next_cursor;
  } while (cursor);
  expect(ids).toContain(ada.id);
  expect(ids.at(-1)).toBe(erin.id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('do-not-disturb is asked of the next workspace for those whom the first does not know', async () => {
  const { workspace, client } = await setUp(both);
  workspace.setPerson({ ...maya, teamId: second.id, enterpriseId: both.id });
  const { users = {} } = await client.dnd.teamInfo({ users: `${ada.id},${maya.id}` });
  expect(users).toMatchObject({ [ada.id]: { dnd_enabled: false }, [maya.id]: { dnd_enabled: true } });
  const asked = workspace.calls.filter(({ method }) => method === 'dnd.teamInfo').map(({ args }) => args['users']);
  expect(asked).toEqual([`${ada.id},${maya.id}`, maya.id]);
});

test('a workspace that gets the app later is known within ten minutes', async () => {
  const workspaces = [{ id: teamId, name: teamName }];
  const { client, clock, teamsOf, workspace } = await setUp(organization(workspaces));
  const find = () => client.usergroups.users.list({ usergroup: 'S0GONE' }).catch(() => {});
  await find();
  workspaces.push(second);
  await find();
  clock.now += 10 * 60_000;
  await find();
  expect(teamsOf('usergroups.users.list')).toEqual([teamId, teamId, teamId, second.id]);
  expect(workspace.calls.filter(({ method }) => method === 'auth.teams.list')).toHaveLength(2);
});

const apiUrl = 'https://slack.test/api/';

function observing(answer: () => Response | Promise<Response>) {
  const { log, lines } = recordingLog();
  const metrics = createSlackMetrics(new Registry());
  const fetch = createObservedFetch({ apiUrl, metrics, log, fetch: async () => answer() });
  const client = new WebClient('xoxb-canary', {
    slackApiUrl: apiUrl,
    fetch,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logger: slackLogger(recordingLog().log),
  });
  const errors = async () =>
    (await metrics.errors.get()).values
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => ({ ...labels, value }));
  return { client, fetch, errors, lines };
}

const json = (body: object, init: ResponseInit = {}) => Response.json(body, init);

test('a successful call is observed with method, status and duration, and the caller gets the answer', async () => {
  const { client, errors, lines } = observing(() => json({ ok: true, ts: '1.2', message: { text: '"ok": false' } }));
  expect(await client.chat.postMessage({ channel: 'C1', text: 'Canary passed' })).toMatchObject({ ts: '1.2' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'called Slack', level: 'debug', method: 'chat.postMessage', status: 200, durationMs: expect.any(Number) },
  ]);
  expect(lines.join('')).not.toMatch(/canary/i);
  expect(await errors()).toEqual([]);
});

test.each<[string, () => Response | Promise<Response>, string]>([
  ['an error in an answer', () => json({ ok: false, error: 'channel_not_found' }), 'channel_not_found'],
  ['a 429', () => json({ ok: false }, { status: 429, headers: { 'retry-after': '3' } }), 'ratelimited'],
  ['a page in place of an answer', () => new Response('<html>', { status: 502 }), 'http_502'],
  [
    'no answer at all',
    () =>
      Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
      ),
    'ECONNREFUSED',
  ],
  ['no answer in time', () => Promise.reject(new DOMException('late', 'TimeoutError')), 'timeout'],
])('%s is counted by method and code', async (_what, answer, code) => {
  const { client, errors, lines } = observing(answer);
  await expect(client.chat.postMessage({ channel: 'C1', text: 'x' })).rejects.toThrow();
  expect(await errors()).toEqual([{ method: 'chat.postMessage', code, value: 1 }]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', method: 'chat.postMessage', code }]);
});

test('URLs for responses and files are observed by their purpose, and the number of different codes is limited', async () => {
  let count = 0;
  const { fetch, errors, lines } = observing(() => json({ ok: false, error: `code_${(count += 1)}` }));
  await fetch('https://hooks.slack.com/commands/T1/2/canary', { method: 'POST' });
  await fetch('https://files.slack.com/upload/v1/canary', { method: 'POST' });
  for (let call = 0; call < 300; call += 1) await fetch(`${apiUrl}chat.update`, { method: 'POST' });
  const told = await errors();
  expect(new Set(told.map((error) => 'method' in error && error.method))).toEqual(
    new Set(['response_url', 'upload', 'chat.update']),
  );
  expect(told.length).toBeLessThan(210);
  expect(lines.join('')).not.toContain('canary');
});

/** A Slack that returns these answers in order. */
function openLimited(...answers: [status: number, retryAfter?: string][]) {
  const waits: number[] = [];
  let calls = 0;
  const fetch = createRateLimitFetch(
    async () => {
      const [status, retryAfter] = answers[Math.min(calls, answers.length - 1)]!;
      calls += 1;
      return new Response('', { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } });
    },
    async (ms) => void waits.push(ms),
  );
  return { ask: async () => (await fetch('https://slack.test/api/x')).status, waits, calls: () => calls };
}

test('waits when Slack asks for one second', async () => {
  const { ask, waits } = openLimited([429, '1'], [429, '2'], [200]);
  expect(await ask()).toBe(200);
  expect(waits).toEqual([1_000, 2_000]);
});

test('returns a 429 with a longer wait, with a repeated wait or without a time', async () => {
  for (const answers of [[[429, '3']], [[429]], [[429, 'soon']]] as [number, string?][][]) {
    const { ask, calls } = openLimited(...answers);
    expect([await ask(), calls()]).toEqual([429, 1]);
  }
  const { ask, calls } = openLimited([429, '1']);
  expect([await ask(), calls()]).toEqual([429, 3]);
});

test('returns other answers unchanged', async () => {
  const { ask, calls } = openLimited([500, '1']);
  expect([await ask(), calls()]).toEqual([500, 1]);
});
