import { expect, test, vi, describe } from 'vitest';
import { countOf, say, named } from '../../../src/domain/said.ts';
import { createAudit } from '../../../src/governance/audit/record.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { dateInWords } from '../../../src/time/date-words.ts';
import { auditEntry } from '../../support/builders/governance.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { auditChannelClosedNote } from '../../../src/features/administration/pages/audit.ts';
import type { AuditEntry } from '../../../src/domain/audit-chain.ts';
import { auditQueue } from '../../../src/domain/queues.ts';
import { createAuditPosting, type AuditState } from '../../../src/governance/audit/audit-machine.ts';
import { opened } from '../../support/opened-links.ts';
import { createMemoryChannel, platformError, type Fate } from '../../support/memory-channel.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { killed, runMachine } from '../../support/run-machine.ts';
import {
  nextPost,
  postedUpTo,
  stillOpen,
  subjectOf,
  type AuditItem,
  type AuditPosts,
} from '../../../src/governance/audit/next-post.ts';

const entry = auditEntry({ targets: [{ kind: 'user', id: 'u-rosa', name: 'Rosa Almeida' }], request: 'request-1' });
const parsed = (lines: string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

test('what is put on the record stands in the log with its hash and without names', async () => {
  const storage = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  const { log, lines } = recordingLog();
  const onRecorded = vi.fn<() => void>();
  await createAudit({ trail: storage.audit, log, onRecorded })('T1', entry);
  const [kept] = await storage.audit.latest('T1', 1);
  const { operation, by, through, action: outcome, correlationId, request } = entry;
  expect(parsed(lines)).toEqual([
    expect.objectContaining({
      level: 'info',
      msg: 'audit',
      team: 'T1',
      operation,
      by,
      through,
      outcome,
      correlationId,
      request,
      targets: ['user:u-rosa'],
      position: 1,
      hash: kept?.hash,
    }),
  ]);
  expect(lines.join('')).not.toContain('Rosa');
  expect(onRecorded).toHaveBeenCalledOnce();
  await storage.close();
});

test('of what something was done to, no facts are kept: they tell how people can be reached', async () => {
  const storage = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  const { log, lines } = recordingLog();
  const target = { kind: 'user', id: 'u-rosa', name: 'Rosa Almeida', facts: { 'E-mail address': 'rosa@quiz.example' } };
  await createAudit({ trail: storage.audit, log, onRecorded: () => {} })('T1', { ...entry, targets: [target] });
  const [kept] = await storage.audit.latest('T1', 1);
  expect(kept!.entry.targets).toEqual(entry.targets);
  expect(kept!.text + lines.join('')).not.toContain('rosa@');
  await storage.close();
});

test('what names no target is recorded too', async () => {
  const append = vi.fn(async () => ({ position: 1, hash: 'ab' }));
  const { log, lines } = recordingLog();
  await createAudit({ trail: { append } as never, log, onRecorded: () => {} })('T1', { ...entry, targets: undefined });
  expect(append).toHaveBeenCalledOnce();
  expect(parsed(lines)).toMatchObject([{ level: 'info', position: 1 }]);
});

test('a record that cannot be kept stands in the log, is not announced, and does not look like a failed operation', async () => {
  const { log, lines } = recordingLog();
  const onRecorded = vi.fn<() => void>();
  const trail = { append: async () => Promise.reject(new Error('the disk is full')) };
  await expect(createAudit({ trail: trail as never, log, onRecorded })('T1', entry)).resolves.toBeUndefined();
  const { operation, by, through, action: outcome, correlationId, request } = entry;
  expect(parsed(lines)).toEqual([
    expect.objectContaining({
      level: 'error',
      msg: 'audit entry not kept',
      team: 'T1',
      operation,
      by,
      through,
      outcome,
      correlationId,
      request,
      targets: ['user:u-rosa'],
    }),
  ]);
  expect(lines.join('')).toContain('the disk is full');
  expect(onRecorded).not.toHaveBeenCalled();
});

test('the record and the log are in English, without the marks of sentences', async () => {
  const storage = openSqliteStorage(temporaryDirectory(), { now: () => 0 });
  const { log, lines } = recordingLog();
  const closed = say`Closed ${named('Fire safety')} with ${countOf(1_200, 'response', 'responses')} of ${named('rosa@quiz.example')}.`;
  await createAudit({ trail: storage.audit, log, onRecorded: () => {} })('T1', {
    ...entry,
    message: closed,
    change: closed,
    details: [{ label: say`Quiz`, value: dateInWords(0, 'day', 'UTC') }],
    notMade: [closed],
    targets: [{ kind: 'quiz', id: 'q-1', name: closed }],
  });
  const [kept] = await storage.audit.latest('T1', 1);
  expect((kept!.text + lines.join('')).search(/[\uFDD0-\uFDEF]|[\u{E0100}-\u{E01EF}]/u)).toBe(-1);
  expect(kept!.entry.message).toBe('Closed “Fire safety” with 1,200 responses of “r…@quiz.example”.');
  expect(kept!.entry.details).toEqual([{ label: 'Quiz', value: '1 Jan 1970' }]);
  await storage.close();
});

const hourMs = 3_600_000;
const itemsOf = (...entries: Partial<AuditEntry>[]): AuditItem[] =>
  entries.map((one, index) => ({ position: index + 1, entry: auditEntry({ at: 1_000, ...one }) }));
const positionsIn = (next: ReturnType<typeof nextPost>) => next?.items.map(({ position }) => position);
const request = { request: 'r-1', action: 'requested' } as const;
const refused = { action: 'refused', by: 'U1' } as const;

test.each<[string, Partial<AuditEntry>, string | undefined]>([
  ['a change', {}, 'changes'],
  ['a read', { operation: 'list-quizzes' }, undefined],
  ['a read that was refused', { operation: 'list-quizzes', ...refused }, 'refused:U1'],
  ['a step of a request', request, 'request:r-1'],
  ['a refusal about a request', { ...request, ...refused }, 'refused:U1'],
  ['a refusal of nobody', { action: 'refused', by: undefined }, 'changes'],
  ['the row of a batch', { batch: 'b-1' }, undefined],
])('%s belongs into its post', (_, one, subject) => {
  expect(subjectOf(auditEntry(one))).toBe(subject);
});

test('a post has the first entry that is in none, and later ones of its subject', () => {
  const items = itemsOf({}, request, {}, { batch: 'b-1' }, {});
  const next = nextPost({}, items, 20, 0);
  expect(next).toMatchObject({ shows: { subject: 'changes', upTo: 5 } });
  expect(positionsIn(next)).toEqual([1, 3, 5]);
  expect(positionsIn(nextPost({}, items, 2, 0))).toEqual([1, 3]);
  const posts: AuditPosts = { changes: { messageId: '1', upTo: 5, at: 0 } };
  expect(nextPost(posts, items, 20, 0)?.shows).toEqual({ subject: 'request:r-1', upTo: 2, positions: [2] });
  expect(postedUpTo(posts, items, 0)).toBe(1);
  const both = { ...posts, 'request:r-1': { messageId: '2', upTo: 2, positions: [2], at: 0 } };
  expect(nextPost(both, items, 20, 0)).toBeUndefined();
  expect(postedUpTo(both, items, 0)).toBe(5);
  expect(postedUpTo(both, [], 7)).toBe(7);
});

test('the post of a request is changed, and shows its first entry and the last ones', () => {
  const positions = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const posts: AuditPosts = { 'request:r-1': { messageId: '7', upTo: 10, positions, at: 0 } };
  const next = nextPost(posts, [{ position: 11, entry: auditEntry(request) }], 20, 0);
  expect(next).toMatchObject({ messageId: '7', shows: { upTo: 11, positions: [1, 3, 4, 5, 6, 7, 8, 9, 10, 11] } });
});

test('what a person was refused is summed up for an hour', () => {
  const items = itemsOf(refused, { ...refused, operation: 'delete-quiz' });
  const first = nextPost({}, items, 1, 1_000)!;
  expect(first.shows.refusals).toEqual({ since: 1_000, counts: { 'close-quiz': 1 } });
  const posts: AuditPosts = { 'refused:U1': { ...first.shows, messageId: '3', at: 0 } };
  expect(nextPost(posts, items, 20, 1_000 + hourMs - 1)).toMatchObject({
    messageId: '3',
    shows: { refusals: { since: 1_000, counts: { 'close-quiz': 1, 'delete-quiz': 1 } } },
  });
  const later = nextPost(posts, items, 20, 1_000 + hourMs)!;
  expect(later.messageId).toBeUndefined();
  expect(later.shows.refusals?.counts).toEqual({ 'delete-quiz': 1 });
});

test('only posts are remembered that an entry may still change, 500 of them', () => {
  const posts: AuditPosts = {
    changes: { messageId: '1', upTo: 3, at: 0 },
    'refused:U1': { messageId: '2', upTo: 1, refusals: { since: 0, counts: {} }, at: 0 },
    'request:r-1': { messageId: '3', upTo: 2, positions: [2], at: 0 },
  };
  expect(Object.keys(stillOpen(posts, 2, hourMs - 1))).toEqual(['changes', 'refused:U1', 'request:r-1']);
  expect(Object.keys(stillOpen(posts, 3, hourMs))).toEqual(['request:r-1']);
  expect(stillOpen(posts, 3, 30 * 24 * hourMs)).toEqual({});
  const many = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [`request:${at}`, { messageId: `${at}`, upTo: 1, positions: [1], at }]),
  );
  const kept = Object.keys(stillOpen(many, 9, 600));
  expect([kept.length, kept.includes('request:100'), kept.includes('request:99')]).toEqual([500, true, false]);
});

