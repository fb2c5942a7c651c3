import { expect, test } from 'vitest';
import { createOutageWatch } from '../../../src/slack/connection/client.ts';
import { recordingLog } from '../../support/log.ts';
import { createVirtualClock, settle } from '../../support/virtual-clock.ts';
import {
  checkEveryMs,
  isStuck,
  nextWatch,
  planReopening,
  type ConnectionEnd,
  type Phase,
  type Sighting,
  type Watch,
} from '../../../src/slack/in/socket.ts';

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

/** How long checks may see the same until the connection counts as stuck, in milliseconds. */
function stuckAfterMs(see: (check: number) => Sighting): number {
  let watch: Watch | undefined;
  for (let check = 0; check < 100; check += 1) {
    watch = nextWatch(watch, see(check));
    if (isStuck(watch)) return check * checkEveryMs;
  }
  return Infinity;
}

const still = (phase: Phase) => stuckAfterMs(() => ({ phase, bytesRead: 7 }));

test('a connection is stuck after 30 s without an address or a hello, and after 10 s without a byte', () => {
  expect(still('asking')).toBe(30_000);
  expect(still('opening')).toBe(30_000);
  expect(still('connected')).toBe(10_000);
});

test('answers to pings keep an open connection alive, but not one that got no hello', () => {
  expect(stuckAfterMs((check) => ({ phase: 'connected', bytesRead: check }))).toBe(Infinity);
  expect(stuckAfterMs((check) => ({ phase: 'opening', bytesRead: check }))).toBe(30_000);
});

test('each phase has its whole time', () => {
  expect(stuckAfterMs((check) => ({ phase: check < 14 ? 'asking' : 'opening', bytesRead: 0 }))).toBe(28_000 + 30_000);
});

const waits = (ends: ConnectionEnd[]) => {
  let failures = 0;
  return ends.map((end) => {
    const plan = planReopening(end, failures);
    ({ failures } = plan);
    return Math.round(plan.waitMs);
  });
};

test('the loss of a connection that worked is followed by the next at once', () => {
  expect(waits([{ kind: 'lost', connectedMs: 60_000 }])).toEqual([0]);
});

test('failures in a row wait longer and longer, up to 30 s, until a connection works', () => {
  const failed: ConnectionEnd = { kind: 'failed', connectedMs: 0 };
  const brief: ConnectionEnd = { kind: 'lost', connectedMs: 59_999 };
  expect(waits([failed, brief, { kind: 'stuck', connectedMs: 20_000 }, brief])).toEqual([1_000, 1_300, 1_690, 2_197]);
  expect(waits(Array.from({ length: 30 }, () => failed)).at(-1)).toBe(30_000);
  expect(waits([failed, failed, { kind: 'lost', connectedMs: 60_000 }, failed])).toEqual([1_000, 1_300, 0, 1_000]);
});

test('a connection that was stuck before it opened is followed by the next at once, and lengthens no later wait', () => {
  const stuck: ConnectionEnd = { kind: 'stuck', connectedMs: 0 };
  expect(waits([stuck, stuck, { kind: 'failed', connectedMs: 0 }])).toEqual([0, 0, 1_000]);
});

test('waits as long as Slack asks for, and a minute after a refusal', () => {
  expect(waits([{ kind: 'rate limited', retryAfterMs: 90_000, connectedMs: 0 }])).toEqual([90_000]);
  expect(waits([{ kind: 'rate limited', retryAfterMs: 0, connectedMs: 0 }])).toEqual([1_000]);
  expect(waits([{ kind: 'refused', connectedMs: 0 }])).toEqual([60_000]);
});
