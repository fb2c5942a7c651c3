import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { sendEvent } from '../support/event.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { eventually } from '../support/watchdog.ts';

const { erin, ada } = people;

interface Line {
  correlationId?: string;
  from?: string;
  msg: string;
  operation?: string;
  method?: string;
  name?: string;
  [field: string]: unknown;
}

function linesOf({ lines }: TestBed): Line[] {
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Waits until the commands are finished. @returns the log lines of each command */
async function logOfCommands(testBed: TestBed, command: string, count: number): Promise<Line[][]> {
  return eventually(() => {
    const finished = linesOf(testBed).filter(
      ({ msg, name }) => msg === 'dealt with what Slack delivered' && name === command,
    );
    expect(finished).toHaveLength(count);
    return finished.map(({ correlationId }) => linesOf(testBed).filter((line) => line.correlationId === correlationId));
  });
}

async function metricsOf({ url }: TestBed): Promise<string> {
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  return response.text();
}

test.each(['http', 'socket'] as const)(
  'over %s: each command has one reference from delivery through REST calls to the answer',
  async (mode) => {
    const testBed = await startTestBed({ mode });
    const trainer = testBed.workspace.as(erin.id);
    for (const verb of ['close', 'open']) await (await trainer.command(`/quiz ${verb} workplace`)).reply();
    const [first, second] = await logOfCommands(testBed, '/quiz', 2);
    for (const log of [first!, second!]) {
      expect(log.every(({ from }) => from === 'command')).toBe(true);
      const messages = log.map(({ msg }) => msg);
      expect(messages[0]).toBe('Slack delivers');
      expect(messages.at(-1)).toBe('dealt with what Slack delivered');
      expect(log).toContainEqual(
        expect.objectContaining({
          msg: 'called the quiz service',
          method: 'GET',
          status: 200,
          durationMs: expect.any(Number),
          waitedMs: expect.any(Number),
        }),
      );
      expect(messages).toContain('audit');
      expect(log).toContainEqual(expect.objectContaining({ msg: 'called Slack', method: 'response_url', status: 200 }));
    }
    expect(first![0]!.correlationId).not.toBe(second![0]!.correlationId);

    const question = await (await trainer.command('/quiz show a')).reply();
    await trainer.click({ channel: question.channel, ts: question.ts }, 'choose:show-quiz-1');
    const clicked = await eventually(() => {
      const finished = linesOf(testBed).find(
        ({ msg, from }) => msg === 'dealt with what Slack delivered' && from === 'action',
      );
      expect(finished).toBeDefined();
      return linesOf(testBed).filter(({ correlationId }) => correlationId === finished!.correlationId);
    });
    expect(clicked.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['Slack delivers', 'called the quiz service', 'audit', 'called Slack']),
    );
    expect(clicked.every(({ from }) => from === 'action')).toBe(true);
  },
);

test('an error message has the reference of its log lines', async () => {
  const testBed = await startTestBed({ env: { QUIZ_API_KEY: 'of-another-account' } });
  const answer = textOf(await (await testBed.workspace.as(erin.id).command('/quiz list')).reply());
  const correlationId = /reference (\w+)/.exec(answer)?.[1];
  const [log] = await logOfCommands(testBed, '/quiz', 1);
  expect(log!.map(({ correlationId: logged }) => logged)).toContain(correlationId);
  expect(log!.map(({ msg }) => msg)).toContain('operation failed');
});

test('a webhook and its message have different references and log the same response', async () => {
  const testBed = await startTestBed();
  await sendEvent(testBed.url);
  await testBed.workspace.until(() => testBed.workspace.messages(testBed.workspace.channels.results.id).length === 1);
  const posted = await eventually(() => {
    const line = linesOf(testBed).find(({ msg }) => msg === 'alert posted');
    expect(line).toBeDefined();
    return line!;
  });
  const taken = linesOf(testBed).find(({ msg }) => msg === 'webhook taken')!;
  expect(taken).toMatchObject({ from: 'webhook', correlationId: expect.any(String) });
  expect(posted).toMatchObject({ from: 'queue channel', correlationId: expect.any(String) });
  expect(posted.correlationId).not.toBe(taken.correlationId);
  expect(taken['response']).toMatch(/^[\w-]+\/[\w-]+$/);
  expect(posted['responses']).toEqual([taken['response']]);
  expect(linesOf(testBed).filter(({ correlationId }) => correlationId === posted.correlationId)).toContainEqual(
    expect.objectContaining({ msg: 'called Slack', method: 'chat.postMessage' }),
  );
});

test('/metrics shows acknowledgements, calls, errors, queues and the remaining budget, but not the version of Node', async () => {
  const testBed = await startTestBed({ env: { ALERTS_CHANNEL: 'C0GENERAL' } });
  await (await testBed.workspace.as(erin.id).command('/quiz list')).reply();
  await sendEvent(testBed.url);
  await testBed.workspace.until(() =>
    testBed.workspace.directMessages(ada.id).some((message) => /invite/i.test(textOf(message))),
  );
  await logOfCommands(testBed, '/quiz', 1);
  const metrics = await metricsOf(testBed);
  for (const line of [
    /^invigilator_slack_acknowledgement_seconds_count\{kind="command"\} 1$/m,
    /^invigilator_quiz_calls_total\{operation="[^"]+",status="200"\} \d+$/m,
    /^invigilator_slack_call_seconds_count \d+$/m,
    /^invigilator_slack_errors_total\{method="chat\.postMessage",code="not_in_channel"\} \d+$/m,
    /^invigilator_quiz_budget_left_requests\{window_seconds="60"\} [1-5]\d$/m,
    /^invigilator_queue_entries\{queue="channel",channel="C0GENERAL"\} 1$/m,
    /^invigilator_queue_oldest_age_seconds\{queue="channel",channel="C0GENERAL"\} \d/m,
    /^invigilator_inbox_events 0$/m,
    /^invigilator_webhooks_total\{outcome="taken"\} 1$/m,
    /^invigilator_approvals_open 0$/m,
    /^invigilator_subscriptions\{state="paused"\} 1$/m,
    /^invigilator_source_up\{source="queues"\} 1$/m,
  ]) {
    expect(metrics).toMatch(line);
  }
  expect(metrics).not.toMatch(/[UW]0[A-Z0-9]{3,}/);
  expect(metrics).not.toContain('nodejs_version');
  expect(metrics).not.toContain(process.version);
  // Of Socket Mode alone.
  expect(metrics).not.toContain('invigilator_slack_socket');
});

test('/readyz reports that Slack hangs, and /healthz still returns 200', async () => {
  const hanging = createServer(() => {});
  const testBed = await startTestBed({
    env: { SLACK_API_URL: `${await listenOnLoopback(hanging)}/api/` },
    timeouts: { readiness: 50 },
  });
  // Runs before the bot stops, which waits for its calls.
  onTestFinished(() => {
    hanging.closeAllConnections();
    hanging.close();
  });
  const readiness = await fetch(`${testBed.url}/readyz`);
  expect(readiness.status).toBe(503);
  expect(await readiness.json()).toMatchObject({
    ready: false,
    store: 'ok',
    slack: 'Slack cannot be used (it does not answer in time)',
  });
  const health = await fetch(`${testBed.url}/healthz`);
  expect(health.status).toBe(200);
  expect(await health.json()).toMatchObject({ alive: true, eventLoopDelayMs: expect.any(Number) });
});