const queue = auditQueue('T1');
const begin = 1_000_000;

function setUp() {
  const clock = { now: begin };
  const now = () => clock.now;
  const outbox = createMemoryOutbox(now);
  const memory = createMemoryChannel(now);
  const { log, lines } = recordingLog();
  const links: { position: number; text: string; hash: string }[] = [];
  const woken: string[] = [];
  const unreached: object[] = [];
  const people: { ids: () => Promise<string[]> } = { ids: async () => ['UADA', 'UTOM'] };
  const create = ({ channelId }: { channelId: string | undefined } = { channelId: 'CAUDIT' }) =>
    createAuditPosting({
      channelId,
      channel: memory.channel,
      trail: {
        since: async (_, after, limit) => opened(links.filter(({ position }) => position > after).slice(0, limit)),
        latest: async () => opened(links.toReversed()),
        missingEnd: async () => undefined,
      },
      names: { ofPerson: async (id) => id, ofEntry: async (one) => ({ entry: one, who: one.by ?? 'The bot' }) },
      administrators: () => people.ids(),
      onNobodyNotified: async (facts) => void unreached.push(facts),
      mail: { wake: async (put) => void woken.push(...put.map((one) => one.queue)) },
      teamId: async () => 'T1',
      log,
      now,
      sleep: async () => {},
    });
  let run = runMachine(create().machine, { outbox, now });

  function record(...entries: Partial<AuditEntry>[]): void {
    for (const one of entries)
      links.push({
        position: links.length + 1,
        text: JSON.stringify(auditEntry({ at: clock.now, ...one })),
        hash: '',
      });
  }

  /** Runs at the times it asks for, until a moment, or until nothing is left. A run that hangs was killed. */
  async function drain(until = Infinity): Promise<void> {
    for (let runs = 0; runs < 1_000; runs += 1) {
      const next = await Promise.race([run(queue), killed()]);
      if (next === 'killed') run = runMachine(create().machine, { outbox, now });
      else if (next === undefined || next > until) return;
      else clock.now = Math.max(clock.now, next);
    }
    throw new Error('the queue never comes to an end');
  }

  const state = async () => (await outbox.stateOf<AuditState>(queue)).state;
  const shown = () =>
    memory.posted.map(({ announcement }) =>
      announcement.kind === 'audit-changes' ? announcement.items.length : announcement.kind,
    );
  const restart = (channelId: string | undefined) => (run = runMachine(create({ channelId }).machine, { outbox, now }));
  return { ...memory, clock, outbox, create, record, drain, state, shown, restart, woken, unreached, people, lines };
}

