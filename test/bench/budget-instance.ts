import { Agent } from 'undici';
import { createRedisLedger } from '../../src/quiz-api/budget/redis-ledger.ts';
import { createRequestBudget } from '../../src/quiz-api/budget/request-budget.ts';
import { createQuizApi } from '../../src/quiz-api/quiz-api.ts';
import { connectRedis } from '../support/redis.ts';
import type { RateWindow } from '../../src/quiz-api/budget/rate-windows.ts';

/*
 * A program that is one of several instances with a shared budget over Redis. It makes as many calls as its parent
 * requests. It exits with its parent and not before, so that its answered calls still count in the budget.
 */

const [baseUrl = '', redisUrl = '', settings = ''] = process.argv.slice(2);
const { connections, ...limits } = JSON.parse(settings) as {
  windows: readonly RateWindow[];
  marginMs: number;
  connections: number;
};
const client = await connectRedis(redisUrl);
const apiKey = 'bench-key';
const ledger = createRedisLedger({ client, apiKey, ...limits });
const dispatcher = new Agent({ connections });
const api = createQuizApi({ baseUrl, apiKey, budget: createRequestBudget({ ledger }), dispatcher });

process.once('message', (count) => {
  void (async () => {
    await Promise.all(Array.from({ length: Number(count) }, async () => api.groups.list()));
    process.send?.('done');
  })();
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
