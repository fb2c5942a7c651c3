import { MockAgent } from 'undici';
import type { RequestBudget } from '../../src/quiz-api/budget/request-budget.ts';
import { createQuizApi, type QuizApiOptions } from '../../src/quiz-api/quiz-api.ts';

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
