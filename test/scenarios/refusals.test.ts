import { describe, expect, test } from 'vitest';
import { people, channels } from '../../src/sandbox/workspace/people.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import type { Fault } from '../../src/sandbox/workspace/faults.ts';
import { commandReply, safetyQuiz } from '../support/results.ts';

describe('credentials', () => {
  /** What the log warns of, in order. */
  const warnings = ({ lines }: TestBed) =>
    lines.flatMap((line) => {
      const { level, msg } = JSON.parse(line) as { level: string; msg: string };
      return ['warn', 'error'].includes(level) ? [msg] : [];
    });
  const readiness = async ({ url }: TestBed) =>
    (await fetch(`${url}/readyz`)).json() as Promise<Record<string, unknown>>;
  const metrics = async ({ url }: TestBed) => (await fetch(`${url}/metrics`)).text();

  test('a key that the service refuses from the start has one line, and shows in readiness, status and metrics', async () => {
    const bed = await startTestBed({
      env: { QUIZ_API_KEY: 'a key of somebody else', OWNERS: people.ada.id },
      clock: fastClock(20),
    });
    await expect.poll(() => bed.requests.length, { timeout: 60_000 }).toBeGreaterThan(6);
    await expect
      .poll(() => readiness(bed))
      .toMatchObject({
        ready: true,
        quizService: 'refuses the API key; people see an error message (quiz_key_refused)',
      });
    const scraped = await metrics(bed);
    expect(scraped).toMatch(/^invigilator_quiz_service_up 0$/m);
    expect(scraped).toMatch(/^invigilator_finding\{check="quizService",code="quiz_key_refused"\} 1$/m);
    const status = await bed.workspace.as(people.ada.id).command('/quiz-admin status');
    expect(textOf(await status.reply())).toContain('🔴 refuses the bot’s API key');
    expect(warnings(bed)).toEqual([
      'the service refuses QUIZ_API_KEY: copy the key again from the API tab of the quiz account’s settings',
    ]);
  });

  test('a bot token that Slack refuses has one line, and another when Slack accepts it', async () => {
    const refused = { kind: 'api-error', error: 'invalid_auth' } as const;
    let mend = () => {};
    const bed = await startTestBed({
      clock: fastClock(20),
      prepare: (_, { faults }) => {
        mend = faults.inject(refused);
      },
    });
    await expect
      .poll(() => bed.workspace.calls.filter(({ method }) => method === 'auth.test').length, { timeout: 60_000 })
      .toBeGreaterThan(12);
    expect(await readiness(bed)).toMatchObject({ ready: false, slack: 'Slack cannot be used (invalid_auth)' });
    const scraped = await metrics(bed);
    expect(scraped).toMatch(/^invigilator_slack_usable 0$/m);
    expect(scraped).toMatch(/^invigilator_finding\{check="slack",code="invalid_auth"\} 1$/m);
    expect(warnings(bed)).toEqual([
      'Slack refuses SLACK_BOT_TOKEN (invalid_auth): copy the bot token again (OAuth & Permissions)',
    ]);
    mend();
    await expect.poll(async () => (await readiness(bed))['ready'], { timeout: 60_000 }).toBe(true);
    expect(bed.lines.filter((line) => line.includes('SLACK_BOT_TOKEN is accepted again'))).toHaveLength(1);
    expect(await metrics(bed)).not.toMatch(/^invigilator_finding\{check="slack"/m);
  });

  test('a bot does not start with an app token that Slack refuses, and says what to do', async () => {
    await expect(startTestBed({ mode: 'socket', env: { SLACK_APP_TOKEN: 'xapp-of-somebody-else' } })).rejects.toThrow(
      /^Slack refuses SLACK_APP_TOKEN \(invalid_auth\): create an app-level token with connections:write/,
    );
  });
});

describe('Slack', () => {
  const { ada } = people;

  const answers = (error: string): Fault => ({ kind: 'api-error', error });
  const exported = `/quiz export ${safetyQuiz}`;
  const assignedTo = (channel: string) => `/quiz assign fire wardens to <#${channel}|training>`;

  /** What is typed, what Slack answers to which call, and what the person reads and `/quiz-admin status` counts. */
  const refusals: [line: string, method: string, fault: Fault, said: string, code: string][] = [
    [
      exported,
      'files.completeUploadExternal',
      answers('missing_scope'),
      'Slack refused this: Invigilator lacks a permission in this workspace. Ask an administrator of the workspace to install Invigilator again. Then try again.',
      'missing_scope',
    ],
    [exported, 'upload', { kind: 'lost-request' }, 'Slack isn’t answering the bot right now.', 'UND_ERR_SOCKET'],
    [
      exported,
      'conversations.open',
      { kind: 'rate-limited', retryAfterS: 30 },
      'Slack’s limit for the bot is reached for now. Try again in 30 seconds.',
      'ratelimited',
    ],
    [
      assignedTo(channels.training.id),
      'conversations.members',
      answers('fatal_error'),
      'Slack has a fault of its own right now.',
      'fatal_error',
    ],
  ];

  test.each(refusals)('%s, where %s answers %o', async (line, method, fault, said, code) => {
    const testBed = await startTestBed();
    testBed.workspace.faults.inject(fault, { method });
    const reply = textOf(await commandReply(testBed, ada.id, line));
    expect(reply).toContain(said);
    expect(reply).not.toContain('Something went wrong');
    expect(reply).toMatch(/reference [0-9a-f]+/);
    await expect
      .poll(async () => textOf(await commandReply(testBed, ada.id, '/quiz-admin status')))
      .toMatch(new RegExp(String.raw`\*Refused by Slack\* ⚠️ 1, most recently .*: \`${code}\`\.`));
  });
});
