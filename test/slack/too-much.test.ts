import { createServer } from 'node:http';
import type { ReceiverEvent } from '@slack/bolt';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createReadBody } from '../../src/http/read-body.ts';
import { createSlackAdapter } from '../../src/slack/connection/bolt.ts';
import { slackLogger } from '../../src/slack/connection/connection.ts';
import { createOutgoingTexts, inEnglishOnly } from '../../src/slack/connection/outgoing-texts.ts';
import { createSocketMetrics } from '../../src/slack/metrics.ts';
import { systemClock } from '../../src/time/clock.ts';
import { recordingLog } from '../support/log.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { sendSigned, signingSecret } from '../support/other-programs.ts';

function openEdge({ appToken, isFull }: { appToken?: string; isFull: () => boolean }) {
  const { log, lines } = recordingLog();
  const slackAdapter = createSlackAdapter({
    botToken: 'xoxb-1',
    signingSecret,
    appToken,
    apiUrl: 'http://127.0.0.1:9/api/',
    logger: slackLogger(log),
    fetch,
    self: () => ({}),
    onError: (error) => expect.fail(String(error)),
    socketMode: { fetch, attemptLogger: slackLogger(log), createMetrics: () => createSocketMetrics(new Registry()) },
    outgoingTexts: createOutgoingTexts({ apiUrl: 'http://127.0.0.1:9/api/', ...inEnglishOnly }),
    answerMessagesOnce: () => {},
    log,
    clock: systemClock,
    readBody: createReadBody({ eachBytes: 1_000, allBytes: 1_000 }),
    isFull,
    onRefused: (why) => expect.fail(why),
  });
  slackAdapter.app.command('/quiz', async ({ ack }) => ack('here'));
  return { slackAdapter, lines };
}

const body = { command: '/quiz', text: '', team_id: 'T1', user_id: 'U1', channel_id: 'C1' };

async function ask(isFull: boolean) {
  const { slackAdapter, lines } = openEdge({ isFull: () => isFull });
  const server = createServer((request, response) => void slackAdapter.http!.handle(request, response));
  onTestFinished(() => void server.close());
  const response = await sendSigned(
    await listenOnLoopback(server),
    new URLSearchParams(body).toString(),
    Math.floor(Date.now() / 1000),
  );
  return { status: response.status, said: await response.text(), lines };
}

test('over HTTP, events over the limit are refused with 503 and logged', async () => {
  expect(await ask(false)).toMatchObject({ status: 200, said: 'here' });
  const refused = await ask(true);
  expect(refused).toMatchObject({ status: 503, said: '' });
  expect(refused.lines.join('')).toContain('too much is being worked on');
});

test('in Socket Mode, events over the limit are not acknowledged and logged', async () => {
  let isFull = false;
  const { slackAdapter, lines } = openEdge({ appToken: 'xapp-1', isFull: () => isFull });
  const ack = vi.fn<ReceiverEvent['ack']>(async () => {});
  await slackAdapter.app.processEvent({ body, ack });
  expect(ack).toHaveBeenCalledExactlyOnceWith('here');
  isFull = true;
  await slackAdapter.app.processEvent({ body, ack });
  expect(ack).toHaveBeenCalledTimes(1);
  expect(lines.join('')).toContain('too much is being worked on');
});
