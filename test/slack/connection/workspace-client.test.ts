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
} from '../../../src/slack/connection/client.ts';

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
