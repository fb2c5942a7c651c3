import { expect } from 'vitest';
import { verifyChain } from '../../../src/domain/audit-chain.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { auditEntry } from '../../support/builders/governance.ts';
import { newEvent, takeMatched } from '../../support/new-event.ts';
import { queueEntry, submission } from '../../support/builders/alerts.ts';
import { knownAfterwards, oldAuditText } from '../../support/version-2.ts';
import { wholeTrail } from '../../support/whole-trail.ts';

const submittedAt = Date.UTC(2018, 10, 2, 0, 5, 47);

/** What a store has to hold that was written by version 2 with all of `test/support/version-2.ts`; it goes on from there. */
export async function expectUpgraded(storage: Storage): Promise<void> {
  const { inbox, outbox, subscriptions, approvals, counters, audit } = storage;
  expect(await inbox.knownIds([...knownAfterwards, 'late:q-1:r-8', 'late:q-1:r-9', 'backfilled:q-1:r-9'])).toEqual(
    new Set(knownAfterwards),
  );
  expect(await inbox.knownSubjects(['q-1/r-1', 'q-1/r-7', 'q-1/r-8', 'q-1/r-9', 'q-1/r-none'])).toEqual(
    new Set(['q-1/r-1', 'q-1/r-7', 'q-1/r-8', 'q-1/r-9']),
  );
  const announced = (responseId: string, isBackfilled: boolean) => ({
    kind: 'submission',
    submission: submission({ responseId, isBackfilled, attempt: 2, submittedAt }),
  });
  expect((await inbox.waiting(10, 0)).map(({ id, content }) => ({ id, content }))).toEqual([
    { id: 'trusted', content: announced('r-9', false) },
    { id: 'backfilled:q-1:r-1', content: announced('r-1', true) },
    { id: 'hint', content: { kind: 'hint', quizId: 'q-1', responseId: 'r-1' } },
  ]);

  const old = submission({
    responseId: 'r-0',
    name: 'Uma Ray',
    points: 3,
    percentage: 30,
    grade: 'F',
    outcome: 'failed',
    durationSeconds: 60,
    submittedAt,
    isBackfilled: true,
  });
  const inChannel = await outbox.waiting('channel/T1/C1', { limit: 10 });
  expect(inChannel).toEqual([
    { position: 3, subscriptionId: 's-1', at: 1_000, content: { kind: 'submission', submission: old } },
    {
      position: 4,
      subscriptionId: 's-1',
      at: 1_100,
      content: { kind: 'digest', digest: { from: 1, to: 2, quizzes: [] } },
    },
  ]);
  expect(await outbox.stateOf('channel/T1/C1')).toMatchObject({
    version: 5,
    state: {
      inFlight: { id: 'm-1', positions: [3], thread: { counted: { messageId: '1.5' } } },
      threads: { 's-1/q-1/2026-11-21': { messageId: '1.5' } },
      notBefore: 7,
      lastMessageId: '1.6',
    },
  });
  expect(await outbox.stateOf('backfill')).toEqual({
    version: 2,
    state: { lastQuizId: 'q-1', askedAt: 5, pauseMs: 60_000, failures: 0 },
  });
  expect((await outbox.queues()).map(({ queue, waiting, oldestAt }) => [queue, waiting, oldestAt])).toEqual([
    ['channel/T1/C1', 2, 1_000],
  ]);
  expect(await subscriptions.all('T1')).toEqual([
    expect.objectContaining({
      id: 's-1',
      filter: { kind: 'below', percentage: 50 },
      delivery: { kind: 'digest', every: 'day', at: '08:30' },
      pause: { since: 1, until: null, by: null, code: 'is_archived', isOwnerNotified: false },
    }),
  ]);
  expect(await approvals.byId('T1', 'a')).toMatchObject({
    version: 3,
    request: { lastFailure: { message: 'No answer.', by: 'U2' }, outcome: { kind: 'done', message: 'It is done.' } },
  });
  expect(await approvals.pending('T1')).toHaveLength(1);
  expect(await counters.of('webhooks')).toEqual({ taken: 7, backfilled: 3, 'refused: malformed': 2 });
  expect((await audit.since('T1', 0, 10)).map(({ text }) => text)).toEqual([oldAuditText]);
  expect(JSON.stringify([await subscriptions.all('T1'), await approvals.byId('T1', 'a'), inChannel])).not.toMatch(
    /isLate|underWay|isTold|"which"|"how"|sentence/,
  );
}

/** The store goes on where version 2 ended. */
export async function expectToGoOn(storage: Storage): Promise<void> {
  const { inbox, outbox, audit } = storage;
  expect(await inbox.take(newEvent({ id: 'settled' }))).toBe('known');
  expect(await inbox.take(newEvent({ id: 'backfilled', subject: 'q-1/r-7', isBackfilled: true }))).toBe('known');
  expect(await takeMatched(storage, newEvent({ id: 'webhook', subject: 'q-1/r-8' }), [queueEntry()])).toBe('taken');
  const waiting = await inbox.waiting(10, 0);
  expect(
    await inbox.settle(waiting.map(({ position }, n) => ({ position, entries: [queueEntry({ name: `later ${n}` })] }))),
  ).toBe(true);
  const entries = await outbox.waiting('channel/T1/C1', { limit: 10 });
  expect(entries).toHaveLength(5);
  // The last position that was given is one whose entry is gone.
  expect(entries[2]?.position).toBeGreaterThan(9);
  expect(await outbox.drop('s-1', Number.MAX_SAFE_INTEGER)).toBe(5);
  await audit.append('T1', auditEntry());
  expect(await verifyChain(wholeTrail(audit, 'T1'), await audit.head('T1'))).toMatchObject({ kind: 'whole', count: 2 });
}