describe('a post in the audit channel', () => {
  test.each<Fate>(['taken', 'lost', 'crash', 'taken, crash', { lateMs: 14_000 }, { lateMs: 39_000 }])(
    'is there once where its answer is lost: %j',
    async (fate) => {
      const { record, drain, shown, posted, updates, fates, clock } = setUp();
      record({ request: 'r-1', action: 'requested' });
      fates.post.push(fate);
      await drain();
      record({ request: 'r-1', action: 'approved' }, {});
      await drain();
      clock.now += 60_000;
      await drain();
      expect([shown(), updates.length]).toEqual([['audit-request', 1], 1]);
      expect(updates[0]!.messageId).toBe(posted[0]!.messageId);
    },
  );

  test('is looked for after the post before it', async () => {
    const { record, drain, lookups, fates } = setUp();
    record({});
    await drain();
    record({});
    fates.post.push('taken');
    await drain();
    expect(lookups).toEqual([expect.objectContaining({ channelId: 'CAUDIT', after: '1' })]);
  });

  test('has half as many entries where it is too long, and an entry that is refused alone does not hold up the others', async () => {
    const { record, drain, shown, fates, lines, state } = setUp();
    record({}, {}, {}, {});
    fates.post = ['too_long', 'too_long', ...Array<'bad_message'>(5).fill('bad_message')].map((kind) =>
      platformError(kind as 'too_long'),
    );
    await drain();
    expect(shown()).toEqual([3]);
    expect(lines.filter((line) => line.includes('is set aside'))).toHaveLength(1);
    expect(await state()).toMatchObject({ upTo: 4, failures: 0 });
  });

  test('comes at most once a second, and every entry is in a post within that time', async () => {
    const { record, drain, posted, clock } = setUp();
    record({});
    await drain();
    for (let count = 0; count < 50; count += 1) {
      record({});
      await drain(clock.now);
      clock.now += 100;
    }
    const recordedAt = clock.now - 100;
    await drain();
    const times = posted.map(({ at }) => at);
    expect(Math.min(...times.slice(1).map((at, index) => at - times[index]!))).toBeGreaterThanOrEqual(1_000);
    expect(times.at(-1)! - recordedAt).toBeLessThanOrEqual(1_000);
    expect(times.length).toBeGreaterThan(4);
  });
});

