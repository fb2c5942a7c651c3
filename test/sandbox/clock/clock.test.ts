import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSandboxClock, openKeptClock } from '../../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../../src/sandbox/workspace/people.ts';
import { webhookSecret } from '../../support/event.ts';
import { openProcessTestBed } from '../../support/process-test-bed.ts';
import { takeQuiz } from '../../support/take-quiz.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

async function startProgram(clock = createSandboxClock()) {
  const child = spawn(process.execPath, [...clock.nodeFlags(), join(import.meta.dirname, 'timers.ts')], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  clock.lead(child);
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const run = { clock, child, exit, output: '' };
  const ready = Promise.withResolvers<void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    run.output += chunk.toString();
    if (run.output.includes('ready')) ready.resolve();
  });
  await ready.promise;
  return run;
}

test('timers of every kind fire in order, at their time in the skipped hours', async () => {
  const run = await startProgram();
  await run.clock.skip(hourMs + 5 * minuteMs);
  await run.clock.skip(hourMs);
  run.child.kill('SIGTERM');
  await run.exit;
  expect(run.output.trim().split('\n')).toEqual([
    'ready',
    'AbortError 0',
    'first 20',
    'refreshed 30',
    'promise 40',
    expect.stringMatching(/^interval [56]\d$/),
    'refreshed 60',
    expect.stringMatching(/^interval 1\d\d$/),
    'later 120',
    'true 0 true 125',
  ]);
});

test('a bot that starts after a skip has the time of its parent', async () => {
  const clock = createSandboxClock();
  await clock.skip(dayMs);
  const flag = clock.nodeFlags();
  const child = spawn(process.execPath, [...flag, '-e', 'process.stdout.write(String(Date.now()))'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(Math.abs(Number(output) - clock.now())).toBeLessThan(minuteMs);
  expect(clock.now() - Date.now()).toBeGreaterThanOrEqual(dayMs - minuteMs);
});

test('a skip goes on when a bot dies meanwhile', async () => {
  const run = await startProgram();
  const skip = run.clock.skip(7 * dayMs);
  run.child.kill('SIGKILL');
  await skip;
  expect(run.clock.skipping).toBeUndefined();
  expect(run.clock.aheadMs).toBeGreaterThanOrEqual(7 * dayMs - minuteMs);
});

test('a skip stops at full quarters of an hour, and what it runs into happens in between', async () => {
  const clock = createSandboxClock();
  const seen: number[] = [];
  clock.after(90 * minuteMs, () => seen.push(clock.now()));
  const steps: number[] = [];
  clock.onChange(() => steps.push(clock.now()));
  const startMs = clock.now();
  await clock.skip(5 * hourMs);
  expect(seen).toHaveLength(1);
  expect(seen[0]! - startMs).toBeLessThan(106 * minuteMs);
  const quarters = steps.filter((ms) => ms % (15 * minuteMs) < 1000);
  expect(quarters.length).toBeGreaterThanOrEqual(19);
});

test('long timers are on time however long the steps are, and the steps are few', async () => {
  const run = await startProgram(createSandboxClock(0, { longestStepMs: 24 * hourMs }));
  const seen: number[] = [];
  const startMs = run.clock.now();
  run.clock.after(3 * hourMs, () => seen.push(run.clock.now() - startMs));
  const steps: number[] = [];
  run.clock.onChange(() => steps.push(run.clock.now()));
  await run.clock.skip(6 * dayMs);
  expect(seen.map((ms) => Math.round(ms / minuteMs))).toEqual([180]);
  expect(run.output).toMatch(
    /\nfirst 20\nrefreshed 30\npromise 40\n(interval \d+\n)?refreshed 60\n(interval \d+\n)?later 120\n/,
  );
  expect(steps.length).toBeLessThan(30);
});

test('what comes due between two steps, while a bot is slow, is on time', async () => {
  const clock = createSandboxClock();
  const slow = `
    const quarterMs = ${15 * minuteMs};
    const dueMs = Math.ceil((Date.now() + ${5 * minuteMs}) / quarterMs) * quarterMs + 20;
    setTimeout(() => process.stdout.write(String(Date.now() - dueMs)), dueMs - Date.now());
    process.on('message', () => {
      for (const end = Date.now() + 40; Date.now() < end; );
    });
    process.stdout.write('ready ');`;
  const child = spawn(process.execPath, [...clock.nodeFlags(), '-e', slow], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  clock.lead(child);
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output).toBe('ready ');
  await clock.skip(hourMs);
  await expect.poll(() => output).toMatch(/^ready \d+$/);
  expect(Number(output.slice('ready '.length))).toBeLessThan(minuteMs);
});

test('work that a step would interrupt is done before it, at the time of its start', async () => {
  const clock = createSandboxClock();
  const skip = clock.skip(dayMs);
  const work = Promise.withResolvers<void>();
  const startMs = await clock.hold(async () => {
    const startedMs = clock.now();
    setImmediate(work.resolve);
    await work.promise;
    expect(clock.now() - startedMs).toBeLessThan(minuteMs);
    return startedMs;
  });
  await skip;
  expect(clock.now() - startMs).toBeGreaterThan(hourMs);
});

test('the clock of a data folder stays ahead after a restart', async () => {
  const path = join(temporaryDirectory(), 'clock.json');
  const clock = openKeptClock(path);
  await clock.skip(dayMs);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ aheadMs: clock.aheadMs });
  expect(openKeptClock(path).aheadMs).toBe(clock.aheadMs);
});

