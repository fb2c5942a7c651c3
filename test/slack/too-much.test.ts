import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReceiverEvent } from '@slack/bolt';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createReadBody } from '../../src/http/read-body.ts';
import { createSlackEdge } from '../../src/slack/bolt.ts';
import { slackLogger } from '../../src/slack/logger.ts';
import { recordingLog } from '../support/log.ts';

const signingSecret = 'signing';

function openEdge({ appToken, isFull }: { appToken?: string; isFull: () => boolean }) {
  const { log, lines } = recordingLog();
  const edge = createSlackEdge({
    botToken: 'xoxb-1',
    signingSecret,
    appToken,
    apiUrl: 'http://127.0.0.1:9/api/',
    logger: slackLogger(log),
    fetch,
    self: () => ({}),
    onError: (error) => expect.fail(String(error)),
    now: Date.now,
    readBody: createReadBody({ eachBytes: 1_000, allBytes: 1_000 }),
    isFull,
  });
  edge.app.command('/quiz', async ({ ack }) => ack('here'));
  return { edge, lines };
}

const body = { command: '/quiz', text: '', team_id: 'T1', user_id: 'U1', channel_id: 'C1' };

async function ask(isFull: boolean) {
  const { edge, lines } = openEdge({ isFull: () => isFull });
  const server = createServer((request, response) => void edge.handle!(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const form = new URLSearchParams(body).toString();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    method: 'POST',
    body: form,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${form}`).digest('hex')}`,
    },
  });
  return { status: response.status, said: await response.text(), lines };
}

test('over HTTP, what comes while too much is being worked on is refused with 503, and told', async () => {
  expect(await ask(false)).toMatchObject({ status: 200, said: 'here' });
  const refused = await ask(true);
  expect(refused).toMatchObject({ status: 503, said: '' });
  expect(refused.lines.join('')).toContain('too much is being worked on');
});

test('in Socket Mode, it is not acknowledged, and told', async () => {
  let isFull = false;
  const { edge, lines } = openEdge({ appToken: 'xapp-1', isFull: () => isFull });
  const ack = vi.fn<ReceiverEvent['ack']>(async () => {});
  await edge.app.processEvent({ body, ack });
  expect(ack).toHaveBeenCalledExactlyOnceWith('here');
  isFull = true;
  await edge.app.processEvent({ body, ack });
  expect(ack).toHaveBeenCalledTimes(1);
  expect(lines.join('')).toContain('too much is being worked on');
});
