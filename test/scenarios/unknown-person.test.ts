import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const { ada, erin } = people;

test('a member whom the quiz account does not know costs one request and one entry on the record, however often they come', async () => {
  const { workspace, requests } = await startTestBed({ quizService: { sample: 'empty' }, env: { OWNERS: ada.id } });
  const reply = async (personId: string, line: string) =>
    textOf(await (await workspace.as(personId).command(line)).reply());
  for (let n = 0; n < 20; n += 1) {
    expect(await reply(erin.id, '/quiz help')).toContain('quiz account');
    expect(await reply(erin.id, '/quiz list')).toContain('quiz account');
  }
  expect(requests.filter((request) => request.includes('/users/find'))).toHaveLength(1);
  expect(requests.length).toBeLessThan(10);
  expect(await reply(ada.id, '/quiz-admin audit verify')).toContain('The audit trail is complete: 1 entry');
  expect(await reply(ada.id, '/quiz list')).not.toContain('a lot in a short time');
});
