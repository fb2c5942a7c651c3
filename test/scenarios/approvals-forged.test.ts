import { expect, test } from 'vitest';
import { people, teamId } from '../../src/sandbox/workspace/people.ts';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import { approvalActions, decisionForm, startApprovalsTestBed } from '../support/approvals.ts';
import { enterpriseOfProject, textOf, type TestBed } from '../support/test-bed.ts';
import { botToken, signingSecret } from '../support/open-test-bed.ts';
import { sendSigned } from '../support/other-programs.ts';

const { ada, tom, uma, rosa } = people;

/** Sends a payload with a valid signature, so that only its content can reveal the forgery. */
async function deliver({ url }: TestBed, payload: object): Promise<unknown> {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  const answer = await sendSigned(url, body, Math.floor(Date.now() / 1000), signingSecret);
  const text = await answer.text();
  return text === '' ? undefined : JSON.parse(text);
}

function submission(
  personId: string,
  requestId: string,
  verdict: string,
  more: { team?: string; callbackId?: string; memory?: string } = {},
): object {
  return {
    type: 'view_submission',
    team: { id: more.team ?? teamId, domain: 'x' },
    enterprise: more.team === undefined ? enterpriseOfProject() : null,
    user: { id: personId, team_id: more.team ?? teamId },
    view: {
      id: 'V1',
      type: 'modal',
      callback_id: more.callbackId ?? 'decide-request',
      private_metadata: more.memory ?? decisionForm(requestId, verdict),
      state: { values: { comment: { value: { type: 'plain_text_input', value: 'forged' } } } },
    },
  };
}

async function askToSuspendRosa(
  testBed: TestBed,
): Promise<{ message: Awaited<ReturnType<ReturnType<typeof approvalActions>['ask']>>; id: string }> {
  const message = await approvalActions(testBed).ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
  return { message, id: String(message.metadata?.event_payload['request_id']) };
}

function isRosaSuspended({ quizService }: TestBed): boolean {
  return (
    quizService.database.get<{ suspended: number }>("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'")
      ?.suspended === 1
  );
}

function refusals(testBed: TestBed): Partial<AuditEntry>[] {
  return testBed.lines
    .map((line) => JSON.parse(line))
    .filter(({ msg, outcome }) => msg === 'audit' && outcome === 'refused');
}

test('a submission without an open modal decides nothing and is audited', async () => {
  const testBed = await startApprovalsTestBed();
  const { id } = await askToSuspendRosa(testBed);
  const answer = await deliver(testBed, submission(ada.id, id, 'approved'));
  expect(JSON.stringify(answer)).toContain('This form is out of date');
  expect(isRosaSuspended(testBed)).toBe(false);
  expect(refusals(testBed)).toMatchObject([
    { by: ada.id, operation: 'suspend-user', request: id, through: 'approval' },
  ]);
});

test('a request id that does not exist is refused and audited', async () => {
  const testBed = await startApprovalsTestBed();
  for (const id of ['no-such-request', '../../etc', 'x'.repeat(3_000), '{"operation":"delete-quiz"}']) {
    expect(JSON.stringify(await deliver(testBed, submission(ada.id, id, 'approved')))).toContain(
      'There’s no such request',
    );
  }
  expect(refusals(testBed)).toHaveLength(4);
});

test('a person without the right cannot decide, whatever they send', async () => {
  const testBed = await startApprovalsTestBed();
  const { id } = await askToSuspendRosa(testBed);
  for (const personId of [uma.id, rosa.id, people.lena.id, people.zoe.id, people.sam.id]) {
    for (const verdict of ['approved', 'denied']) await deliver(testBed, submission(personId, id, verdict));
  }
  const memory = JSON.stringify({ before: { request: [id] } });
  const answer = await deliver(testBed, submission(rosa.id, id, '', { callbackId: 'withdraw-request', memory }));
  expect(JSON.stringify(answer)).toContain('Only the person who made this request can withdraw it');
  expect(isRosaSuspended(testBed)).toBe(false);
  expect(refusals(testBed)).toHaveLength(11);
});

test('a payload of another workspace is refused and audited', async () => {
  const testBed = await startApprovalsTestBed();
  const { message, id } = await askToSuspendRosa(testBed);
  await approvalActions(testBed).review(ada.id, message);
  expect(await deliver(testBed, submission(ada.id, id, 'approved', { team: 'T0OTHER' }))).toBeUndefined();
  expect(isRosaSuspended(testBed)).toBe(false);
  await expect.poll(() => refusals(testBed).length).toBe(1);
  expect(refusals(testBed)).toMatchObject([
    { by: ada.id, team: testBed.workspace.installedFor, operation: 'enter', through: 'view_submission' },
  ]);
});

test('the content of a review in another form decides nothing but what that form is for', async () => {
  const testBed = await startApprovalsTestBed();
  const { message, id } = await askToSuspendRosa(testBed);
  await approvalActions(testBed).review(ada.id, message);
  expect(await deliver(testBed, submission(ada.id, id, 'approved', { callbackId: 'run-request' }))).toBeUndefined();
  expect(isRosaSuspended(testBed)).toBe(false);
});

test('a replayed submission decides nothing and is audited', async () => {
  const testBed = await startApprovalsTestBed();
  const { message, id } = await askToSuspendRosa(testBed);
  const { review, decide, messageWith } = approvalActions(testBed);
  const viewOfAda = await review(ada.id, message);
  const viewOfTom = await review(tom.id, message, 'denied');
  await decide(tom.id, viewOfTom, 'Not yet');
  expect(await decide(ada.id, viewOfAda)).toContain('This request was decided already');
  expect(JSON.stringify(await deliver(testBed, submission(tom.id, id, 'approved')))).toContain(
    'This request was decided already',
  );
  await messageWith(message, 'denied:');
  expect(isRosaSuspended(testBed)).toBe(false);
  expect(refusals(testBed).map(({ by }) => by)).toEqual([ada.id, tom.id]);
});

test('a modal opened before a failed run decides nothing after it', async () => {
  const testBed = await startApprovalsTestBed();
  const { requests, review, decide, approve, messageWith } = approvalActions(testBed);
  const form = await (await testBed.workspace.as(uma.id).command('/quiz-user update rosa')).view();
  await testBed.workspace.as(uma.id).submit(form, { user_name: 'taken@elsewhere.example', reason: 'New address' });
  const message = await testBed.workspace.until(() => requests()[0]);
  const outdated = await review(tom.id, message);
  await approve(ada.id, message);
  await messageWith(message, 'It failed.');
  expect(await decide(tom.id, outdated)).toContain('This form is out of date');
});

test('a forged button opens only a refusal', async () => {
  const testBed = await startApprovalsTestBed();
  const { message, id } = await askToSuspendRosa(testBed);
  const { channel, text, blocks } = message;
  const forged = JSON.stringify({ channel, text, blocks }).replaceAll(id, 'made-up');
  const headers = { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' };
  const posted = await fetch(`${testBed.workspace.apiUrl}chat.postMessage`, { method: 'POST', headers, body: forged });
  const { ts } = (await posted.json()) as { ts: string };
  expect(textOf(await approvalActions(testBed).refusal(ada.id, { channel, ts }))).toContain('There’s no such request');
  expect(refusals(testBed).map(({ request }) => request)).toEqual(['made-up']);
});
