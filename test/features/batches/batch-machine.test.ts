import { rowOf } from '../../../src/operations/define-plan.ts';
import { describe, expect, test } from 'vitest';
import type { BatchRow } from '../../../src/domain/batch.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import { digestOfUsers } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import { quizUser } from '../../support/builders/users.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { createSeededRandom } from '../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { createBudgetedService, openBatch, quizId, type Fault } from './batch-bed.ts';
import { assignRow, newUserRow, suspendRow, updateUserRow } from '../../support/builders/rows.ts';
import { createRequestPace } from '../../../src/features/batches/batch-machine.ts';
import { createRender } from '../../../src/words/render.ts';
import { say, named } from '../../../src/domain/said.ts';
import { resultTable } from '../../../src/features/batches/operations/control-batch.ts';
import { csvFile } from '../../../src/operations/table-file.ts';

const call = { operation: 'users.assignQuiz', method: 'POST', path: '/v1/users' };
const people = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    quizUser({ user_id: `u-${n}p`, user_name: `p${n}@quiz.example`, email_address: '' }),
  );
const trained = { quiz_id: 'q-2', name: '', date_assigned: null };
const assignTo = (userId: string): BatchRow => assignRow(quizId, { userId });
const fire = { quizId, quizName: 'Fire safety' };
const announcedTo = (userId: string): BatchRow =>
  assignRow(quizId, { userId }, { notify: [{ ...fire, users: [{ userId }] }] });
const kinds = (outcomes: readonly { kind: string }[]) => outcomes.map(({ kind }) => kind);

/** A fault for the first calls with a name, in order. */
function once(name: string, ...faults: Fault[]): (asked: string) => Fault {
  return (asked) => (asked.startsWith(name) ? (faults.shift() ?? 'none') : 'none');
}

describe('a batch', () => {
  test('costs a request for each person, in the background', async () => {
    const batch = await openBatch(
      people(40).map(({ user_id }) => assignTo(user_id)),
      { users: people(40) },
    );
    await batch.until();
    expect(batch.names().filter((name) => name !== 'users.list')).toHaveLength(40);
    expect(new Set(batch.calls.filter(({ name }) => name !== 'users.list').map(({ priority }) => priority))).toEqual(
      new Set(['background']),
    );
    expect(await batch.progress()).toMatchObject({ total: 40, done: 40, failed: 0, batch: { state: 'finished' } });
    expect([...batch.account.users.values()].filter(({ quizzes }) => quizzes.length === 1)).toHaveLength(40);
  });

  test.for([1, 2])(
    'takes 500 people at %i requests each through the service’s limits within three hundredths',
    async (requests) => {
      const clock = createVirtualClock();
      const service = createBudgetedService(clock, 150);
      const quizzes = requests === 1 ? [] : [{ id: quizId, name: 'Fire safety' }];
      const batch = await openBatch(
        Array.from({ length: 500 }, (_, n) => newUserRow(`kim${n}`, { quizzes })),
        { clock, send: service.call },
      );
      const startedAt = batch.now();
      await clock.runUntil(batch.until());
      expect(await batch.progress()).toMatchObject({ done: 500 });
      expect(batch.names().filter((name) => name.startsWith('users.create'))).toHaveLength(500);
      expect((batch.now() - startedAt) / 60_000).toBeLessThan(((500 * requests) / 60) * 1.03);
      expect(service.refused()).toBe(0);
    },
  );

  test('is on the record before its first change, and at its end says how far it came', async () => {
    let recordedFirst: number | undefined;
    const batch = await openBatch([assignTo('u-0p'), assignTo('u-gone')], {
      users: people(1),
      faultOf: (name) => (name.startsWith('users.assign') && (recordedFirst ??= batch.record.length), 'none'),
    });
    await batch.until();
    expect(recordedFirst).toBe(1);
    expect(batch.ownRecord()).toMatchObject([
      { action: 'begun', by: 'UTOM', operation: 'run-batch', change: 'assign ⁨Fire safety⁩', message: '2 changes' },
      { action: 'done', by: 'UTOM', message: '1 of 2 done, 1 failed' },
    ]);
  });

  test('has failed on the record where nothing of it could be made', async () => {
    const batch = await openBatch([assignTo('u-gone')]);
    await batch.until();
    expect(batch.ownRecord()).toMatchObject([
      { action: 'begun' },
      { action: 'failed', message: '0 of 1 done, 1 failed' },
    ]);
  });

  test('has the message about its progress refreshed with each row', async () => {
    const batch = await openBatch([assignTo('u-0p'), assignTo('u-1p')], { users: people(2) });
    await batch.until();
    // The start, two rows, the end.
    expect(await batch.refreshes()).toBe(4);
    expect(await batch.refreshes('campaign-c1')).toBe(0);
  });
});

