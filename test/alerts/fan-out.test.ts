import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFanOut } from '../../src/alerts/fan-out.ts';
import { syntheticEventId } from '../../src/alerts/event.ts';
import { BadRequestError, NotFoundError } from '../../src/quiz-api/errors.ts';
import type { TakenEvent } from '../../src/storage/storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import { eventBody } from '../support/event.ts';
import { recordingLog } from '../support/log.ts';
import { quizResponse } from '../support/builders/responses.ts';
import { subscription } from '../support/builders/alerts.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const queue = 'channel/T1/C1';

function setUp(options: { ask?: () => Promise<unknown>; subscriptions?: ReturnType<typeof subscription>[] } = {}) {
  const storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  onTestFinished(() => storage.close());
  const ask = vi.fn(options.ask ?? (async () => quizResponse()));
  const woken: string[] = [];
  const fanOut = createFanOut({
    ...storage,
    wake: async (name) => void woken.push(name),
    subscriptions: async () => options.subscriptions ?? [subscription()],
    responses: { get: ask as never },
    log: recordingLog().log,
    now: () => 5,
  });
  const run = async () => {
    while ((await fanOut()) !== undefined);
  };
  const take = async (id: string, over: Partial<TakenEvent> = {}, data: Record<string, unknown> = {}) =>
    storage.inbox.remember({ id, type: 'response.submitted', subject: `q-1/${id}`, body: eventBody({ event_id: id }, { response_id: id, ...data }), trusted: true, takenAt: 1, ...over });
  const waiting = async () => (await storage.outbox.waiting(queue, { limit: 100 })).map(({ content }) => (content.kind === 'submission' ? content.submission : undefined));
  return { storage, ask, woken, run, take, waiting };
}

describe('an event that was taken', () => {
  test('stands in the queue of whoever wants it, in the order the events came, and wakes it', async () => {
    const { run, take, waiting, woken, storage } = setUp();
    for (const id of ['c', 'a', 'b']) await take(id);
    await run();
    expect((await waiting()).map((one) => one?.responseId)).toEqual(['c', 'a', 'b']);
    expect(woken).toEqual([queue]);
    expect(await storage.inbox.countWaiting()).toBe(0);
  });

  test('stores only the name and the result of the person', async () => {
    const { run, take, storage } = setUp();
    await take('a');
    await run();
    expect(JSON.stringify(await storage.outbox.waiting(queue, { limit: 1 }))).not.toMatch(/rosa@quiz|203\.0\.113/);
  });

  test('is settled where nobody wants it, or it is of another type', async () => {
    const { run, take, waiting, storage } = setUp({ subscriptions: [subscription({ filter: { kind: 'failed' } })] });
    await take('a');
    await take('b', { type: 'user.created', subject: '', body: '{}' });
    await run();
    expect([await waiting(), await storage.inbox.countWaiting()]).toEqual([[], 0]);
  });

  describe('whose signature does not cover its body', () => {
    test('is told as the service tells it, once, however many such events come', async () => {
      const { run, take, waiting, ask } = setUp({ ask: async () => quizResponse({ quiz_id: 'q-1', response_id: 'r-1', percentage_score: 12, pass: false }) });
      for (const id of ['a', 'b', 'c']) await take(id, { trusted: false, subject: '' }, { response_id: 'r-1' });
      await run();
      expect(ask.mock.calls).toEqual([['q-1', 'r-1', { priority: 'background' }]]);
      expect(await waiting()).toMatchObject([{ percentage: 12, passed: false, isBackfilled: false }]);
    });

    test('is not told where the service does not know the response, or it is not submitted', async () => {
      const call = { operation: 'responses.get', method: 'GET', path: '/v1/quizzes/q-1/responses/r-1' };
      const answers = [
        async () => Promise.reject(new NotFoundError(call, 'answered 404', { isFromService: true })),
        async () => Promise.reject(new BadRequestError(call, 'answered 400', { status: 400 })),
        async () => quizResponse({ status: 'not_submitted', date_submitted: null }),
      ];
      for (const ask of answers) {
        const { run, take, waiting, storage } = setUp({ ask });
        await take('a', { trusted: false });
        await run();
        expect([await waiting(), await storage.inbox.countWaiting()]).toEqual([[], 0]);
      }
    });

    test('waits until the service answers', async () => {
      const { run, take, ask, waiting } = setUp();
      ask.mockRejectedValueOnce(new Error('away'));
      await take('a', { trusted: false });
      await take('b');
      await expect(run()).rejects.toThrow('away');
      expect(await waiting()).toEqual([]);
      await run();
      expect(await waiting()).toHaveLength(2);
    });
  });

  describe('of a response that was found when comparing', () => {
    const response = { quiz_id: 'q-1', response_id: 'r-1' };
    const subject = 'q-1/r-1';

    test.each([
      ['the webhook never came', ['late'], [true]],
      ['the webhook came after it', ['late', 'hook'], [true]],
      ['the webhook came just before it', ['hook', 'late'], [false]],
      ['two webhooks came', ['hook', 'hook again'], [false, false]],
    ])('is told once: %s', async (_, order, told) => {
      for (const isInOneRun of [true, false]) {
        const { run, take, waiting } = setUp();
        for (const name of order) {
          await take(name === 'late' ? syntheticEventId('late', response) : name, { subject }, response);
          if (!isInOneRun) await run();
        }
        await run();
        expect((await waiting()).map((one) => one?.isBackfilled)).toEqual(told);
      }
    });
  });
});
