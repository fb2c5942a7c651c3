import { join } from 'node:path';
import { createQuizAccount, createFoundation } from '../assembly/parts.ts';
import type { ProcessParts } from '../assembly/process.ts';
import type { Config } from '../config.ts';
import { createTurns, createWebhookRoute, type WebhookTaker } from '../features/webhooks/route.ts';
import { createReadBody } from '../http/bodies.ts';
import type { Route } from '../http/server.ts';
import { bodyLimits } from '../limits.ts';
import type { Log } from '../observability/log.ts';
import type { RequestBudget } from '../quiz-api/budget/request-budget.ts';

export type SharedAccount = Awaited<ReturnType<typeof openSharedAccount>>;

/**
 * A quiz account that several tenants use: one budget of requests, one list of everything, one webhook.
 *
 * @param config of any tenant that uses the account: all have the same settings of it
 * @param takers of the tenants that run now
 */
export async function openSharedAccount(
  name: string,
  {
    config,
    takers,
    log,
    budget,
  }: { config: Config; takers: () => readonly WebhookTaker[]; log: Log; budget?: RequestBudget | undefined },
  process: ProcessParts,
) {
  const own = { ...config, tenant: `accounts/${name}`, dataDir: join(process.config.dataDir, 'accounts', name) };
  const foundation = await createFoundation({ config: own, log, labels: { account: name } }, process);
  const { storage, metrics } = foundation;
  await storage.open();
  const account = createQuizAccount(foundation, budget);

  /** Takes each webhook once, for all tenants that use the account. */
  const webhooks: Route = {
    handle: createWebhookRoute({
      rule: { ...config.webhook, timeZone: config.quizApi.timeZone },
      readBody: createReadBody(bodyLimits),
      ...takenByAll(takers),
      whoseAttempt: account.directory.whoseAttempt,
      inTurn: createTurns(),
      log,
      metrics,
      now: process.clock.now,
    }),
    from: 'webhook',
  };
  return {
    account,
    webhooks,
    scrape: () => metrics.registry.metrics(),
    async close() {
      await account.api.close();
      await storage.close();
    },
  };
}

/**
 * An event is taken when each has it on its disk. If one could not keep it, the service sends it again, and the
 * others know it. A tenant counts what it took itself.
 */
function takenByAll(takers: () => readonly WebhookTaker[]): WebhookTaker {
  return {
    async takeEvent(event) {
      if (takers().length === 0) throw new Error('no tenant of the account runs');
      const results = await Promise.all(
        takers().map(async ({ takeEvent, counters }) => {
          const result = await takeEvent(event);
          counters.took(result);
          return result;
        }),
      );
      return results.includes('taken') ? 'taken' : 'known';
    },
    counters: {
      took() {},
      refused: (...why) => takers().forEach(({ counters }) => counters.refused(...why)),
    },
  };
}
