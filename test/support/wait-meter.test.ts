import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { KillableBot } from './killable-bot.ts';
import { createWaitMeter } from './kills/wait-meter.ts';
import { listenOnLoopback } from './loopback.ts';
import { eventually } from './watchdog.ts';

/** A meter of a bot that is ready, of a load and of a clock that are as the test says. */
async function startMeter() {
  const state = { isReady: false, readinessAsked: 0, now: 0, done: 5, isWaiting: true, waitingAsked: 0 };
  const server = createServer((_, answer) => {
    state.readinessAsked += 1;
    answer.writeHead(state.isReady ? 200 : 503).end(JSON.stringify({ ready: state.isReady }));
  });
  const bot = { url: await listenOnLoopback(server) } as KillableBot;
  onTestFinished(() => void server.close());
  const isWaiting = () => {
    state.waitingAsked += 1;
    return state.isWaiting;
  };
  const meter = createWaitMeter({ done: () => state.done, isWaiting }, () => state.now);
  return { meter, bot, state };
}

test('a wait lasts from when the bot is ready again until the first thing goes on', async () => {
  const { meter, bot, state } = await startMeter();
  meter.killed(bot);
  await eventually(() => expect(state.readinessAsked).toBeGreaterThan(1));
  Object.assign(state, { now: 1_000, isReady: true });
  await eventually(() => expect(state.waitingAsked).toBeGreaterThan(1));
  Object.assign(state, { now: 4_500, done: 6 });
  await eventually(() => expect(meter.longest()).toEqual({ measured: 1, ms: 3_500 }));
});

test('what another bot does meanwhile is no wait', async () => {
  const { meter, bot, state } = await startMeter();
  meter.killed(bot);
  Object.assign(state, { done: 6, isReady: true, now: 1_000 });
  await eventually(() => expect(meter.longest()).toEqual({ measured: 1, ms: 0 }));
});

test('nothing is measured where the bot is killed again, and where nothing is left to do', async () => {
  const { meter, bot, state } = await startMeter();
  state.isReady = true;
  meter.killed(bot);
  await eventually(() => expect(state.waitingAsked).toBeGreaterThan(0));
  meter.killed(bot);
  state.isWaiting = false;
  const askedBefore = state.waitingAsked;
  await eventually(() => expect(state.waitingAsked).toBeGreaterThan(askedBefore));
  Object.assign(state, { done: 6, now: 9_000 });
  meter.killed(bot);
  Object.assign(state, { done: 7, now: 9_500 });
  await eventually(() => expect(meter.longest()).toEqual({ measured: 1, ms: 0 }));
});
