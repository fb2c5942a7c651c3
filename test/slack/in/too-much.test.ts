import { createServer } from 'node:http';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { createReadBody } from '../../../src/http/bodies.ts';
import { createSlackAdapter } from '../../../src/slack/connection/entry.ts';
import { slackLogger } from '../../../src/slack/connection/client.ts';
import { createSocketMetrics } from '../../../src/slack/metrics.ts';
import { createInFlight } from '../../../src/time/timers.ts';
import { systemClock } from '../../../src/time/clock.ts';
import { recordingLog } from '../../support/log.ts';
import { noProxies } from '../../support/closed-network.ts';
import { listenOnLoopback } from '../../support/loopback.ts';
import { sendSigned, signingSecret } from '../../support/other-programs.ts';

function openEdge({ appToken, isFull }: { appToken?: string; isFull: () => boolean }) {
  const { log, lines } = recordingLog();
  const slackAdapter = createSlackAdapter({
    signingSecret,
    appToken,
    apiUrl: 'http://127.0.0.1:9/api/',
    deliver: async ({ ack }) => ack('here'),
    unacknowledged: createInFlight(),
    logger: slackLogger(log),
    socketMode: {
      fetch,
      proxies: noProxies,
      attemptLogger: slackLogger(log),
      createMetrics: () => createSocketMetrics(new Registry()),
    },
    log,
    clock: systemClock,
    readBody: createReadBody({ eachBytes: 1_000, allBytes: 1_000 }),
    isFull,
    onRefused: (why) => expect.fail(why),
  });
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
