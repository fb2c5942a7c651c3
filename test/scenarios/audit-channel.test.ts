import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { leads } from '../support/approvals.ts';
import { startHouse, textOf, type House } from '../support/test-bed.ts';

const { ada, erin, rosa } = people;

function saidIn({ workspace }: House): string {
  return workspace.messages(leads).map(textOf).join('\n');
}

test('the audit channel hears of what is done and refused, and not of what is merely read', async () => {
  const house = await startHouse({ env: { AUDIT_CHANNEL: leads } });
  await (await house.workspace.as(ada.id).command('/quiz list')).reply();
  await (await house.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await (await house.workspace.as(rosa.id).command('/quiz close forklift')).reply();
  await house.workspace.until(() => saidIn(house).includes('refused'), 10_000);
  expect(saidIn(house)).toContain(`<@${erin.id}> · *close quiz: Workplace safety basics* · done`);
  expect(saidIn(house)).toContain(`<@${rosa.id}> · *close quiz* · refused`);
  expect(saidIn(house)).not.toContain('list quizzes');
});

test('what the audit channel did not take is posted when it does, in one message', async () => {
  const house = await startHouse({ env: { AUDIT_CHANNEL: leads } });
  const mend = house.workspace.faults.inject({ kind: 'api-error', error: 'is_archived' }, { method: 'chat.postMessage', when: ({ channel }) => channel === leads });
  await (await house.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await house.workspace.until(() => house.workspace.calls.some(({ method, error }) => method === 'chat.postMessage' && error !== undefined));
  await (await house.workspace.as(erin.id).command('/quiz open workplace')).reply();
  mend();
  await house.workspace.until(() => saidIn(house).includes('open quiz'), 10_000);
  expect(house.workspace.messages(leads)).toHaveLength(1);
  expect(saidIn(house)).toContain('close quiz');
});
