import { createSetAside } from '../../../src/features/webhooks/inbox.ts';
import { expect, test, vi } from 'vitest';
import type { SetAsideEvent } from '../../../src/domain/alerts-status.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { submission } from '../../support/builders/alerts.ts';
import { recordingLog } from '../../support/log.ts';
import { hintEvent } from '../../support/new-event.ts';
import { countedIn } from '../../support/measurements.ts';

function setUp() {
  let kept: SetAsideEvent[] | undefined;
  const set = vi.fn(async (_key: 'latest', events: SetAsideEvent[], _ttlMs: number) => void (kept = events));
  const counters = { took: vi.fn() };
  const { log, lines } = recordingLog();
  const metrics = createMetrics();
  const setAside = createSetAside({ store: { get: async () => kept, set }, counters, log, metrics });
  const hint = (responseId: string) =>
    setAside(
      { ...hintEvent({ id: responseId }), id: `event of ${responseId}` },
      { count: 20, since: 7 },
      new Error('answered 404'),
    );
  return { setAside, hint, set, counters, lines, metrics, kept: () => kept };
}

test('an event that is set aside is kept for administrators, counted and logged once', async () => {
  const { setAside, hint, set, counters, lines, metrics, kept } = setUp();
  await hint('r-1');
  await setAside(
    {
      ...hintEvent({ id: 'e-2' }),
      content: { kind: 'submission', submission: submission({ responseId: 'r-2' }) },
    },
    { count: 20, since: 8 },
    new Error('no'),
  );
  expect(kept()).toEqual([
    { quizId: 'q-1', responseId: 'r-2', quizName: 'Fire safety', name: 'Rosa Almeida', since: 8 },
    { quizId: 'q-1', responseId: 'r-1', quizName: null, name: null, since: 7 },
  ]);
  expect(set.mock.lastCall?.[2]).toBe(30 * 24 * 3_600_000);
  expect(counters.took.mock.calls).toEqual([['setAside'], ['setAside']]);
  expect(await countedIn(metrics.webhooks)).toEqual({ set_aside: 2 });
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    {
      level: 'warn',
      event: 'event of r-1',
      response: 'q-1/r-1',
      tries: 20,
      error: { message: 'answered 404' },
      msg: 'an event is set aside: it failed too often',
    },
    { level: 'warn', event: 'e-2', response: 'q-1/r-2' },
  ]);
  expect(lines.join('')).not.toContain('Rosa');
});

test('only the latest five events that were set aside are kept, each response once', async () => {
  const { hint, kept } = setUp();
  for (const id of ['1', '2', '3', '4', '5', '6', '4']) await hint(id);
  expect(kept()?.map(({ responseId }) => responseId)).toEqual(['4', '6', '5', '3', '2']);
});