test('its progress counts what changes apart from what is as asked and what is left out, and says whether it can be undone', async () => {
  const none = (kind: 'same' | 'skipped' | 'failed'): BatchRow => ({ kind: 'none', outcome: { kind }, name: kind });
  const rows = [none('same'), none('skipped'), none('failed'), assignTo('u-0p'), assignTo('u-1p')];
  const batch = await openBatch(rows, { users: people(2) });
  expect(await batch.progress()).toMatchObject({ total: 2, done: 0, skipped: 0, failed: 0 });
  expect((await batch.progress())?.canUndo).toBeUndefined();
  await batch.until();
  expect(await batch.progress()).toMatchObject({ total: 2, done: 2, skipped: 0, failed: 0, canUndo: true });
  const created = await openBatch([newUserRow('zoe')]);
  await created.until();
  expect(await created.progress()).toMatchObject({ total: 1, done: 1 });
  expect((await created.progress())?.canUndo).toBeUndefined();
});

describe('a quiz that a batch assigns', () => {
  test('is announced to a user once, with the row', async () => {
    const rows: BatchRow[] = [announcedTo('u-0p'), assignTo('u-1p'), announcedTo('u-gone')];
    const batch = await openBatch(rows, { users: people(2), faultOf: once('users.assignQuiz', 'lost answer') });
    await batch.until();
    expect(await batch.messagesTo('u-0p')).toEqual([{ kind: 'assigned', quizId, quizName: 'Fire safety', by: 'UTOM' }]);
    expect(await batch.messagesTo('u-1p')).toEqual([]);
    expect(await batch.messagesTo('u-gone')).toEqual([]);
  });

  test('is announced to the members of a group, once the group has it', async () => {
    const batch = await openBatch(
      [
        assignRow(
          quizId,
          { groupId: 'g-1' },
          {
            notify: [
              {
                ...fire,
                users: [
                  { userId: 'u-0p', groupId: 'g-1' },
                  { userId: 'u-1p', groupId: 'g-1' },
                ],
              },
            ],
          },
        ),
      ],
      { users: people(3), faultOf: once('quizzes.assignGroup g-1', 'lost answer') },
    );
    await batch.until();
    for (const userId of ['u-0p', 'u-1p'])
      expect(await batch.messagesTo(userId)).toEqual([
        { kind: 'assigned', quizId, quizName: 'Fire safety', by: 'UTOM', groupId: 'g-1' },
      ]);
    expect(await batch.messagesTo('u-2p')).toEqual([]);
  });

  test('is announced to nobody where the configuration turns direct messages off', async () => {
    const batch = await openBatch([announcedTo('u-0p')], {
      users: people(1),
      notifiesRespondents: false,
    });
    await batch.until();
    expect(batch.names()).toContain('users.assignQuiz u-0p');
    expect(await batch.messagesTo('u-0p')).toEqual([]);
  });

  test('is announced to a new user and to one who is updated, once, and only what the row assigns', async () => {
    const quiz = { id: quizId, name: 'Fire safety' };
    const update = updateUserRow('0p', 'u-0p', { quizzes: [quiz] }, ['quizzes']);
    const batch = await openBatch(
      [newUserRow('zoe', { quizzes: [quiz, { id: 'q-2', name: 'Ladders' }] }), newUserRow('ida'), update],
      { users: people(1), faultOf: once('users.create', 'lost answer') },
    );
    await batch.until();
    const [zoe, ida] = ['zoe@quiz.example', 'ida@quiz.example'].map(
      (name) => [...batch.account.users.values()].find(({ user_name }) => user_name === name)?.user_id ?? '',
    );
    expect(await batch.messagesTo(zoe!)).toMatchObject([
      { kind: 'assigned', quizName: 'Fire safety', by: 'UTOM' },
      { kind: 'assigned', quizName: 'Ladders' },
    ]);
    expect(await batch.messagesTo(ida!)).toEqual([]);
    expect(await batch.messagesTo('u-0p')).toMatchObject([{ kind: 'assigned', quizName: 'Fire safety' }]);
  });
});

