import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Sending } from './delivery-report.ts';
import { numberedName, numberedSubmission, sign, webhookSecret } from './event.ts';

/** Sends webhooks as the quiz service does: it repeats an event with the same id until the response is 200. */
export interface WebhookSender {
  /** Resolves when the bot has accepted the event of the respondent with this number. */
  send(number: number): Promise<void>;
  /** Every event sent, by respondent name. `takenAt` is Infinity until the bot has accepted the event. */
  readonly sendings: ReadonlyMap<string, Sending>;
  /** The number of deliveries without a 200. */
  readonly redelivered: number;
  /** The statuses of deliveries without a 200; none where nobody answered. */
  readonly refusals: readonly number[];
  close(): Promise<void>;
}

const maxRetryDelayMs = 300;
const replayShare = 0.05;
const timeoutMs = 5_000;
const ofSingleBot = { path: '/webhooks/quiz', secret: webhookSecret };

export function createWebhookSender(options: {
  /** Returns the URL of the bot for the next delivery. */
  target: () => string;
  /** Returns the quiz of the respondent with this number. */
  quizOf: (number: number) => { id: string; name: string };
  /** Returns the id of the user with this number; null for a guest. Default: guests. */
  userOf?: (number: number) => string | null;
  /** Where a bot takes webhooks, and with which secret. Default: those of a single bot. */
  webhook?: { path: string; secret: string } | undefined;
  random: SeededRandom;
}): WebhookSender {
  const { target, quizOf, userOf = () => null, random, webhook: { path, secret } = ofSingleBot } = options;
  const agent = new Agent({ connections: 32 });
  const sendings = new Map<string, Sending>();
  const refusals: number[] = [];
  let redelivered = 0;

  async function deliver(number: number, deliveryAttempt: number): Promise<boolean> {
    const body = numberedSubmission(number, { quiz: quizOf(number), userId: userOf(number), deliveryAttempt });
    try {
      const answer = await request(target() + path, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json; charset=utf-8', 'x-webhook-signature': sign(body, secret) },
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) refusals.push(answer.statusCode);
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  }

  return {
    async send(number) {
      const sending: Sending = { sentAt: performance.now(), takenAt: Infinity };
      sendings.set(numberedName(number), sending);
      let attempt = 1;
      for (; !(await deliver(number, attempt)); attempt += 1) {
        redelivered += 1;
        await pause(random.between(1, maxRetryDelayMs));
      }
      sending.takenAt = performance.now();
      // A quiz service that misses the 200 sends an accepted event again.
      if (random.number() < replayShare) await deliver(number, attempt + 1);
    },
    sendings,
    refusals,
    get redelivered() {
      return redelivered;
    },
    close: () => agent.destroy(),
  };
}
