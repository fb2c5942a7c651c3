import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import {
  approvalActions,
  hasButton,
  leadsChannelId,
  requestButtons,
  startApprovalsTestBed,
} from '../support/approvals.ts';
import { botToken } from '../support/open-test-bed.ts';
import { textOf, type TestBed } from '../support/test-bed.ts';

const { ada, dora, tom, erin, gus, uma, nora } = people;

function user({ quizService }: TestBed, name: string) {
  return quizService.database.get<Record<string, unknown>>('SELECT * FROM users WHERE user_name = ?', [name]);
}

function quiz({ quizService }: TestBed, name: string) {
  return quizService.database.get<Record<string, unknown>>('SELECT * FROM quizzes WHERE name = ?', [name]);
}

const suspendRosa = '/quiz-user suspend rosa almeida --reason “She has left”';

describe('the policy in Slack', () => {
  test('deleting a quiz needs two administrators, and the reviewer sees what is deleted with it', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review, decide, messageWith, directMessageWith } = approvalActions(testBed);
    const responses = testBed.quizService.database.get<{ n: number }>(
      "SELECT count(*) AS n FROM responses JOIN quizzes USING (quiz_id) WHERE quizzes.name = 'Workplace safety basics'",
    )!.n;
    const request = await ask(ada.id, '/quiz delete workplace safety --reason Replaced');
    expect(textOf(request)).toContain('Replaced');
    expect(quiz(testBed, 'Workplace safety basics')).toBeDefined();

    const view = await review(tom.id, request);
    expect(textOf(view)).toContain(`would be deleted for good, with its ${responses} responses.`);
    expect(await decide(tom.id, view, 'Fine')).toContain('Deleted *');

    expect(quiz(testBed, 'Workplace safety basics')).toBeUndefined();
    const message = await messageWith(request, 'approved:');
    expect(message).toContain(`<@${tom.id}>`);
    expect(message).toContain('Fine');
    expect(message).not.toContain('"button"');
    expect(await directMessageWith(ada.id, 'approved:')).toContain('Deleted *');
  });

  test('creating a trainer needs approval, and the request holds no password', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, approve, directMessageWith } = approvalActions(testBed);
    const form = await (await testBed.workspace.as(uma.id).command('/quiz-user create ines@quiz.example')).view();
    const unexplained = await testBed.workspace
      .as(uma.id)
      .submit(form, { first_name: 'Ines', user_type: 'trainer', flags: ['edit_quizzes'] });
    expect(unexplained.errors).toEqual({ reason: 'This needs approval. Why do you want it?' });
    await testBed.workspace.as(uma.id).submit(form, { reason: 'Our new colleague' });
    const request = await testBed.workspace.until(() => requests()[0]);
    expect(textOf(request)).toContain('who could edit quizzes');

    const end = await approve(ada.id, request);
    expect(user(testBed, 'ines@quiz.example')).toMatchObject({ user_type: 'trainer', edit_quizzes: 1 });
    const news = await directMessageWith(uma.id, 'approved:');
    const created = testBed.requests.find((line) => line.startsWith('POST /api/v1/users user_name=ines'))!;
    const password = /password=([A-Za-z0-9]{16})/.exec(created)![1]!;
    expect(JSON.stringify([end, news, testBed.lines, testBed.workspace.calls])).not.toContain(password);
  });

  test('a trainer without the right requests an ordinary change, and a person with the right decides', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, refusal, approve } = approvalActions(testBed);
    const question = await (await testBed.workspace.as(nora.id).command('/quiz close workplace')).reply();
    expect(textOf(question)).toContain('Why do you want it?');
    const form = await (
      await testBed.workspace.as(nora.id).click({ channel: question.channel, ts: question.ts }, 'form:close-quiz')
    ).view();
    const { view: answer } = await testBed.workspace.as(nora.id).submit(form, { reason: 'The room is taken' });
    expect(textOf(answer)).toContain('Approval requested: close');
    const request = await testBed.workspace.until(() => requests()[0]);

    expect(textOf(await refusal(uma.id, request))).toContain('You can’t edit quizzes.');
    expect(await approve(erin.id, request)).toContain('Closed *Workplace safety basics*.');
    expect(quiz(testBed, 'Workplace safety basics')).toMatchObject({ status: 'closed' });
  });

  test('a review says what would happen and why together and first, also that the person is in a campaign, and has Deny after the facts', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review } = approvalActions(testBed);
    const administrator = testBed.workspace.as(ada.id);
    const line = '/quiz-campaign start "Data protection refresher" for @rosa due in 2 weeks';
    await administrator.click(await (await administrator.command(line)).reply(), 'choose:run-campaign');
    await testBed.workspace.until(() =>
      testBed.workspace.ephemerals(ada.id).find((message) => textOf(message).includes('Started a campaign')),
    );
    const view = textOf(await review(ada.id, await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left')));
    expect(view).toMatch(
      /asks to suspend \*Rosa Almeida\*.*They couldn’t sign in until someone reinstates them\. They’re in 1 running campaign\.\\n\*Why:\* Left.*\*Rosa Almeida now\*.*Suspended: no.*"Deny"/,
    );
    const ofAnother = textOf(await review(ada.id, await ask(uma.id, '/quiz-user suspend ravi --reason Left')));
    expect(ofAnother).not.toContain('campaign');
  });

  test('a reviewer who does not manage users sees no e-mail addresses', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review, decide } = approvalActions(testBed);
    const request = await ask(gus.id, '/quiz assign workplace to rosa almeida --reason New');
    const view = await review(erin.id, request);
    expect(textOf(view)).toContain('They could take it right away.');
    expect(textOf(view) + textOf(request)).not.toContain('rosa@quiz.example');
    expect(await decide(erin.id, view)).toContain('Assigned *Workplace safety basics* to *Rosa Almeida*.');
  });
});