test('a new user whom no message about their password reached is counted, though the batch is over', async () => {
  const batch = await openBatch([newUserRow('zoe'), newUserRow('ida')]);
  await batch.until();
  const before = await batch.refreshes();
  for (let times = 0; times < 2; times += 1) await batch.service.put(batch.id, { kind: 'unreached', row: 1 });
  await batch.until();
  expect(await batch.progress()).toMatchObject({ done: 2, withoutPassword: 1, batch: { state: 'finished' } });
  expect(await batch.outcomes()).toMatchObject([{ kind: 'done' }, { kind: 'done', isWithoutPassword: true }]);
  expect(await batch.refreshes()).toBe(before + 1);
});

test('a new user whom no message about their password reached is counted, though their row goes on', async () => {
  const batch = await openBatch([newUserRow('zoe', { groups: [{ id: 'g-1', name: 'Kitchen' }] })], {
    faultOf: (name) => {
      if (name.startsWith('users.create')) void batch.service.put(batch.id, { kind: 'unreached', row: 0 });
      return 'none';
    },
  });
  await batch.until();
  expect(batch.names()).toContain('users.assignGroup u-2');
  expect(await batch.outcomes()).toMatchObject([{ kind: 'done', userId: 'u-2', isWithoutPassword: true }]);
});

test('a new user gets their group and quiz, too, where another instance created them', async () => {
  const row = newUserRow('kim', {
    groups: [{ id: 'g-1', name: 'Kitchen' }],
    quizzes: [{ id: quizId, name: 'Fire safety' }],
  });
  const batch = await openBatch([newUserRow('zoe'), row], { instances: 3 });
  await batch.until();
  expect(kinds(await batch.outcomes())).toEqual(['done', 'done']);
  const kim = [...batch.account.users.values()].find(({ user_name }) => user_name === 'kim@quiz.example');
  expect(kim).toMatchObject({ groups: [{ group_id: 'g-1' }], quizzes: [{ quiz_id: quizId }] });
});

test('a group that another instance made before the batch was resumed is found', async () => {
  const kitchen = { groups: [{ id: 'g-1', name: 'Kitchen' }] };
  const crew = { groups: [{ id: 'g-new', name: 'Crew' }] };
  const batch = await openBatch([newUserRow('zoe', kitchen), newUserRow('kim', crew)], {
    faultOf: (name) => {
      if (name.startsWith('users.assignGroup')) void batch.service.put(batch.id, { kind: 'pause', by: 'UTOM' });
      return 'none';
    },
  });
  await batch.until();
  expect(kinds(await batch.outcomes())).toEqual(['done', 'waiting']);
  batch.account.groupIds.add('g-new');
  await batch.until(batch.now() + 1_000);
  await batch.service.put(batch.id, { kind: 'resume', by: 'UTOM', at: batch.now() });
  await batch.until();
  expect(kinds(await batch.outcomes())).toEqual(['done', 'done']);
});

describe('a row that fails', () => {
  const joins = rowOf(
    'add-to-group',
    { user: ['u-0p'], group: ['g-gone'] },
    { name: 'Kim', words: 'joins', userId: 'u-0p' },
  );
  const closed = new QuizApiError('bad request', call, 'answered 400', { serviceMessage: 'The quiz is closed.' });

  test.each<[string, BatchRow, Fault, string]>([
    ['what the service refused', assignTo('u-0p'), closed, 'The quiz service refused this: The quiz is closed.'],
    ['that a user is gone', assignTo('u-gone'), 'none', '⁨u-gone⁩ is no longer in the quiz account.'],
    [
      'that a group is gone, or that its owner does not see it',
      joins,
      'none',
      'The group isn’t there any more, or you can’t see it.',
    ],
    [
      'that the service has something no more, which it does not tell',
      assignTo('u-0p'),
      new QuizApiError('gone', call, 'answered 404'),
      'This is no longer in the quiz service.',
    ],
  ])('says %s, and the others are made', async (_, row, fault, error) => {
    const batch = await openBatch([row, assignTo('u-1p')], {
      users: people(2),
      faultOf: once('users.assignQuiz u-0p', fault),
    });
    await batch.until();
    expect(await batch.outcomes()).toEqual([
      { kind: 'failed', error: expect.stringContaining(error) },
      { kind: 'done', userId: 'u-1p' },
    ]);
  });

  test('does so after five requests without an answer that changed nothing', async () => {
    const batch = await openBatch([assignTo('u-0p'), assignTo('u-1p')], {
      users: people(2),
      faultOf: (name) => (name === 'users.assignQuiz u-0p' ? 'no connection' : 'none'),
    });
    await batch.until();
    expect(batch.names().filter((name) => name === 'users.assignQuiz u-0p')).toHaveLength(5);
    expect(kinds(await batch.outcomes())).toEqual(['failed', 'done']);
  });
});

