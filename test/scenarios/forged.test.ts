import { describe, expect, test } from 'vitest';
import { people, teamId } from '../../src/sandbox/workspace/people.ts';
import type { AuditEntry } from '../../src/domain/audit-chain.ts';
import { approvalActions, decisionForm, startApprovalsTestBed } from '../support/approvals.ts';
import { fastClock } from '../support/fast-clock.ts';
import { openConnection } from '../support/loopback.ts';
import { enterpriseOfProject, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { botToken, signingSecret } from '../support/open-test-bed.ts';
import { sendSigned } from '../support/other-programs.ts';
import { pressAll } from '../support/forged-buttons.ts';
import { inTheAccount, lineOf, manyChanges } from '../support/many-changes.ts';
import { commandReply, locationOf } from '../support/results.ts';

describe('approvals', () => {
  const { ada, uma, rosa } = people;

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
      quizService.database.get<{ suspended: number }>(
        "SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example'",
      )?.suspended === 1
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

  test('a forged button opens only a refusal', async () => {
    const testBed = await startApprovalsTestBed();
    const { message, id } = await askToSuspendRosa(testBed);
    const { channel, text, blocks } = message;
    const forged = JSON.stringify({ channel, text, blocks }).replaceAll(id, 'made-up');
    const headers = { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' };
    const posted = await fetch(`${testBed.workspace.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers,
      body: forged,
    });
    const { ts } = (await posted.json()) as { ts: string };
    expect(textOf(await approvalActions(testBed).refusal(ada.id, { channel, ts }))).toContain(
      'There’s no such request',
    );
    expect(refusals(testBed).map(({ request }) => request)).toEqual(['made-up']);
  });
});

describe('plans', () => {
  const { ada, tom, uma, gus, erin } = people;

  const gone = /This preview is too old, or it was started already\.|This was started already\./;
  const kitchenMembers = ({ quizService }: TestBed) =>
    quizService.database.all<{ user_id: string }>(
      "SELECT user_id FROM user_groups JOIN groups USING (group_id) WHERE group_name = 'Kitchen'",
      [],
    ).length;
  const idIn = (message: unknown, field: 'plan' | 'batch') =>
    new RegExp(String.raw`\\+"${field}\\+":\[\\+"([^"\\]+)`).exec(JSON.stringify(message))?.[1] ?? '';

  async function previewOf(
    testBed: TestBed,
  ): Promise<{ preview: Awaited<ReturnType<typeof commandReply>>; plan: string }> {
    const preview = await commandReply(testBed, gus.id, '/quiz-group empty kitchen');
    const plan = idIn(preview, 'plan');
    expect(plan).not.toBe('');
    return { preview, plan };
  }

  test('a preview is started, and seen as a whole, by nobody but its maker and those who decide', async () => {
    const testBed = await startApprovalsTestBed();
    const { plan } = await previewOf(testBed);
    const before = kitchenMembers(testBed);
    const of = { plan: [plan] };
    const [run, byAdministrator, show, campaign, campaignPreview] = await pressAll(testBed, [
      [uma.id, 'run-batch', of],
      [ada.id, 'run-batch', of],
      [uma.id, 'show-rows', of],
      [gus.id, 'run-campaign', of],
      [ada.id, 'show-plan', of],
    ]);
    for (const answer of [run, byAdministrator, show, campaignPreview]) expect(answer).toMatch(gone);
    expect(campaign).not.toContain('Started');
    expect(kitchenMembers(testBed)).toBe(before);
  });

  test('a campaign that waits for approval is started by nobody but its maker, also not by those who decide', async () => {
    const testBed = await startApprovalsTestBed();
    const preview = await commandReply(testBed, erin.id, '/quiz-campaign start workplace for kitchen');
    expect(textOf(preview)).toContain('Request approval');
    const plan = idIn(preview, 'plan');
    const [started] = await pressAll(testBed, [[tom.id, 'run-campaign', { plan: [plan] }]]);
    expect(started).toMatch(gone);
  });

  test('a preview is started once, and a made-up one never', async () => {
    const testBed = await startApprovalsTestBed();
    const { preview, plan } = await previewOf(testBed);
    await testBed.workspace.as(gus.id).click(locationOf(preview), 'choose:run-batch');
    await testBed.workspace.until(() => kitchenMembers(testBed) === 0);
    const requests = testBed.requests.length;
    const answers = await pressAll(
      testBed,
      [plan, 'made-up', '../../plans', 'x'.repeat(1_000)].map((id) => [gus.id, 'run-batch', { plan: [id] }] as const),
    );
    for (const answer of answers) expect(answer).toMatch(gone);
    expect(testBed.requests.slice(requests).filter((line) => !line.startsWith('GET'))).toEqual([]);
  });

  test('what was entered for a campaign opens in a form for nobody but its maker', async () => {
    const testBed = await startApprovalsTestBed();
    const preview = await commandReply(testBed, tom.id, '/quiz-campaign start workplace for kitchen');
    const plan = idIn(preview, 'plan');
    expect(plan).not.toBe('');
    const answers = await pressAll(testBed, [
      [ada.id, 'form:start-campaign', JSON.stringify({ operation: 'start-campaign', raw: { plan: [plan] } })],
      [tom.id, 'form:start-campaign-2', JSON.stringify({ operation: 'start-campaign', raw: { plan: ['made-up'] } })],
      // As 1.7 posted it.
      [ada.id, 'change-plan', plan],
    ]);
    for (const answer of [...answers, ...(await pressAll(testBed, [[tom.id, 'change-plan', 'made-up']]))])
      expect(answer).toMatch(gone);
    expect(testBed.workspace.views(ada.id)).toEqual([]);
  });

  test('the command that a button stands for starts nothing', async () => {
    const testBed = await startApprovalsTestBed();
    const { plan } = await previewOf(testBed);
    const before = kitchenMembers(testBed);
    for (const line of [`run ${plan}`, `preview ${plan}`, 'run-batch x'])
      expect(textOf(await commandReply(testBed, ada.id, `/quiz-admin ${line}`))).not.toContain('Started');
    expect(kitchenMembers(testBed)).toBe(before);
  });

  test('what runs is paused, resumed, cancelled and read by nobody without a right to it', async () => {
    const testBed = await startApprovalsTestBed();
    const { workspace } = testBed;
    const { preview } = await previewOf(testBed);
    await workspace.as(gus.id).click(locationOf(preview), 'choose:run-batch');
    const progress = await workspace.until(() =>
      workspace.directMessages(gus.id).find((message) => idIn(message.blocks, 'batch') !== ''),
    );
    const batch = idIn(progress.blocks, 'batch');
    const operations = ['pause-batch', 'resume-batch', 'cancel-batch', 'batch-result', 'undo-batch'];
    const answers = await pressAll(
      testBed,
      operations.flatMap(
        (operation) =>
          [
            [uma.id, operation, { batch: [batch] }],
            [uma.id, operation, { batch: ['made-up'] }],
          ] as const,
      ),
    );
    for (const answer of answers)
      expect(answer).toMatch(
        /Only the person who started this change, and administrators, can do that|This change is no longer on record/,
      );
    expect(workspace.directMessages(uma.id).flatMap(({ files = [] }) => files)).toEqual([]);
    await workspace.until(() => kitchenMembers(testBed) === 0);
  });

  test('the result of an import has addresses, which only its maker reads, and administrators who manage users', async () => {
    const testBed = await startApprovalsTestBed();
    const { workspace } = testBed;
    inTheAccount(testBed).change('ada', 'manage_users = 0');
    const content = 'E-mail,First name,Last name\nkim.march@quiz.example,Kim,March\n';
    const uploads = manyChanges(testBed, uma.id);
    await uploads.startImport(await uploads.previewImport(content));
    const { lines } = await uploads.ended();
    expect(lineOf(lines, 'kim.march')).toContain('created');
    const batch = idIn((await uploads.progress(/Finished/)).blocks, 'batch');
    const whoAmI = async () => textOf(await commandReply(testBed, ada.id, '/quiz-admin whoami'));
    await expect.poll(whoAmI).not.toContain('manage users');
    const filesOf = (id: string) => workspace.directMessages(id).flatMap(({ files = [] }) => files);

    const [answer] = await pressAll(testBed, [[ada.id, 'batch-result', { batch: [batch] }]]);
    expect(answer).toContain('This result has e-mail addresses.');
    expect(filesOf(ada.id)).toEqual([]);
  });
});

const mebibyte = 1024 * 1024;

/** Begins a request with a body of 1 MiB and never ends it. */
function hold(url: string, path: string, headers: readonly string[] = []) {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: bot',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${mebibyte}`,
    ...headers,
  ];
  return openConnection(Number(new URL(url).port), [...head, '', 'x'.repeat(mebibyte - 10)].join('\r\n'));
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

test('webhooks that fill their memory do not lock out Slack, and Slack requests without a signature take no memory', async () => {
  const { workspace, url } = await startTestBed();
  const webhooks = Array.from({ length: 40 }, () =>
    hold(url, '/webhooks/quiz', [`X-Webhook-Signature: ${'0'.repeat(64)}`]),
  );
  await expect.poll(() => webhooks.map(({ answered }) => statusOf(answered()))).toContain(503);
  const unsigned = Array.from({ length: 40 }, () => hold(url, '/slack/events'));
  await expect.poll(() => unsigned.every(({ answered }) => statusOf(answered()) === 401)).toBe(true);
  const reply = await (await workspace.as(workspace.people.ada.id).command('/quiz list')).reply();
  expect(reply?.text).toContain('quiz');
});

test('many refused Slack requests are one log line and a number in the metrics', async () => {
  const { url, lines } = await startTestBed({ clock: fastClock(20) });
  const refusals = await Promise.all(
    Array.from({ length: 200 }, () => fetch(`${url}/slack/events`, { method: 'POST', body: '{}' })),
  );
  expect(new Set(refusals.map(({ status }) => status))).toEqual(new Set([401]));
  const logged = () =>
    lines
      .filter((line) => line.includes('Slack requests refused'))
      .map((line) => JSON.parse(line) as { reasons: { unsigned: number } });
  await expect.poll(() => logged().reduce((sum, { reasons }) => sum + reasons.unsigned, 0)).toBe(200);
  expect(lines.filter((line) => line.includes('refused')).length).toBeLessThan(20);
  expect(await (await fetch(`${url}/metrics`)).text()).toContain(
    'invigilator_slack_refused_total{reason="unsigned"} 200',
  );
});