describe('a request', () => {
  test('cannot be decided by its requester, who can withdraw it instead', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, refusal, messageWith } = approvalActions(testBed);
    const request = await ask(ada.id, '/quiz delete forklift --reason Old');
    expect(textOf(await refusal(ada.id, request, 'denied'))).toContain('You can’t deny your own request.');
    const own = await refusal(ada.id, request);
    expect(textOf(own)).toContain('You can’t approve your own request.');
    await testBed.workspace.as(ada.id).click({ view: own }, 'choose:withdraw-request');
    await testBed.workspace.until(() =>
      testBed.workspace.views(ada.id).some((view) => textOf(view).includes('withdrew')),
    );
    expect(await messageWith(request, 'withdrew:')).not.toContain('"button"');
    expect(quiz(testBed, 'Forklift theory test')).toBeDefined();
  });

  test('can be withdrawn from the reply to the command', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, messageWith } = approvalActions(testBed);
    const answer = await (await testBed.workspace.as(uma.id).command(suspendRosa)).reply();
    const request = await testBed.workspace.until(() => requests()[0]);
    await testBed.workspace.as(uma.id).click({ channel: answer.channel, ts: answer.ts }, 'choose:withdraw-request');
    await messageWith(request, 'withdrew:');
    expect(user(testBed, 'rosa@quiz.example')).toMatchObject({ suspended: 0 });
  });

  test('shows a second reason to its reviewers beside the first, also to a reviewer who has read only the first', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, ask, review, decide, messageWith } = approvalActions(testBed);
    const request = await ask(uma.id, suspendRosa);
    const view = await review(ada.id, request);
    const repeated = '/quiz-user suspend rosa almeida --reason “She works for a competitor”';
    const reply = textOf(await (await testBed.workspace.as(uma.id).command(repeated)).reply());
    expect(reply).toContain('You requested this before');
    expect(reply).toContain('She has left · Added: She works for a competitor');
    expect(await messageWith(request, 'competitor')).toContain('She has left');
    expect(await decide(ada.id, view)).toContain('This changed while you were looking at it');
    expect(user(testBed, 'rosa@quiz.example')).toMatchObject({ suspended: 0 });
    const again = testBed.workspace.views(ada.id).at(-1)!;
    expect(textOf(again)).toContain('competitor');
    await (await testBed.workspace.as(uma.id).command(repeated)).reply();
    expect(await decide(ada.id, again)).toContain('Suspended *');
    expect(requests()).toHaveLength(1);
  });

  test('is denied with a reason, which the requester gets', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review, decide, messageWith, directMessageWith } = approvalActions(testBed);
    const request = await ask(uma.id, suspendRosa);
    const view = await review(ada.id, request, 'denied');
    expect(await decide(ada.id, view)).toContain('Please complete this required field.');
    expect(await decide(ada.id, view, '   ')).toContain('Required to deny. The requester will see it.');
    await decide(ada.id, view, 'She is on <!channel> leave');
    expect(await messageWith(request, 'denied:')).toContain('She is on &lt;!channel&gt; leave');
    expect(await directMessageWith(uma.id, 'denied:')).toContain('leave');
    expect(user(testBed, 'rosa@quiz.example')).toMatchObject({ suspended: 0 });
  });

  test('is not run by a reviewer who is suspended while Slack is slow to say who asked', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review, decide } = approvalActions(testBed);
    const { workspace, quizService } = testBed;
    const request = await ask(uma.id, suspendRosa);
    const view = await review(ada.id, request);
    workspace.faults.inject(
      { kind: 'latency', ms: 1_500 },
      { method: 'users.info', times: 1, when: ({ user: id }) => id === uma.id },
    );
    const decided = decide(ada.id, view);
    await workspace.until(() => workspace.faults.delayed > 0);
    await (await workspace.as(tom.id).command('/quiz show fire')).reply();
    quizService.database.run("UPDATE users SET suspended = 1 WHERE user_name = 'ada@quiz.example'");
    expect(await decided).toContain('suspended');
    expect(user(testBed, 'rosa@quiz.example')).toMatchObject({ suspended: 0 });
  });

  test('erases nobody a second time who was erased on the request of somebody else', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, approve, review } = approvalActions(testBed);
    const earlier = await ask(ada.id, '/quiz-admin erase @rosa --reason asked');
    await approve(ada.id, await ask(tom.id, '/quiz-admin erase @rosa --reason asked'));
    const shown = async () => textOf(await review(tom.id, earlier));
    await expect.poll(shown).toContain('isn’t in the quiz account any more. This request can only be denied');
    expect(await shown()).not.toContain('Unnamed user');
  });

  test('is shown again, and not run, if its target changes during the review', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review, decide } = approvalActions(testBed);
    const request = await ask(uma.id, suspendRosa);
    const view = await review(ada.id, request);
    testBed.quizService.database.run(
      "UPDATE users SET user_type = 'administrator' WHERE user_name = 'rosa@quiz.example'",
    );
    const again = await decide(ada.id, view);
    expect(again).toContain('This changed while you were looking at it');
    expect(again).toContain('is now “administrator”');
    expect(user(testBed, 'rosa@quiz.example')).toMatchObject({ suspended: 0 });
    const shown = testBed.workspace.views(ada.id).at(-1)!;
    const { errors = {} } = await testBed.workspace.as(ada.id).submit(shown);
    expect(Object.values(errors)).toEqual(['Please complete this required field.']);
    expect(await decide(ada.id, shown)).toContain('Suspended *');
  });

  test('expires and notifies the requester', async () => {
    let now = Date.now();
    const testBed = await startApprovalsTestBed({
      now: () => now,
      workspace: { now: () => now },
      env: { APPROVAL_TTL_HOURS: '2' },
    });
    const { ask, refusal, messageWith, directMessageWith } = approvalActions(testBed);
    const request = await ask(uma.id, suspendRosa);
    const deadline = now + 2 * 3_600_000;
    expect(textOf(request)).toContain(`<!date^${Math.floor(deadline / 1000)}^`);
    now = deadline;
    expect(textOf(await refusal(ada.id, request))).toContain('Nobody decided within 2 hours');
    expect(await messageWith(request, 'Expired:')).not.toContain('"button"');
    expect(await directMessageWith(uma.id, 'Nobody decided within 2 hours.')).toContain('You can request it again');
  });
});