test('a batch that goes on is never overdue, and one that the service keeps waiting is since its first failure', async () => {
  let isAway = false;
  const batch = await openBatch(
    Array.from({ length: 300 }, (_, index) => assignTo(`u-${index}p`)),
    {
      users: people(300),
      faultOf: () => (isAway ? 'no connection' : 'none'),
    },
  );
  const start = batch.now();
  for (let minute = 1; minute <= 2; minute += 1) {
    await batch.until(start + minute * 60_000);
    expect(await batch.overdueSince()).toBeUndefined();
  }
  expect((await batch.progress()).done).toBeGreaterThan(10);
  isAway = true;
  const awayAt = batch.now();
  await batch.until(awayAt + 120_000);
  const since = (await batch.overdueSince())!;
  expect(since).toBeGreaterThanOrEqual(awayAt);
  expect(since).toBeLessThan(awayAt + 60_000);
  isAway = false;
  await batch.until(awayAt + 20 * 60_000);
  expect(await batch.overdueSince()).toBeUndefined();
});

test('what is known of the owner counts for a minute from when it was asked, however late its answer is', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => assignTo(`u-${index}p`));
  const batch = await openBatch(rows, { users: people(300), actorMs: 50_000 });
  await batch.until(batch.now() + 10 * 60_000);
  const gaps = batch.actorsAskedAt.slice(1).map((at, index) => at - batch.actorsAskedAt[index]!);
  expect(gaps.length).toBeGreaterThan(5);
  expect(Math.max(...gaps)).toBeLessThan(70_000);
});

describe('an answer that is lost', () => {
  test('has the person looked up before anything is sent again', async () => {
    const batch = await openBatch([newUserRow('kim')], { faultOf: once('users.create', 'lost answer') });
    await batch.until();
    expect(batch.names().filter((name) => name !== 'users.list')).toEqual([
      'users.create kim@quiz.example',
      'users.find kim@quiz.example',
      'users.get u-2',
    ]);
    expect(await batch.outcomes()).toEqual([{ kind: 'done', userId: 'u-2' }]);
  });

  test('is looked up, too, where the first look-up finds no room in the budget', async () => {
    let now = 0;
    const create = once('users.create', 'killed after');
    const find = once(
      'users.find',
      new QuizApiError('budget spent', call, 'was not sent', {
        availableAt: new Date(Date.parse('2026-11-23T10:05:00Z')),
      }),
    );
    const batch = await openBatch([newUserRow('kim', { emailAddress: 'kim@work.example' })], {
      faultOf: (name) => (name.startsWith('users.find') ? find(name) : create(name)),
    });
    await batch.until();
    now = batch.now();
    expect(now).toBeGreaterThanOrEqual(Date.parse('2026-11-23T10:05:00Z'));
    expect(batch.names().filter((name) => name.startsWith('users.create'))).toHaveLength(1);
    expect(kinds(await batch.outcomes())).toEqual(['done']);
  });

  test('does not keep a new user from their groups and quizzes', async () => {
    const row = newUserRow('kim', {
      groups: [
        { id: 'g-1', name: 'Kitchen' },
        { id: 'g-2', name: 'Crew' },
      ],
      quizzes: [{ id: quizId, name: 'Fire safety' }],
    });
    const batch = await openBatch([row], { faultOf: once('users.assignGroup', 'lost answer') });
    await batch.until();
    const kim = batch.account.users.get('u-2');
    expect(kim?.groups.map(({ group_id }) => group_id)).toEqual(['g-1', 'g-2']);
    expect(kim?.quizzes.map(({ quiz_id }) => quiz_id)).toEqual([quizId]);
    expect(batch.names().filter((name) => name.startsWith('users.create'))).toHaveLength(1);
  });
});