describe('a closed audit channel', () => {
  test.each(['closed', 'forbidden'] as const)(
    'has every administrator told once, and gets one post when it is open again: %s',
    async (kind) => {
      const { record, drain, shown, direct, fates, clock } = setUp();
      record({}, {});
      fates.post = Array.from({ length: 10 }, () => platformError(kind, { code: 'is_archived' }));
      await drain(begin + 60_000);
      record({});
      await drain();
      expect(shown()).toEqual([3]);
      expect(direct).toEqual(
        ['UADA', 'UTOM'].map((personId) => ({
          personId,
          announcement: {
            kind: 'note',
            note: auditChannelClosedNote('CAUDIT', { why: 'is_archived', remedy: '' }),
          },
        })),
      );
      // It is tried again after five minutes at most.
      expect(clock.now - begin).toBeLessThan(20 * 60_000);
      record({});
      fates.post = [platformError(kind)];
      await drain();
      expect(direct).toHaveLength(4);
    },
  );

  test('is told of later where administrators cannot be reached now, and posted into in between', async () => {
    const { record, drain, shown, direct, fates, people } = setUp();
    record({});
    people.ids = () => Promise.reject(new Error('the service is away'));
    fates.post = [platformError('closed'), platformError('closed')];
    await drain(begin);
    expect(direct).toEqual([]);
    people.ids = async () => ['UADA'];
    await drain();
    expect([direct.length, shown()]).toEqual([1, [1]]);
  });

  test('is counted where no administrator can be written to', async () => {
    const { record, drain, fates, unreached } = setUp();
    record({});
    fates.post = [platformError('closed', { code: 'is_archived' })];
    fates.sendDirect = [platformError('closed'), platformError('closed')];
    await drain();
    expect(unreached).toEqual([{ channel: 'CAUDIT', code: 'is_archived' }]);
  });

  test('that another one replaces gets no more posts: the request has a new one in the other', async () => {
    const { record, drain, posted, updates, restart } = setUp();
    record({ request: 'r-1', action: 'requested' });
    await drain();
    restart('COTHER');
    record({ request: 'r-1', action: 'approved' });
    await drain();
    expect([posted.map(({ channelId }) => channelId), updates]).toEqual([['CAUDIT', 'COTHER'], []]);
  });
});

describe('a bot without an audit channel', () => {
  test('posts nothing, forgets what it was posting, and is not woken', async () => {
    const { record, drain, posted, restart, state, create, woken, clock, fates } = setUp();
    record({});
    fates.post = ['lost'];
    await drain(begin);
    expect((await state())?.inFlight).toBeDefined();
    clock.now += 60_000;
    restart(undefined);
    await drain();
    expect([posted, (await state())?.inFlight]).toEqual([[], undefined]);
    const posting = create({ channelId: undefined });
    posting.wake('T1');
    await posting.upkeep();
    expect(woken).toEqual([]);
  });
});

test('a new entry wakes the posting, and the sweep does', async () => {
  const { create, woken } = setUp();
  const posting = create();
  posting.wake('T2');
  await posting.upkeep();
  expect(woken.toSorted()).toEqual([auditQueue('T1'), auditQueue('T2')]);
});

test('entries from before the first start are no news', async () => {
  const { record, drain, shown } = setUp();
  record({ at: begin - 1 }, {});
  await drain();
  expect(shown()).toEqual([1]);
});