describe('the requester', () => {
  test('has one message, from the request over a run that fails to its end, and a reply in its thread for each decision', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, approve, deny, messageWith, directMessageWith } = approvalActions(testBed);
    const form = await (await testBed.workspace.as(uma.id).command('/quiz-user update rosa')).view();
    await testBed.workspace.as(uma.id).submit(form, { user_name: 'taken@elsewhere.example', reason: 'New address' });
    const request = await testBed.workspace.until(() => requests()[0]);
    expect(await directMessageWith(uma.id, 'Approval requested')).toContain(
      `An administrator can decide in <#${leadsChannelId}>`,
    );
    const [main] = testBed.workspace.directMessages(uma.id);
    expect(hasButton(main, requestButtons.withdrawn)).toBe(true);

    expect(await approve(ada.id, request)).toContain('It failed.');
    expect(await messageWith(main!, 'approved:')).toContain('It failed.');
    expect(await messageWith(request, 'It failed.')).not.toContain('✅');
    for (const button of [requestButtons.approved, requestButtons.denied])
      expect(hasButton(requests()[0], button)).toBe(true);
    await deny(tom.id, request, 'Ask Erin first');
    expect(await messageWith(main!, `<@${tom.id}> denied:`)).toContain('“Ask Erin first”');
    const [, ...replies] = await testBed.workspace.until(() =>
      testBed.workspace.directMessages(uma.id).length === 3 ? testBed.workspace.directMessages(uma.id) : undefined,
    );
    expect(replies.map(({ threadTs }) => threadTs)).toEqual([main!.ts, main!.ts]);
    expect(textOf(replies[0])).toContain('It failed.');
    expect(textOf(replies[1])).toContain('denied:');
    expect(hasButton(testBed.workspace.directMessages(uma.id)[0], requestButtons.withdrawn)).toBe(false);
  });

  test('withdraws it from there, and reads no reply about that', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, messageWith } = approvalActions(testBed);
    const request = await ask(uma.id, suspendRosa);
    const main = await testBed.workspace.until(() => testBed.workspace.directMessages(uma.id)[0]);
    await testBed.workspace.as(uma.id).click({ channel: main.channel, ts: main.ts }, requestButtons.withdrawn);
    await messageWith(request, 'withdrew:');
    expect(await messageWith(main, 'withdrew:')).not.toContain('"button"');
    expect(testBed.workspace.directMessages(uma.id)).toHaveLength(1);
  });
});