describe('a service that takes nothing now', () => {
  test.for([
    [
      'the budget is spent',
      (until: Date) => new QuizApiError('budget spent', call, 'was not sent', { availableAt: until }),
    ],
    [
      'another program uses the key',
      (until: Date) => new QuizApiError('rate limited', call, 'answered 429', { availableAt: until }),
    ],
  ] as const)('is waited for where %s', async ([, fault]) => {
    const until = new Date(Date.parse('2026-11-23T10:03:00Z'));
    const batch = await openBatch([assignTo('u-0p')], {
      users: people(1),
      faultOf: once('users.assignQuiz', fault(until)),
    });
    await batch.until(until.getTime() - 1);
    expect(await batch.progress()).toMatchObject({ done: 0, failed: 0 });
    await batch.until();
    expect(await batch.progress()).toMatchObject({ done: 1, failed: 0 });
  });

  test('stops the batch where it refuses the key, until a person resumes it', async () => {
    const batch = await openBatch([assignTo('u-0p'), assignTo('u-1p')], {
      users: people(2),
      faultOf: once('users.assignQuiz', new QuizApiError('forbidden', call, 'answered 403', { status: 403 })),
    });
    await batch.until();
    expect(await batch.progress()).toMatchObject({
      done: 0,
      batch: { state: 'stopped' },
      problem: 'The quiz service rejects the bot’s API key. Ask your administrator to check it (reference ab12).',
    });
    expect(batch.ownRecord().at(-1)).toMatchObject({ action: 'stopped' });
    await batch.service.put(batch.id, { kind: 'resume', by: 'UTOM', at: batch.now() });
    await batch.until();
    expect(await batch.progress()).toMatchObject({ done: 2, batch: { state: 'finished' } });
  });
});

describe('the owner of a batch', () => {
  const trainer = { user_type: 'trainer', edit_quizzes: true, manage_users: true, manage_groups: false } as const;
  const administrator = { ...trainer, user_type: 'administrator', user_id: 'u-ada' } as const;
  const shownAs = (user: User): BatchRow => ({
    ...suspendRow(user.user_id, 'P'),
    needsApproval: true,
    shown: digestOfUsers(operationNamed('suspend-user')!, { user })!,
  });
  const [one, two] = [0, 1].map((n) => ({ ...people(2)[n]!, quizzes: [trained] }));
  const approved = {
    users: [one!, two!],
    owner: { ...trainer, trainerquizzes: [{ quiz_id: trained.quiz_id, name: '' }] },
    approver: administrator,
    approval: { by: 'UADA', expiresAt: Number.MAX_SAFE_INTEGER },
  };

  test('makes nothing by an approval for a user who is not as they were shown, nor by that of a person who may not decide', async () => {
    const batch = await openBatch([shownAs(one!), shownAs(two!)], {
      ...approved,
      users: [{ ...one!, user_type: 'administrator' }, two!],
    });
    await batch.until();
    expect(await batch.outcomes()).toMatchObject([
      { kind: 'failed', error: expect.stringMatching('changed since this was approved') },
      { kind: 'done' },
    ]);
    const lost = await openBatch([shownAs(one!)], { ...approved, approver: trainer });
    await lost.until();
    expect(kinds(await lost.outcomes())).toEqual(['failed']);
  });

  test('has it stopped when the approval has expired, until there is another one', async () => {
    const batch = await openBatch([shownAs(one!)], { ...approved, approval: { by: 'UADA', expiresAt: 0 } });
    await batch.until();
    expect(await batch.progress()).toMatchObject({ done: 0, needsNewApproval: true, batch: { state: 'stopped' } });
    const approval = { by: 'UADA', expiresAt: Number.MAX_SAFE_INTEGER };
    await batch.service.put(batch.id, { kind: 'resume', by: 'UTOM', at: batch.now(), approval });
    await batch.until();
    expect(await batch.progress()).toMatchObject({ done: 1, batch: { state: 'finished' } });
    expect((await batch.progress())?.needsNewApproval).toBeUndefined();
  });

  test('can pause, resume and cancel it', async () => {
    const batch = await openBatch(
      people(60).map(({ user_id }) => assignTo(user_id)),
      { users: people(60) },
    );
    await batch.until(batch.now());
    await batch.service.put(batch.id, { kind: 'pause', by: 'UTOM' });
    await batch.until();
    expect(await batch.progress()).toMatchObject({ done: 10, batch: { state: 'paused', endedAt: null } });
    await batch.service.put(batch.id, { kind: 'resume', by: 'UTOM', at: batch.now() });
    await batch.until(batch.now() + 10_200);
    await batch.service.put(batch.id, { kind: 'cancel', by: 'UTOM', at: batch.now() });
    await batch.until();
    expect(await batch.progress()).toMatchObject({
      done: 20,
      skipped: 40,
      batch: { state: 'cancelled', endedAt: batch.now() },
    });
    expect(batch.ownRecord().at(-1)).toMatchObject({ action: 'stopped', message: '20 of 60 done, 40 left out' });
  });
});

