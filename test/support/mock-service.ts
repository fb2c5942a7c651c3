import { MockAgent } from 'undici';
import type { RequestBudget } from '../../src/quiz-api/budget/request-budget.ts';
import { createQuizApi, type QuizApiOptions } from '../../src/quiz-api/quiz-api.ts';
import type { RateWindow } from '../../src/quiz-api/budget/rate-windows.ts';

const origin = 'https://quiz.example';

/** A request budget that grants every request at once and counts the calls. */
export function createOpenBudget(): RequestBudget & {
  refusals: number[];
  taken: number;
  takenBy: (string | undefined)[];
  answered: number;
} {
  return {
    refusals: [],
    taken: 0,
    takenBy: [],
    answered: 0,
    async take({ personId } = {}) {
      this.taken += 1;
      this.takenBy.push(personId);
      return {
        answered: () => {
          this.answered += 1;
        },
        cancel: () => {},
      };
    },
    async recordRefusal(retryAfterMs) {
      this.refusals.push(retryAfterMs);
    },
    left: async () => ({ windows: [], waiting: { person: 0, background: 0 }, availableAt: new Date(0) }),
  };
}

/** An API client with an undici `MockAgent` as the service. */
export function createMockService(options: Partial<QuizApiOptions> = {}) {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const api = createQuizApi({ baseUrl: origin, apiKey: 'key-1', dispatcher: agent, random: () => 0.5, ...options });
  return { agent, service: agent.get(origin), api };
}

/** The largest number of arrivals in any window. A window excludes its start. */
export function mostInAnyWindow(arrivals: readonly number[], windowMs: number): number {
  let most = 0;
  let first = 0;
  const inOrder = arrivals.toSorted((a, b) => a - b);
  for (const [index, arrival] of inOrder.entries()) {
    while ((inOrder[first] ?? arrival) <= arrival - windowMs) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

/** A service that refuses requests over its limits. Refused requests do not count towards the limits. */
export function createCountingService(windows: readonly RateWindow[], now: () => number) {
  const arrivals: number[] = [];
  let refused = 0;
  return {
    arrivals,
    refused: () => refused,
    /** @returns null if the service accepts the request, or the milliseconds until it accepts the next */
    request(): number | null {
      const retryAfterMs = Math.max(
        ...windows.map((window) => {
          const blocking = arrivals.at(-window.limit);
          return blocking === undefined ? 0 : Math.max(0, blocking + window.windowMs - now());
        }),
      );
      if (retryAfterMs === 0) {
        arrivals.push(now());
        return null;
      }
      refused += 1;
      return retryAfterMs;
    },
  };
}