describe('what earlier versions left', () => {
  /** The request as 1.7 posted it, and 1.2 the button that opens it. */
  async function asEarlier({ workspace }: TestBed, request: Message): Promise<void> {
    const value = String(request.metadata?.event_payload['request_id']);
    const elements = ['approve-request', 'deny-request', 'review-request', 'withdraw-request'].map((action_id) => ({
      type: 'button',
      action_id,
      text: { type: 'plain_text', text: 'Press' },
      value,
    }));
    const { channel, ts, text } = request;
    const headers = { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ channel, ts, text, blocks: [{ type: 'actions', elements }] });
    await fetch(`${workspace.apiUrl}chat.update`, { method: 'POST', headers, body });
  }

  test.each(['approve-request', 'review-request'])('the button %s opens the form that approves', async (button) => {
    const testBed = await startApprovalsTestBed();
    const { ask, decide, messageWith } = approvalActions(testBed);
    const request = await ask(uma.id, suspendRosa);
    await asEarlier(testBed, request);
    const view = await (await testBed.workspace.as(ada.id).click(request, button)).view();
    expect(view.submit?.text).toBe('Approve');
    expect(await decide(ada.id, view)).toContain('Suspended *Rosa Almeida*');
    await messageWith(request, 'approved:');
  });

  test('its other buttons deny and withdraw', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, messageWith } = approvalActions(testBed);
    const request = await ask(uma.id, suspendRosa);
    await asEarlier(testBed, request);
    const view = await (await testBed.workspace.as(ada.id).click(request, 'deny-request')).view();
    expect(view.submit?.text).toBe('Deny');
    await testBed.workspace.as(uma.id).click(request, 'withdraw-request');
    await messageWith(request, 'withdrew:');
  });
});

describe('without a usable approvals channel', () => {
  test('administrators get direct messages and the requester is notified when the channel does not have the bot in it', async () => {
    const testBed = await startApprovalsTestBed({ env: { APPROVALS_CHANNEL: 'C0GENERAL' } });
    const { approve, messageWith, directMessageWith } = approvalActions(testBed);
    await testBed.workspace.as(uma.id).command(suspendRosa);
    expect(await directMessageWith(uma.id, 'Invigilator isn’t in the channel')).toContain('can decide until');
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

  test('a request that reaches nobody is in the log, in a metric and in the state of the bot', async () => {
    const testBed = await startApprovalsTestBed({ env: { APPROVALS_CHANNEL: '', OWNERS: dora.id } });
    const { directMessageWith } = approvalActions(testBed);
    const actor = testBed.workspace.as(ada.id);
    await actor.command('/quiz delete forklift --reason Old');
    expect(await directMessageWith(ada.id, 'no other administrator')).toContain('Your request is kept');
    expect(testBed.lines.join('')).toContain('a message reached nobody');
    expect(await (await fetch(`${testBed.url}/metrics`)).text()).toContain(
      'invigilator_undelivered_messages_total{kind="approval_request"} 1',
    );
    expect(textOf(await (await actor.command('/quiz-admin status')).reply())).toContain('*Undelivered messages* ⚠️ 1');
  });
});
