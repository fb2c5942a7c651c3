import { expect, test } from 'vitest';
import { fastClock } from '../support/fast-clock.ts';
import { openConnection } from '../support/loopback.ts';
import { startTestBed } from '../support/test-bed.ts';

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
