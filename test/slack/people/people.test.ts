import { WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import type { Person } from '../../../src/sandbox/workspace/model.ts';
import { people, teamId } from '../../../src/sandbox/workspace/people.ts';
import { startWorkspace } from '../../../src/sandbox/workspace/workspace.ts';
import { slackLogger } from '../../../src/slack/connection/connection.ts';
import { lookUpPerson } from '../../../src/slack/people/people.ts';
import { recordingLog } from '../../support/log.ts';

const elsewhere: Person = { ...people.ivo, teamId: 'T0ELSEWHERE', enterpriseId: 'E0OWN' };

test.each<[string, Person, string | undefined, Partial<Awaited<ReturnType<typeof lookUpPerson>>>]>([
  ['a colleague', people.ada, undefined, { outsider: undefined, emailAddress: 'ada@quiz.example' }],
  ['a guest', people.lena, undefined, { outsider: 'guest' }],
  ['a deactivated person', people.dora, undefined, { outsider: 'deactivated' }],
  ['a person of another company who has the address of a colleague', people.ivo, undefined, { outsider: 'stranger' }],
  ['a person of another company, where the bot is in an organization', people.ivo, 'E0OWN', { outsider: 'stranger' }],
  ['a person of another workspace of the same organization', elsewhere, 'E0OWN', { outsider: undefined }],
  ['a person of an organization, where the bot is in none', elsewhere, undefined, { outsider: 'stranger' }],
  [
    'a person whose address is not confirmed',
    people.aisha,
    undefined,
    { outsider: undefined, emailAddress: undefined, isUnconfirmed: true },
  ],
])('Slack describes %s', async (_, person, enterpriseId, expected) => {
  const enterprise =
    enterpriseId === undefined ? undefined : { id: enterpriseId, name: 'Own', isInstalledForAll: false };
  const workspace = await startWorkspace({
    manifestPath: 'manifest.yml',
    botToken: 'xoxb-people',
    signingSecret: 'signing',
    ...(enterprise && { enterprise }),
  });
  onTestFinished(() => workspace.close());
  workspace.setPerson(person);
  const client = new WebClient('xoxb-people', {
    slackApiUrl: workspace.apiUrl,
    logger: slackLogger(recordingLog().log),
  });
  expect(await lookUpPerson(client, person.id, async () => ({ teamId, enterpriseId }))).toMatchObject(expected);
});