describe('a bot that is killed again and again', () => {
  test.for([1, 2, 3, 4, 5])('carries each row out once, with seed %i', async (seed) => {
    const { number: random } = createSeededRandom(seed);
    const existing = people(30);
    const rows = Array.from({ length: 90 }, (_, n): BatchRow =>
      n % 3 === 0
        ? assignTo(`u-${n / 3}p`)
        : newUserRow(`new${n}`, n % 3 === 1 ? { quizzes: [{ id: quizId, name: '' }] } : {}),
    );
    const fault = (): Fault => {
      const chance = random();
      return chance < 0.05
        ? 'killed before'
        : chance < 0.1
          ? 'killed after'
          : chance < 0.15
            ? 'lost answer'
            : chance < 0.18
              ? 'no connection'
              : 'none';
    };
    const batch = await openBatch(rows, {
      users: existing,
      faultOf: (name) => (name === 'users.list' ? 'none' : fault()),
      killsCommit: () => (random() < 0.05 ? (random() < 0.5 ? 'before' : 'after') : 'none'),
    });
    await batch.until();
    const created = [...batch.account.users.values()].filter(({ user_name }) => user_name.startsWith('new'));
    expect(batch.kills()).toBeGreaterThan(10);
    expect(created).toHaveLength(60);
    expect(new Set(created.map(({ user_name }) => user_name)).size).toBe(60);
    expect(await batch.progress()).toMatchObject({ done: 90, failed: 0, skipped: 0 });
    expect(existing.every(({ user_id }) => batch.account.users.get(user_id)?.quizzes.length === 1)).toBe(true);
  });
});

describe('the pace of changes', () => {
  function openPace() {
    const clock = { now: 1_000_000 };
    const pace = createRequestPace({ atOnce: 2, perMinute: 60, now: () => clock.now });
    return { clock, pace };
  }

  test('the first requests after a rest are sent at once, and the others are spread evenly', () => {
    const { clock, pace } = openPace();
    const turns = [1, 2, 3].map(() => {
      const turn = pace.turn();
      if (turn === undefined) pace.spend(1);
      return turn;
    });
    expect(turns).toEqual([undefined, undefined, 1_001_000]);
    clock.now = 1_001_000;
    expect(pace.turn()).toBeUndefined();
  });

  test('nothing waits longer because the clock was set back', () => {
    const { clock, pace } = openPace();
    pace.turn();
    pace.spend(30);
    expect(pace.turn()).toBe(1_029_000);
    clock.now -= 3_600_000;
    expect(pace.turn()).toBeUndefined();
  });
});

test('the result of a change names the bot’s commands as they are called, and people as they are', async () => {
  const row = { kind: 'none' as const, name: 'Rosa /quiz-user', outcome: { kind: 'failed' as const } };
  const error = say`${named('/quiz-user')} has no password: /quiz-user reset-password sets one`;
  const file = await csvFile(
    resultTable([row], [{ kind: 'failed', error }]),
    createRender({ commandPrefix: 'exam', botName: 'X' }),
  );
  expect(file.toString()).toContain(
    'Rosa /quiz-user,failed,“/quiz-user” has no password: /exam-user reset-password sets one',
  );
});
