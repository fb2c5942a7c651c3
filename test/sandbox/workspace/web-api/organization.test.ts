import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { people, teamId, teamName, userGroups } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { openWorkspace } from '../support/bolt-bot.ts';
import { answerOf } from '../support/web-api.ts';

const { ada, erin, ivo } = people;
const second = { id: 'T0SECOND', name: 'Second workspace' };
const enterprise = {
  id: 'E0OWN',
  name: 'Quiz Example',
  isInstalledForAll: true,
  workspaces: [{ id: teamId, name: teamName }, second],
};
const manifestPath = 'manifest.yml';
let workspace: Workspace;

beforeEach(async () => {
  workspace = await openWorkspace({ enterprise, manifestPath });
  workspace.setPerson({ ...erin, teamId: second.id, enterpriseId: enterprise.id });
});
afterEach(() => workspace.close());

/** The methods of the sandbox for which Slack's reference says “required if org token is used”. */
const perWorkspace: readonly [string, object][] = [
  ['users.list', {}],
  ['usergroups.users.list', { usergroup: userGroups.kitchen.id }],
  ['dnd.teamInfo', { users: ada.id }],
];

describe('the token of an organization (https://docs.slack.dev/enterprise/developing-for-enterprise-orgs)', () => {
  it.each(perWorkspace)('needs a workspace for %s', async (method, args) => {
    expect(await answerOf(workspace, method, { ...args })).toMatchObject({ error: 'missing_argument', arg: 'team_id' });
    expect(await answerOf(workspace, method, { ...args, team_id: enterprise.id })).toMatchObject({
      error: 'team_access_not_granted',
    });
    expect(await answerOf(workspace, method, { ...args, team_id: teamId })).toMatchObject({ ok: true });
  });

  it('belongs to the organization, and lists its workspaces', async () => {
    expect(await answerOf(workspace, 'auth.test')).toMatchObject({
      team_id: enterprise.id,
      enterprise_id: enterprise.id,
      is_enterprise_install: true,
    });
    expect(await answerOf(workspace, 'auth.teams.list')).toMatchObject({ teams: enterprise.workspaces });
  });

  it('sees the people of the workspace that it names', async () => {
    const idsIn = async (team: string) =>
      Object(await answerOf(workspace, 'users.list', { team_id: team, limit: 200 })).members.map(
        ({ id }: { id: string }) => id,
      );
    expect(await idsIn(second.id)).toEqual([erin.id]);
    expect(await idsIn(teamId)).toContain(ada.id);
    expect(await idsIn(teamId)).not.toContain(erin.id);
    const answer = await answerOf(workspace, 'dnd.teamInfo', { users: `${ada.id},${erin.id}`, team_id: second.id });
    expect(Object.keys(Object(answer).users)).toEqual([erin.id]);
  });

  it('knows its own people by the organization, and outsiders by theirs', async () => {
    const enterpriseOf = async (user: string) =>
      Object(await answerOf(workspace, 'users.info', { user })).user.enterprise_user?.enterprise_id;
    expect(await Promise.all([ada.id, erin.id, ivo.id].map(enterpriseOf))).toEqual([
      enterprise.id,
      enterprise.id,
      ivo.enterpriseId,
    ]);
  });
});

it.each(perWorkspace)('the token of a workspace needs none for %s', async (method, args) => {
  const plain = await openWorkspace({ manifestPath });
  try {
    expect(await answerOf(plain, method, { ...args })).toMatchObject({ ok: true });
  } finally {
    await plain.close();
  }
});
