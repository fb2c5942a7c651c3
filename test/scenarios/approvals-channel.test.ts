import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, hasButton, startApprovalsTestBed } from '../support/approvals.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, dora, tom, uma } = people;

describe('without a usable approvals channel', () => {
  test.each([
    ['is archived', { APPROVALS_CHANNEL: 'C0ARCHIVED' }, 'the channel is archived'],
    ['does not have the bot in it', { APPROVALS_CHANNEL: 'C0GENERAL' }, 'Invigilator isn’t in the channel'],
    ['does not exist', { APPROVALS_CHANNEL: 'C0NOWHERE' }, 'Invigilator isn’t in the channel'],
  ])('administrators get direct messages and the requester is notified when the channel %s', async (_, env, why) => {
    const testBed = await startApprovalsTestBed({ env });
    const { approve, messageWith, directMessageWith } = approvalActions(testBed);
    await testBed.workspace.as(uma.id).command('/quiz-user suspend rosa almeida --reason “She has left”');
    expect(await directMessageWith(uma.id, why)).toContain('can decide until');
    const [request] = testBed.workspace.directMessages(ada.id);
    expect(hasButton(request, 'modal:decide-request')).toBe(true);
    expect(hasButton(testBed.workspace.directMessages(tom.id)[0], 'modal:decide-request')).toBe(true);
    await approve(ada.id, request!);
    await messageWith(request!, 'approved:');
    await messageWith(testBed.workspace.directMessages(tom.id)[0]!, 'approved:');
    expect(
      testBed.quizService.database.get("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'"),
    ).toEqual({ suspended: 1 });
  });

  test('all administrators except the requester get direct messages when no channel is set', async () => {
    const testBed = await startApprovalsTestBed({ env: { APPROVALS_CHANNEL: '' } });
    await testBed.workspace.as(ada.id).command('/quiz delete forklift --reason Old');
    const request = await testBed.workspace.until(() => testBed.workspace.directMessages(tom.id)[0]);
    expect(hasButton(request, 'modal:decide-request')).toBe(true);
    expect(
      testBed.workspace.directMessages(ada.id).filter(({ metadata }) => metadata?.event_type === 'approval_request'),
    ).toEqual([]);
  });

  test('a deactivated owner keeps the request from nobody else', async () => {
    const testBed = await startApprovalsTestBed({ env: { APPROVALS_CHANNEL: '', OWNERS: `${dora.id},${tom.id}` } });
    await testBed.workspace.as(ada.id).command('/quiz delete forklift --reason Old');
    await testBed.workspace.until(() => testBed.workspace.directMessages(tom.id)[0]);
    expect(testBed.workspace.directMessages(dora.id)).toEqual([]);
  });

  test('a request that reaches nobody is in the log, in a metric and in the state of the bot', async () => {
    const testBed = await startApprovalsTestBed({ env: { APPROVALS_CHANNEL: '', OWNERS: dora.id } });
    const { directMessageWith } = approvalActions(testBed);
    const actor = testBed.workspace.as(ada.id);
    await actor.command('/quiz delete forklift --reason Old');
    await directMessageWith(ada.id, 'no other administrator');
    expect(testBed.lines.join('')).toContain('a message reached nobody');
    expect(await (await fetch(`${testBed.url}/metrics`)).text()).toContain(
      'invigilator_undelivered_messages_total{kind="approval_request"} 1',
    );
    expect(textOf(await (await actor.command('/quiz-admin status')).reply())).toContain('*Undelivered messages* ⚠️ 1');
  });

  test('the request is kept and the requester is notified when there is no other administrator', async () => {
    const testBed = await startApprovalsTestBed({ env: { APPROVALS_CHANNEL: '', OWNERS: '' } });
    const { directMessageWith } = approvalActions(testBed);
    await testBed.workspace.as(ada.id).command('/quiz delete forklift --reason Old');
    expect(await directMessageWith(ada.id, 'no other administrator')).toContain('Your request is kept');
  });
});
