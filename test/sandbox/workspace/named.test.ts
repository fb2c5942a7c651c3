import { expect, onTestFinished, test } from 'vitest';
import { people, teamId } from '../../../src/sandbox/workspace/people.ts';
import { openWorkspace } from './support/bolt-bot.ts';
import { answerOf } from './support/web-api.ts';

const open = async (...given: Parameters<typeof openWorkspace>) => {
  const workspace = await openWorkspace(...given);
  onTestFinished(() => workspace.close());
  return workspace;
};

test('a workspace has a name, which Slack gives to apps and shows to people', async () => {
  const workspace = await open({ teamName: 'Bread & <b>Butter</b>', manifestPath: 'manifest.yml' });
  expect(await answerOf(workspace, 'auth.test')).toMatchObject({ team: 'Bread & <b>Butter</b>', team_id: teamId });
  expect(await answerOf(workspace, 'team.info')).toMatchObject({ team: { name: 'Bread & <b>Butter</b>' } });
  expect(await answerOf(workspace, 'auth.teams.list')).toMatchObject({ teams: [{ name: 'Bread & <b>Butter</b>' }] });
  const page = await fetch(workspace.url);
  expect(await page.text()).toContain('<title>Bread &amp; &lt;b>Butter&lt;/b></title>');
  const state = await fetch(`${workspace.url}page/state?as=${people.ada.id}`);
  expect(await state.json()).toMatchObject({ teamName: 'Bread & <b>Butter</b>' });
});
