import { setImmediate as aTurn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDelivery, type Alert } from '../../src/alerts/delivery.ts';
import { explainPostFailure } from '../../src/alerts/post.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { NotFoundError } from '../../src/quiz-api/errors.ts';
import type { QuizApi } from '../../src/quiz-api/quiz-api.ts';
import { openSqliteStorage } from '../../src/storage/sqlite.ts';
import { eventBody } from '../support/event.ts';
import { recordingLog } from '../support/log.ts';
import { quizResponse } from '../support/quiz-response.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A lane whose Slack and whose clock are the test's: `slack` is called for every post, `slept` holds every wait. */
function setUp(options: { channel?: string | undefined; ask?: () => Promise<unknown> } = {}) {
  const storage = openSqliteStorage(temporaryDirectory(), { now: Date.now });
  const slack = vi.fn<(channel: string, alert: Alert) => Promise<void>>(async () => {});
  const slept: number[] = [];
  const { log, lines } = recordingLog();
  const ask = vi.fn(options.ask ?? (async () => quizResponse()));
  const start = () => {
    const delivery = createDelivery({
      inbox: storage.inbox,
      leases: storage.leases,
      channel: 'channel' in options ? options.channel : 'C0RESULTS',
      quizApi: { responses: { get: ask } } as unknown as QuizApi,
      post: slack,
      explainFailure: explainPostFailure,
      timeZone: 'UTC',
      log,
      metrics: createMetrics(),
      sleep: async (ms) => {
        slept.push(ms);
        await aTurn();
      },
    });
    delivery.start();
    return delivery;
  };
  const delivery = start();
  onTestFinished(async () => {
    await delivery.stop();
    await storage.close();
  });
  const take = async (id: string, trusted = true, body = eventBody({ event_id: id })) => {
    await storage.inbox.remember({ id, type: JSON.parse(body).event_type, body, trusted });
    delivery.wake();
  };
  const settled = () => vi.waitFor(async () => expect(await storage.inbox.countWaiting()).toBe(0));
  const posted = () => slack.mock.calls.map(([, alert]) => alert.metadata.event_payload['event_id']);
  return { storage, slack, slept, lines, ask, delivery, start, take, settled, posted };
}

const platformError = (error: string) => Object.assign(new Error(error), { code: 'slack_webapi_platform_error', data: { ok: false, error } });
const rateLimited = (retryAfter: number) => Object.assign(new Error('rate'), { code: 'slack_webapi_rate_limited_error', retryAfter });

describe('the delivery of alerts', () => {
  test('posts each event to the channel, in order, a second apart', async () => {
    const { take, settled, slack, slept, posted } = setUp();
    for (const id of ['a', 'b', 'c']) await take(id);
    await settled();
    expect(posted()).toEqual(['a', 'b', 'c']);
    expect(slack.mock.calls[0]?.[0]).toBe('C0RESULTS');
    expect(slept).toEqual([1_000, 1_000, 1_000]);
  });

  test('begins with what an earlier run left behind', async () => {
    const { storage, delivery, start, slack, posted } = setUp();
    await delivery.stop();
    await storage.inbox.remember({ id: 'left', type: 'response.submitted', body: eventBody(), trusted: true });
    const next = start();
    await vi.waitFor(() => expect(slack).toHaveBeenCalledOnce());
    await next.stop();
    expect(posted()).toEqual(['left']);
  });

  test('tries again what failed, ever more slowly, and nothing overtakes it', async () => {
    const { take, settled, slack, slept, posted } = setUp();
    for (let failure = 0; failure < 12; failure += 1) slack.mockRejectedValueOnce(new Error('socket hang up'));
    await take('a');
    await take('b');
    await settled();
    expect(posted()).toEqual([...Array.from({ length: 13 }, () => 'a'), 'b']);
    expect(slept.slice(0, 12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map((seconds) => seconds * 1_000));
  });

  test('waits as long as Slack says on a 429', async () => {
    const { take, settled, slack, slept } = setUp();
    slack.mockRejectedValueOnce(rateLimited(17));
    await take('a');
    await settled();
    expect(slept[0]).toBe(17_000);
  });

  test('keeps an alert the channel does not take, and says what to do', async () => {
    const { take, settled, slack, lines } = setUp();
    slack.mockRejectedValueOnce(platformError('not_in_channel'));
    await take('a');
    await settled();
    expect(slack).toHaveBeenCalledTimes(2);
    expect(lines.join('')).toContain('invite the bot to the channel');
  });

  test('leaves it to another instance while that one delivers, and loses nothing', async () => {
    const { storage, take, settled, slack, slept, posted } = setUp();
    await storage.leases.take('alerts', 60_000);
    await take('a');
    await vi.waitFor(() => expect(slept.length).toBeGreaterThan(3));
    expect(slack).not.toHaveBeenCalled();
    await storage.leases.release('alerts');
    await settled();
    expect(posted()).toEqual(['a']);
  });

  test('settles other events and those nobody asked to hear of without a message', async () => {
    const { take, settled, slack } = setUp();
    await take('x', true, eventBody({ event_id: 'x', event_type: 'user.created', data: {} }));
    await settled();
    expect(slack).not.toHaveBeenCalled();
    const without = setUp({ channel: undefined });
    await without.take('a');
    await without.settled();
    expect(without.slack).not.toHaveBeenCalled();
  });

  describe('of an event whose signature does not cover its body', () => {
    test('announces what the service says, not what the event says', async () => {
      const { take, settled, slack, ask } = setUp({ ask: async () => quizResponse({ percentage_score: 12, pass: false }) });
      await take('a', false);
      await settled();
      expect(ask).toHaveBeenCalledWith('q-1', 'r-1', { priority: 'background' });
      expect(slack.mock.calls[0]?.[1].text).toContain('12 %');
    });

    test('announces nothing when the service does not know the response', async () => {
      const call = { operation: 'responses.get', method: 'GET', path: '/v1/quizzes/q-1/responses/r-1' };
      const ask = async () => Promise.reject(new NotFoundError(call, 'answered 404', { isFromService: true }));
      const { take, settled, slack } = setUp({ ask });
      await take('a', false);
      await settled();
      expect(slack).not.toHaveBeenCalled();
    });

    test('announces nothing of a response that is not submitted', async () => {
      const { take, settled, slack } = setUp({ ask: async () => quizResponse({ status: 'not_submitted', date_submitted: null }) });
      await take('a', false);
      await settled();
      expect(slack).not.toHaveBeenCalled();
    });
  });
});
