import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../../../../src/sandbox/workspace/actor/outcome.ts';
import { people } from '../../../../src/sandbox/workspace/people.ts';
import { startBalancer, type Balancer } from '../../balancer.ts';
import { compareDelivery, countAnnounced, readAnnouncements, type Sending } from '../../delivery-report.ts';
import { numberedName, numberedSubmission, sendEvent } from '../../event.ts';
import { openProcessTestBed, planQuizChannels, type ProcessTestBed } from '../../process-test-bed.ts';
import type { Load, MakeKillTest } from '../run-kills.ts';

interface RollingRestartOptions {
  /** How commands reach the bots. Webhooks always pass through the balancer. */
  mode: 'http' | 'socket';
  /** Commands a second, and as many webhooks. */
  perSecond: number;
  /** The share of commands that may fail. Default: none. Every webhook has to be taken. */
  failingShare?: number;
  /** Starts the balancer. Default: one with the rules of deploy/haproxy.cfg. */
  start?: (urls: readonly string[]) => Promise<Balancer>;
}

const quizChannels = planQuizChannels(2);
/** Before the first restart, between two of them, and after the last; long enough for two checks of the balancer. */
const steadyMs = 2_500;

/** Instances are stopped with SIGTERM and started in turn, as a deployment does, while commands and webhooks arrive. */
export function rollingRestart({
  mode,
  perSecond,
  failingShare = 0,
  start = startBalancer,
}: RollingRestartOptions): MakeKillTest {
  return () => {
    let balancer: Balancer | undefined;
    return {
      open: (shared) => openProcessTestBed({ ...shared, mode, quizChannels, env: { ALERTS_CHANNEL: '' } }),
      kills: {
        moments: { after: 'a pause', ms: { min: steadyMs, max: steadyMs } },
        ways: [{ signal: 'SIGTERM', isAwaited: true }],
        victims: 'in turn',
      },
      async begin(testBed) {
        const { workspace, bots } = testBed;
        balancer = await start(bots.map(({ url }) => url));
        if (mode === 'http') workspace.setBot(`${balancer.url}/slack/events`);
        workspace.faults.setRateLimits(false);
        // The channels were subscribed by commands.
        await workspace.until(() => countAnswers(testBed) === quizChannels.length);
        return loadOf(testBed, { url: balancer.url, perSecond, failingShare });
      },
      close: () => balancer?.close(),
    };
  };
}

const countAnswers = ({ workspace }: ProcessTestBed) =>
  workspace.calls.filter(({ method, ok }) => method === 'response_url' && ok).length;

function loadOf(
  testBed: ProcessTestBed,
  { url, perSecond, failingShare }: { url: string; perSecond: number; failingShare: number },
): Load {
  const { workspace } = testBed;
  const outcomes: Promise<Outcome>[] = [];
  const sendings = new Map<string, Sending>();
  const refused: string[] = [];
  const announced = () => quizChannels.flatMap(({ channel }) => readAnnouncements(workspace.messages(channel.id)));
  const done = () => countAnnounced(announced());

  async function sendWebhook(number: number): Promise<void> {
    const sentAt = performance.now();
    const { quiz } = quizChannels[number % quizChannels.length]!;
    const send = () => sendEvent(url, numberedSubmission(number, { quiz }));
    // The balancer, which nobody restarts, may close a connection at rest just when it is used again. No status is sent again.
    const answer = await send()
      .catch(send)
      .then(({ status }) => String(status), String);
    if (answer === '200') sendings.set(numberedName(number), { sentAt, takenAt: performance.now() });
    else refused.push(answer);
  }

  const answered = () => countAnswers(testBed) - quizChannels.length;
  /** Of which Slack told the person that the bot did not answer. */
  const failures = async () =>
    (await Promise.all(outcomes)).flatMap(({ error }) => (error === undefined ? [] : [error]));

  return {
    done,
    isWaiting: () => done() < sendings.size,
    async send(killed) {
      const begin = performance.now();
      const sent: Promise<void>[] = [];
      for (let number = 1, end = Infinity; performance.now() < end; number += 1) {
        if (killed.aborted && end === Infinity) end = performance.now() + steadyMs;
        sent.push(sendWebhook(number));
        outcomes.push(workspace.as(people.ada.id).command('/quiz list'));
        await pause(Math.max(0, begin + (number * 1_000) / perSecond - performance.now()));
      }
      await Promise.all(sent);
    },
    async over() {
      const expected = outcomes.length - (await failures()).length;
      await workspace.until(() => answered() >= expected).catch(() => {});
      await workspace.until(() => done() >= sendings.size).catch(() => {});
    },
    async judge() {
      const failed = await failures();
      const { lost, duplicated } = compareDelivery(announced(), sendings);
      const unanswered = outcomes.length - failed.length - answered();
      return {
        lost: [...lost, ...Array<string>(unanswered).fill('the answer to a command')],
        doubled: duplicated,
        wrong: [...(failed.length > outcomes.length * failingShare ? failed : []), ...refused],
        figure: `${outcomes.length} commands of which ${failed.length} failed, ${sendings.size + refused.length} webhooks`,
      };
    },
  };
}
