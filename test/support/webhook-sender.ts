import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { SeededRandom as Chance } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Sending } from './announced.ts';
import { sign } from './event.ts';
import { nameOf, submissionOf } from './numbered-person.ts';

/** Sends webhooks as the service does: with the same event id again, until one is answered 200. */
export interface WebhookSender {
  /** Resolves when the event of the person with this number is taken. */
  send(number: number): Promise<void>;
  /** By name: of every event that was sent. `takenAt` is Infinity until it is. */
  readonly sendings: ReadonlyMap<string, Sending>;
  /** Deliveries that were not answered 200. */
  readonly redelivered: number;
  close(): Promise<void>;
}

const longestRetryMs = 300;
const replayShare = 0.05;
const answerWithinMs = 5_000;

export function createWebhookSender(options: {
  /** Where the next delivery goes. */
  target: () => string;
  /** Which quiz the person with this number has submitted. */
  quizOf: (number: number) => { id: string; name: string };
  chance: Chance;
}): WebhookSender {
  const { target, quizOf, chance } = options;
  const agent = new Agent({ connections: 32 });
  const sendings = new Map<string, Sending>();
  let redelivered = 0;

  async function deliver(number: number, deliveryAttempt: number): Promise<boolean> {
    const body = submissionOf(number, { quiz: quizOf(number), deliveryAttempt });
    try {
      const answer = await request(`${target()}/webhooks/quiz`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json; charset=utf-8', 'x-webhook-signature': sign(body) },
        dispatcher: agent,
        signal: AbortSignal.timeout(answerWithinMs),
      });
      await answer.body.dump();
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  }

  return {
    async send(number) {
      const sending: Sending = { sentAt: performance.now(), takenAt: Infinity };
      sendings.set(nameOf(number), sending);
      let attempt = 1;
      for (; !(await deliver(number, attempt)); attempt += 1) {
        redelivered += 1;
        await pause(chance.between(1, longestRetryMs));
      }
      sending.takenAt = performance.now();
      // A service that did not get to read the 200 sends once more what was taken.
      if (chance.number() < replayShare) await deliver(number, attempt + 1);
    },
    sendings,
    get redelivered() {
      return redelivered;
    },
    close: () => agent.destroy(),
  };
}
