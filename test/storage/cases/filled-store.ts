import { expect } from 'vitest';
import { verifyChain } from '../../../src/domain/audit-chain.ts';
import { inboxMail } from '../../../src/features/webhooks/take.ts';
import { readInbox, type Storage } from '../../../src/storage/records.ts';
import { queueEntry, subscription } from '../../support/builders/alerts.ts';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import { hintEvent, newEvent, takeMatched } from '../../support/event.ts';
import { wholeTrail } from '../../support/opened-links.ts';

const queues = ['channel/T1/C1', 'channel/T1/C2', 'digest/T1/s-2', 'inbox'] as const;
const requestIds = ['open', 'decided', 'announced'] as const;
const eventIds = ['dealt-with', 'a', 'b', 'found', 'postponed'] as const;

/** Writes some data of every kind. */
export async function fill(storage: Storage): Promise<void> {
  const { inbox, outbox, subscriptions, counters, approvals, audit } = storage;
  await inbox.take(newEvent({ id: 'found', subject: 'q-1/r-2', isBackfilled: true, takenAt: 500, content: undefined }));
  for (const event of [hintEvent({ id: 'postponed', takenAt: 7_000 }), hintEvent({ id: 'b', takenAt: 8_000 })])
    await inbox.take(event, [inboxMail.entry('inbox', event, event.takenAt)]);
  const tries = { postponed: { count: 3, since: 7_500, dueAt: 9_000 } };
  await outbox.commit('inbox', { version: 0, state: { tries }, isBusy: false });
  const entries = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, n) =>
    queueEntry({ name, queue: queues[n % 2]!, subscriptionId: `s-${n % 3}`, at: 100 * n }),
  );
  await takeMatched(
    storage,
    newEvent({ id: 'dealt-with', subject: 'q-1/r-1', result: 'failed', takenAt: 1_000 }),
    entries,
  );
  await inbox.take(newEvent({ id: 'a', takenAt: 9_000 }));

  const [first, second] = await outbox.waiting(queues[0], { limit: 2 });
  await outbox.commit(queues[0], { version: 0, state: { posting: null }, isBusy: false, remove: [first!.position] });
  await outbox.commit(queues[0], { version: 1, state: { posting: [second!.position] }, isBusy: true });
  const last = (await outbox.waiting(queues[1], { limit: 100 })).at(-1)!;
  await outbox.commit(queues[1], { version: 0, state: { posting: null }, isBusy: false, remove: [last.position] });
  const parts = { count: 12, changed: new Map(Array.from({ length: 12 }, (_, part) => [part, { part }])) };
  await outbox.commit(queues[2], { version: 0, state: { nextAt: 5_000 }, isBusy: true, parts });

  await subscriptions.add(subscription({ id: 's-1', delivery: { kind: 'digest', every: 'day', at: '08:30' } }));
  await subscriptions.add(
    subscription({
      id: 's-2',
      teamId: 'T2',
      pause: { since: 1, until: null, by: null, code: 'is_archived', isOwnerNotified: true },
    }),
  );
  await counters.add('webhooks', { taken: 7, 'refused: too old': 2 });
  await counters.raise('webhooks', 'last', Date.UTC(2026, 0, 2, 3, 4, 5, 678));

  for (const id of requestIds) await approvals.add(approvalRequest({ id, teamId: 'T1', createdAt: id.length }));
  await approvals.replace(approvalRequest({ id: 'decided', teamId: 'T1', createdAt: 7, state: 'decided' }), 1);
  await approvals.replace(approvalRequest({ id: 'announced', teamId: 'T1', createdAt: 9, state: 'announced' }), 1);
  for (let n = 0; n < 7; n += 1) await audit.append('T1', auditEntry({ correlationId: String(n), message: '“Ω” 🎓' }));
  await audit.append('T2', auditEntry());

  await storage.kv('slack-people').set('T1:U1', { email: 'ada@quiz.example' });
  await storage.kv('slack-people').set('T1:U2', { email: 'uma@quiz.example' }, 3_600_000);
  await storage.kv('channel-languages').set('C1', 'de');
}

/** Reads all stored data. */
export async function look({ inbox, outbox, subscriptions, counters, approvals, audit, ...storage }: Storage) {
  const facts = await outbox.queues();
  return {
    events: await readInbox(outbox),
    known: await inbox.knownIds(eventIds),
    subjects: await inbox.knownSubjects(['q-1/r-1', 'q-1/r-2', 'q-1/a', 'q-1/none']),
    queues: facts.toSorted((one, other) => (one.queue < other.queue ? -1 : 1)),
    entries: await Promise.all(queues.map((queue) => outbox.waiting(queue, { limit: 100 }))),
    states: await Promise.all(queues.map((queue) => outbox.stateWithParts(queue))),
    subscriptions: await Promise.all(['T1', 'T2'].map((teamId) => subscriptions.all(teamId))),
    counters: await counters.of('webhooks'),
    approvals: await Promise.all(requestIds.map((id) => approvals.byId('T1', id))),
    pending: await approvals.pending('T1'),
    trails: await Promise.all(
      ['T1', 'T2'].map(async (teamId) => [
        (await audit.since(teamId, 0, 100)).map(({ entry }) => entry),
        (await verifyChain(wholeTrail(audit, teamId), await audit.head(teamId))).kind,
      ]),
    ),
    kv: await Promise.all([
      storage.kv('slack-people').get('T1:U1'),
      storage.kv('slack-people').get('T1:U2'),
      storage.kv('channel-languages').get('C1'),
    ]),
  };
}

/** Expects that new writes continue from what {@link fill} wrote, also in another store. */
export async function expectToGoOn(storage: Storage, kept: Awaited<ReturnType<typeof look>>): Promise<void> {
  const { inbox, outbox, approvals, audit } = storage;
  for (const id of eventIds) expect(await inbox.take(newEvent({ id }))).toBe('known');
  expect(
    await takeMatched(storage, newEvent({ id: 'webhook', subject: 'q-1/r-2', result: 'told' }), [queueEntry()]),
  ).toBe('taken');
  const again = newEvent({ id: 'again', subject: 'q-1/r-1', result: 'passed' });
  expect(await inbox.take(again)).toEqual({ knownResult: 'failed' });
  const fewer = { count: 2, changed: new Map() };
  await outbox.commit(queues[2], { version: 1, state: {}, isBusy: true, parts: fewer });
  expect((await outbox.stateWithParts(queues[2])).parts.size).toBe(2);
  expect(await readInbox(outbox)).toMatchObject({ count: 1, postponed: 1, oldestAt: 8_000 });
  const positions = kept.entries.flat().map(({ position }) => position);
  await outbox.put([queueEntry({ name: 'next' })]);
  const next = (await outbox.waiting(queues[0], { limit: 100 })).at(-1)!;
  // The entry with the last position is deleted.
  expect(next.position).toBeGreaterThan(Math.max(...positions) + 1);
  expect(await outbox.drop('s-0', Number.MAX_SAFE_INTEGER)).toBe(
    kept.entries.flat().filter(({ subscriptionId }) => subscriptionId === 's-0').length,
  );
  expect(await approvals.replace(approvalRequest({ id: 'decided', teamId: 'T1' }), 1)).toBe(false);
  expect(await approvals.replace(approvalRequest({ id: 'decided', teamId: 'T1' }), 2)).toBe(true);
  const { position } = await audit.head('T1');
  await audit.append('T1', auditEntry());
  expect(await verifyChain(wholeTrail(audit, 'T1'), await audit.head('T1'))).toMatchObject({
    kind: 'whole',
    count: position + 1,
  });
}
