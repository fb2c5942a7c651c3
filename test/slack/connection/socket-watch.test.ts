import { expect, test } from 'vitest';
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
