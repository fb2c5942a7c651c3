import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { agentWith, withAgents } from '../support/agents.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const { ada, erin } = people;

test('RIGHTS narrows what everyone can do, by command and agent, and whoami says so', async () => {
  const testBed = await startTestBed({
    env: {
      ...withAgents,
      OWNERS: ada.id,
      RIGHTS: 'close-quiz:nobody,list-quizzes:administrators,rename-quiz:approval',
    },
  });
  const reply = async (personId: string, line: string) =>
    textOf(await (await testBed.workspace.as(personId).command(line)).reply());
  const [token = ''] = /inv_[\w-]+/.exec(await reply(erin.id, '/quiz-admin token editor')) ?? [];
  expect(await reply(ada.id, '/quiz close workplace')).toContain('nobody can do this from here');
  expect(await reply(erin.id, '/quiz list')).toContain('only administrators can do this');
  expect(await reply(ada.id, '/quiz list')).toContain('Workplace safety');
  expect(await reply(erin.id, '/quiz-admin whoami')).toContain('close-quiz (nobody)');

  const agent = await agentWith(testBed, token);
  expect((await agent.listTools()).tools.map(({ name }) => name)).not.toContain('list-quizzes');
  const closed = await agent.callTool({ name: 'close-quiz', arguments: { quiz: 'workplace' } });
  expect(JSON.stringify(closed)).toContain('nobody can do this from here');
  const renamed = await testBed.workspace.as(erin.id).command('/quiz rename workplace to Safety --reason Shorter');
  expect(textOf(await renamed.reply())).toContain('Approval requested');
  expect(testBed.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
});