test('a bot, its workspace and its quiz service skip a week together, through a kill', async () => {
  const clock = createSandboxClock();
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    clock,
    env: { WEBHOOK_SCHEME: 'timestamp-body', ALERTS_CHANNEL: '' },
  });
  onTestFinished(() => testBed.close());
  const {
    workspace,
    quizService,
    bots: [bot],
  } = testBed;
  quizService.setWebhook({ url: `${bot!.url}/webhooks/quiz`, secret: webhookSecret, scheme: 'timestamp-body' });
  const ada = workspace.as(people.ada.id);
  const channel = workspace.channels.training;
  const subscribed = await ada.command('/quiz-alerts subscribe all digest daily 8:30', { channel: channel.id });
  await subscribed.reply();

  const quiz = quizService.database.get<{ quiz_id: string }>(
    "SELECT quiz_id FROM quizzes WHERE name = 'Workplace safety basics'",
  )!;
  await takeQuiz(quizService.url, quiz.quiz_id);
  const submittedMs = clock.now();
  await clock.skip(dayMs);
  const digest = await workspace.until(() =>
    workspace.messages(channel.id).find(({ text }) => text.includes('Daily digest')),
  );
  const postedMs = Number(digest.ts) * 1000;
  const nextDigest = new Date(submittedMs);
  nextDigest.setUTCHours(8, 30, 0, 0);
  if (nextDigest.getTime() < submittedMs) nextDigest.setUTCDate(nextDigest.getUTCDate() + 1);
  // What a busy machine does not do within a step comes with the next one, a quarter of an hour later.
  expect(postedMs - nextDigest.getTime()).toBeGreaterThanOrEqual(0);
  expect(postedMs - nextDigest.getTime()).toBeLessThan(20 * 60_000);

  await clock.skip(3 * dayMs);
  await bot!.kill();
  await clock.skip(3 * dayMs);
  await bot!.start();
  const listed = await ada.command('/quiz list');
  expect(listed.error).toBeUndefined();
  expect(JSON.stringify(await listed.reply())).toContain('Forklift theory test');
  const before = workspace.messages(channel.id).length;
  await takeQuiz(quizService.url, quiz.quiz_id);
  await clock.skip(dayMs);
  expect(workspace.messages(channel.id).length).toBeGreaterThan(before);
  const refused = workspace.deliveries.filter(({ error }) => error !== undefined);
  expect(refused).toEqual([]);
});
