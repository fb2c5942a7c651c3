import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { leadsChannelId } from '../support/approvals.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, erin, rosa } = people;

function auditTextIn({ workspace }: TestBed): string {
  return workspace.messages(leadsChannelId).map(textOf).join('\n');
}

test('the audit channel gets changes and refusals, but not reads', async () => {
  const testBed = await startTestBed({ env: { AUDIT_CHANNEL: leadsChannelId }, clock: fastClock(20) });
  await (await testBed.workspace.as(ada.id).command('/quiz list')).reply();
  await (await testBed.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await (await testBed.workspace.as(rosa.id).command('/quiz close forklift')).reply();
  await testBed.workspace.until(() => auditTextIn(testBed).includes('refused'), 10_000);
  expect(auditTextIn(testBed)).toContain(`<@${erin.id}> · *close quiz: Workplace safety basics* · done`);
  expect(auditTextIn(testBed)).toContain(`<@${rosa.id}> · *close quiz* · refused`);
  expect(auditTextIn(testBed)).not.toContain('list quizzes');
});

test('entries that the audit channel rejects are posted in one message when it accepts messages again', async () => {
  const testBed = await startTestBed({ env: { AUDIT_CHANNEL: leadsChannelId }, clock: fastClock(20) });
  const removeFault = testBed.workspace.faults.inject({ kind: 'api-error', error: 'is_archived' }, { method: 'chat.postMessage', when: ({ channel }) => channel === leadsChannelId });
  await (await testBed.workspace.as(erin.id).command('/quiz close workplace')).reply();
  await testBed.workspace.until(() => testBed.workspace.calls.some(({ method, error }) => method === 'chat.postMessage' && error !== undefined));
  await (await testBed.workspace.as(erin.id).command('/quiz open workplace')).reply();
  removeFault();
  await testBed.workspace.until(() => auditTextIn(testBed).includes('open quiz'), 10_000);
  expect(testBed.workspace.messages(leadsChannelId)).toHaveLength(1);
  expect(auditTextIn(testBed)).toContain('close quiz');
});
