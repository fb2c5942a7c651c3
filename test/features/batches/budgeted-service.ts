import { createMemoryLedger, serviceWindows } from '../../../src/quiz-api/budget/rate-windows.ts';
import {
  createRequestBudget,
  TurnTooLateError,
  type TakeOptions,
} from '../../../src/quiz-api/budget/request-budget.ts';
import { QuizApiError, type FailedCall } from '../../../src/quiz-api/errors.ts';
import type { CallOptions } from '../../../src/quiz-api/transport.ts';
import { createCountingService } from '../../support/mock-service.ts';
import type { VirtualClock } from '../../support/virtual-clock.ts';

/** A service with its limits behind the bot’s budget, in simulated time. @param latencyMs from the bot to the service and back */
export function createBudgetedService({ now, sleep }: VirtualClock, latencyMs: number) {
  const budget = createRequestBudget({ ledger: createMemoryLedger({ now }), now, sleep });
  const service = createCountingService(serviceWindows, now);
  const send = async (options: TakeOptions): Promise<void> => {
    const permit = await budget.take(options);
    await sleep(latencyMs / 2);
    service.request();
    await sleep(latencyMs / 2);
    permit.answered();
  };
  return {
    send,
    refused: service.refused,
    /** Sends a request as the client of the quiz service does. */
    call: async (call: FailedCall, { priority, turns }: CallOptions): Promise<void> => {
      const deadline = now() + (turns?.waitLeftMs ?? Infinity);
      await send({ priority, deadline }).catch((error: unknown) => {
        throw error instanceof TurnTooLateError
          ? new QuizApiError('budget spent', call, 'was not sent', { availableAt: error.availableAt })
          : error;
      });
    },
  };
}
