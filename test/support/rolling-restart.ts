import { setTimeout as pause } from 'node:timers/promises';
import { people } from '../../src/sandbox/workspace/people.ts';
import type { Outcome } from '../../src/sandbox/workspace/actor/outcome.ts';
import { startBalancer } from './balancer.ts';
import { compareDelivery, countAnnounced, readAnnouncements, type Sending } from './delivery-report.ts';
import { numberedName, numberedSubmission, sendEvent } from './event.ts';
import type { KillableBot } from './killable-bot.ts';
import { openProcessTestBed, planQuizChannels } from './process-test-bed.ts';

export interface RollingRestartOptions {
  /** How commands reach the bots. Webhooks always pass through the balancer. */
  mode: 'http' | 'socket';
  /** How often each of the two instances is restarted. */
  rounds: number;
  /** Commands a second, and as many webhooks. */
  perSecond: number;
}

export interface RollingRestartOutcome {
  commands: number;
  /** Commands of which Slack told the person that the bot did not answer. */
  failed: string[];
  /** Commands that Slack took for answered and that got no answer. */
  unanswered: number;
  webhooks: number;
  /** Webhooks without a 200, each with the reason. */
  refused: string[];
  lost: number;
  duplicated: number;
  stopsMs: number[];
}

/** Describes a run in one line. */
export function describeRollingRestart({ rounds }: RollingRestartOptions, outcome: RollingRestartOutcome): string {
  const { commands, failed, unanswered, webhooks, refused, lost, duplicated, stopsMs } = outcome;
  const longestS = (Math.max(...stopsMs) / 1_000).toFixed(1);
  return `of ${commands} commands, ${failed.length} failed and ${unanswered} unanswered; of ${webhooks} webhooks, ${refused.length} refused, ${lost} lost, ${duplicated} duplicated (${2 * rounds} restarts, ${longestS} s to stop at most)`;
}

const quizChannels = planQuizChannels(2);
/** Before the first restart, between two of them, and after the last; long enough for two checks of the balancer. */
const steadyMs = 2_500;
const answersWithinMs = 20_000;
const announcedWithinMs = 60_000;

/** Restarts two instances, one at a time, while commands and webhooks arrive at a constant rate. */
export async function runRollingRestart({
  mode,
  rounds,
  perSecond,
}: RollingRestartOptions): Promise<RollingRestartOutcome> {
  const bed = await openProcessTestBed({
    store: 'redis',
    instances: 2,
    mode,
    quizChannels,
    env: { ALERTS_CHANNEL: '' },
  });
  const { workspace, bots } = bed;
  const balancer = await startBalancer(bots.map(({ url }) => url));
  if (mode === 'http') workspace.setBot(`${balancer.url}/slack/events`);
  workspace.faults.setRateLimits(false);
  const outcomes: Promise<Outcome>[] = [];
  const sendings = new Map<string, Sending>();
  const refused: string[] = [];
  const end = new AbortController();
  const countAnswers = () => workspace.calls.filter(({ method, ok }) => method === 'response_url' && ok).length;

  async function sendWebhook(number: number): Promise<void> {
    const sentAt = performance.now();
    const { quiz } = quizChannels[number % quizChannels.length]!;
    const answer = await sendEvent(balancer.url, numberedSubmission(number, { quiz })).then(
      ({ status }) => String(status),
      String,
    );
    if (answer === '200') sendings.set(numberedName(number), { sentAt, takenAt: performance.now() });
    else refused.push(answer);
  }

  async function load(): Promise<void> {
    const begin = performance.now();
    const sent: Promise<void>[] = [];
    for (let number = 1; !end.signal.aborted; number += 1) {
      sent.push(sendWebhook(number));
      const outcome = workspace.as(people.ada.id).command('/quiz list');
      outcomes.push(outcome);
      await pause(Math.max(0, begin + (number * 1_000) / perSecond - performance.now()));
    }
    await Promise.all(sent);
  }

  try {
    // The channels were subscribed by commands.
    await workspace.until(() => countAnswers() === quizChannels.length);
    const loading = load();
    const stopsMs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const bot of bots) {
        await pause(steadyMs);
        stopsMs.push(await restart(bot));
      }
    }
    await pause(steadyMs);
    end.abort();
    await loading;

    const settled = await Promise.all(outcomes);
    const failed = settled.flatMap(({ error }) => (error === undefined ? [] : [error]));
    const answered = () => countAnswers() - quizChannels.length;
    await workspace.until(() => answered() >= settled.length - failed.length, answersWithinMs).catch(() => {});
    const channelIds = quizChannels.map(({ channel }) => channel.id);
    const announced = () => channelIds.map((id) => readAnnouncements(workspace.messages(id)));
    await workspace.until(() => countAnnounced(announced().flat()) >= sendings.size, announcedWithinMs).catch(() => {});
    const report = compareDelivery(announced().flat(), sendings);
    return {
      commands: settled.length,
      failed,
      unanswered: settled.length - failed.length - answered(),
      webhooks: sendings.size + refused.length,
      refused,
      lost: report.lost,
      duplicated: report.duplicated,
      stopsMs,
    };
  } finally {
    end.abort();
    balancer.close();
    await bed.close();
  }

  /** @returns how long the stop took, in milliseconds */
  async function restart(bot: KillableBot): Promise<number> {
    const begin = performance.now();
    await bot.stop();
    const stoppedMs = performance.now() - begin;
    await bot.start();
    // As a deployment does: the next instance stops when this one is ready.
    while (!(await fetch(`${bot.url}/readyz`)).ok) await pause(50);
    return stoppedMs;
  }
}
