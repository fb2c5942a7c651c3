import { expect, test, vi, describe } from 'vitest';
import { countOf, say, named } from '../../../src/domain/said.ts';
import { createAudit } from '../../../src/governance/audit/record.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { dateInWords } from '../../../src/time/date-words.ts';
import { auditEntry } from '../../support/builders/governance.ts';
import { recordingLog } from '../../support/log.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { auditChannelClosedNote } from '../../../src/features/administration/pages/audit.ts';
import type { AuditEntry, MissingEnd } from '../../../src/domain/audit-chain.ts';
import { auditQueue } from '../../../src/domain/queues.ts';
import { createAuditPosting, type AuditState } from '../../../src/governance/audit/audit-machine.ts';
import { opened } from '../../support/opened-links.ts';
import { createMemoryChannel, platformError, type Fate } from '../../support/memory-channel.ts';
import { createMemoryOutbox } from '../../support/memory-outbox.ts';
import { killed, runMachine } from '../../support/run-machine.ts';

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
  const cut: { missing: MissingEnd | undefined } = { missing: undefined };
  const people: { ids: () => Promise<string[]> } = { ids: async () => ['UADA', 'UTOM'] };
  const create = ({ channelId }: { channelId: string | undefined } = { channelId: 'CAUDIT' }) =>
    createAuditPosting({
      channelId,
      channel: memory.channel,
      trail: {
        since: async (_, after, limit) => opened(links.filter(({ position }) => position > after).slice(0, limit)),
        latest: async () => opened(links.toReversed()),
        missingEnd: async () => cut.missing,
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

  /** Of the entries that were known, the trail has so many now, and others after them. */
  function lose(left: number, others = 0): void {
    cut.missing = { knownPosition: links.length, lastPosition: left + others };
    links.length = left;
    record(...Array.from({ length: others }, () => ({})));
  }
  const find = () => (cut.missing = undefined);

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
  return {
    ...memory,
    clock,
    outbox,
    create,
    record,
    lose,
    find,
    drain,
    state,
    shown,
    restart,
    woken,
    unreached,
    people,
    lines,
  };
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

describe('a post of a request that is to be changed', () => {
  const refused = (kind: 'bad_message' | 'thread_gone' | 'unclear' | 'closed', times = 1) =>
    Array.from({ length: times }, () => platformError(kind));
  test.each<[string, Fate[], { posts: number; updates: number; told: number; setAside: number }]>([
    ['is', [], { posts: 1, updates: 1, told: 0, setAside: 0 }],
    ['is later where it cannot be now', refused('unclear'), { posts: 1, updates: 1, told: 0, setAside: 0 }],
    ['is later where the channel is closed', refused('closed'), { posts: 1, updates: 1, told: 2, setAside: 0 }],
    ['is made anew where it is gone', refused('thread_gone'), { posts: 2, updates: 0, told: 0, setAside: 0 }],
    [
      'holds up no others where it is refused',
      refused('bad_message', 5),
      { posts: 1, updates: 0, told: 0, setAside: 1 },
    ],
  ])('%s', async (_, fate, expected) => {
    const { record, drain, posted, updates, fates, direct, lines, state } = setUp();
    record({ request: 'r-1', action: 'requested' });
    await drain();
    record({ request: 'r-1', action: 'approved' });
    fates.update = fate;
    await drain();
    const setAside = lines.filter((line) => line.includes('is set aside')).length;
    expect({ posts: posted.length, updates: updates.length, told: direct.length, setAside }).toEqual(expected);
    expect(await state()).toMatchObject({ upTo: 2, failures: 0 });
  });
});

describe('of entries that are missing', () => {
  // What came in after them may not be posted yet: the last entry is posted twice rather than never.
  test.each<[string, [left: number, others?: number], (string | number)[]]>([
    ['the last', [1], [3, 'audit-missing', 1]],
    ['all', [0], [3, 'audit-missing']],
    ['those that others replace, of which more are new', [1, 4], [3, 'audit-missing', 2]],
  ])('the channel is told once: %s', async (_, lost, posts) => {
    const { record, lose, drain, shown, clock, state } = setUp();
    record({}, {}, {});
    await drain();
    lose(...lost);
    await drain();
    clock.now += 60_000;
    await drain();
    expect(shown()).toEqual(posts);
    expect(await state()).toMatchObject({ cutAt: 3, upTo: lost[0] + (lost[1] ?? 0) });
  });

  test('nothing is told that the platform does not take, and what is new is posted', async () => {
    const { record, lose, drain, shown, fates, lines } = setUp();
    record({}, {}, {});
    await drain();
    lose(1);
    fates.post = Array.from({ length: 5 }, () => platformError('bad_message'));
    await drain();
    expect(shown()).toEqual([3, 1]);
    expect(lines.filter((line) => line.includes('is set aside'))).toHaveLength(1);
  });

  test('a request that goes on has a new post, also when they are back; a new channel is not told again', async () => {
    const { record, lose, find, drain, shown, updates, restart } = setUp();
    const asked = { request: 'r-1', action: 'requested' } as const;
    record(asked, asked);
    await drain();
    lose(1);
    await drain();
    restart('COTHER');
    record(asked);
    await drain();
    find();
    record(asked);
    await drain();
    const request = 'audit-request';
    expect([shown(), updates.length]).toEqual([[request, 'audit-missing', request, request, request], 0]);
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
