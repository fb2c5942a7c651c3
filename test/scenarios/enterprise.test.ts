import { expect, test } from 'vitest';
import { people, teamId, teamName } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const second = { id: 'T0SECOND', name: 'Second workspace' };
const enterprise = {
  id: 'E0OWN',
  name: 'Quiz Example',
  isInstalledForAll: true,
  workspaces: [{ id: teamId, name: teamName }, second],
};

test('an installation for a whole organization serves the people of all its workspaces, and nobody else', async () => {
  const { workspace, lines } = await startTestBed({ workspace: { enterprise } });
  workspace.setPerson({ ...people.erin, teamId: second.id, enterpriseId: enterprise.id });
  const erin = workspace.as(people.erin.id);
  const view = await (await erin.shortcut('close-quiz')).view();
  const [quiz] = (await erin.options(view, 'quiz', '')).options ?? [];
  const { view: end } = await erin.submit(view, { quiz: [quiz!] });
  expect(textOf(end)).toContain('Closed *');

  const ivo = await workspace.as(people.ivo.id).command('/quiz list', { channel: workspace.channels.partners.id });
  expect(textOf(await ivo.reply())).toContain('You’re from another workspace');
  expect(lines.join('')).not.toContain('"operation":"enter"');
});

test('a quiz is assigned to the people of a user group, whichever workspace of the organization has it', async () => {
  const { workspace, requests } = await startTestBed({ workspace: { enterprise } });
  const night = { handle: 'night', name: 'Night shift', members: [people.rosa.id, people.ravi.id] };
  workspace.setUserGroup({ id: 'S0NIGHT', ...night, teamId: second.id });
  const ada = workspace.as(people.ada.id);
  const question = await (await ada.command('/quiz assign workplace to @night')).reply();
  expect(textOf(question)).toContain('*@night* has 2 people.');
  const asked = workspace.calls.filter(({ method }) => method === 'usergroups.users.list');
  expect(asked.map(({ args, ok }) => [args['team_id'], ok])).toEqual([
    [teamId, false],
    [second.id, true],
  ]);
  await ada.click(question, 'choose:confirmed');
  await expect.poll(() => requests.filter((request) => !request.startsWith('GET')).length).toBe(2);
});

test('a person of another company is refused in a shared channel, whatever address they have', async () => {
  const { workspace } = await startTestBed();
  const outcome = await workspace.as(people.ivo.id).command('/quiz list', { channel: workspace.channels.partners.id });
  expect(textOf(await outcome.reply())).toContain('another workspace');
});

test('a person who has not confirmed their address is nobody', async () => {
  const { workspace } = await startTestBed();
  expect(textOf(await (await workspace.as(people.aisha.id).command('/quiz mine')).reply())).toContain(
    'You haven’t confirmed your Slack e-mail address',
  );
});

test('a person who was deactivated a moment ago changes nothing', async () => {
  const { workspace, requests } = await startTestBed();
  const erin = workspace.as(people.erin.id);
  await (await erin.command('/quiz list')).reply();
  workspace.setPerson({ ...people.erin, isGuest: true });
  const reply = await (await erin.command('/quiz close fire')).reply();
  expect(textOf(reply)).toContain('Guests of this workspace');
  expect(requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
});
