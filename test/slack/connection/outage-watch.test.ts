import { expect, test } from 'vitest';
import { createOutageWatch } from '../../../src/slack/connection/client.ts';
import { recordingLog } from '../../support/log.ts';
import { createVirtualClock, settle } from '../../support/virtual-clock.ts';

function watching() {
  const clock = createVirtualClock();
  const slack = { isAway: false, asked: 0 };
  const { log, lines } = recordingLog();
  const ask = async () => {
    slack.asked += 1;
    if (slack.isAway) throw new Error('no answer');
  };
  const watch = createOutageWatch({ ask, log, sleep: async (ms, signal) => clock.sleep(ms, signal).catch(() => {}) });
  const back = { times: 0 };
  watch.onBack(() => (back.times += 1));
  return { clock, slack, watch, back, lines };
}

test('one lost answer is no outage, where Slack answers the next call', async () => {
  const { slack, watch, back, lines } = watching();
  watch.observe(false);
  expect(watch.isAway()).toBe(false);
  await settle();
  expect([slack.asked, watch.isAway(), back.times, lines.length]).toEqual([1, false, 0, 0]);
});

test('an outage of ten minutes is asked about every three seconds, and its end is noticed within three', async () => {
  const { clock, slack, watch, back, lines } = watching();
  slack.isAway = true;
  for (let calls = 0; calls < 50; calls += 1) watch.observe(false);
  await clock.advance(600_000);
  expect([watch.isAway(), slack.asked, back.times]).toEqual([true, 201, 0]);
  slack.isAway = false;
  await clock.advance(3_000);
  expect([watch.isAway(), back.times]).toEqual([false, 1]);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'Slack does not answer: what is to be posted waits until it does',
    'Slack answers again',
  ]);
});

test('any call that succeeds ends an outage', async () => {
  const { clock, slack, watch, back } = watching();
  slack.isAway = true;
  watch.observe(false);
  await settle();
  watch.observe(true);
  expect([watch.isAway(), back.times]).toEqual([false, 1]);
  await clock.advance(60_000);
  expect(slack.asked).toBe(1);
  watch.observe(false);
  await settle();
  expect([watch.isAway(), slack.asked]).toEqual([true, 2]);
});

test('nothing is asked any more after a stop', async () => {
  const { clock, slack, watch } = watching();
  slack.isAway = true;
  watch.observe(false);
  await settle();
  await watch.stop();
  watch.observe(false);
  await clock.advance(60_000);
  expect(slack.asked).toBe(1);
});
