import { expect, test } from 'vitest';
import { departuresQueue, liveQueue, type DepartureList, type DepartureReader } from '../../../src/domain/queues.ts';
import { PlatformError } from '../../../src/domain/errors.ts';
import { createDepartures } from '../../../src/features/departures/departures.ts';
import type { DeparturesState, Standings, UserStanding } from '../../../src/features/departures/departures-state.ts';
import type { User } from '../../../src/quiz-api/records.ts';
import { quizUser } from '../../support/builders/users.ts';
import { recordingLog } from '../../support/log.ts';
import { createMemoryMail, createMemoryOutbox } from '../../support/memory-outbox.ts';
import { runMachine } from '../../support/run-machine.ts';

const hourMs = 3_600_000;
/** A Monday, 11:00. */
const monday = Date.UTC(2030, 0, 7, 11);

/** Users of an account, who are watched on a platform while time goes by. Each has the person `U-<user>`. */
async function openDepartures(
  names: readonly string[],
  { owners = [], leftBefore = [] }: { owners?: readonly string[]; leftBefore?: readonly string[] } = {},
) {
  const outbox = createMemoryOutbox();
  let now = monday;
  let ids = 0;
  let readings = 0;
  const users = new Map<string, User>(
    names.map((user_id) => [
      user_id,
      quizUser({ user_id, user_name: `${user_id}@quiz.example`, first_name: user_id, last_name: '' }),
    ]),
  );
  /** When each of those left who has left. */
  const left = new Map(leftBefore.map((name) => [name, monday - hourMs]));
  const platform = { isAway: false, readers: [{ channelId: 'C1' }] as DepartureReader[] };
  const unasked: number[] = [];
  const standingsOf = (some: readonly User[]): Standings => {
    if (platform.isAway) throw new PlatformError('away', { kind: 'refused' });
    return new Map(
      some.map(({ user_id: userId }): [string, UserStanding] => {
        const [personId, at] = [`U-${userId}`, left.get(userId)];
        return [userId, at === undefined ? { kind: 'here', personId } : { kind: 'left', personId, at }];
      }),
    );
  };
  const departures = createDepartures({
    outbox,
    mail: createMemoryMail(outbox),
    users: async () => [...users.values()],
    whoHasLeft: {
      async everyone(some) {
        readings += 1;
        return standingsOf(some);
      },
      these: async (some) => standingsOf(some),
    },
    readers: async () => platform.readers,
    owners,
    onNobodyToAsk: async () => void unasked.push(now),
    timeZone: 'UTC',
    holidays: new Set(),
    newId: () => `n-${(ids += 1)}`,
    log: recordingLog().log,
    now: () => now,
  });
  const run = runMachine(departures.machine, { outbox, now: () => now });
  const queue = departuresQueue('T1');
  const state = async () => (await outbox.stateOf<DeparturesState>(queue)).state!;

  /** Lets time pass, as the queues would run the machine. */
  async function until(moment: number): Promise<void> {
    for (;;) {
      const next = (await run(queue)) ?? Infinity;
      if (next > moment) break;
      now = Math.max(now, next);
    }
    now = moment;
  }
  await until(monday);

  return {
    departures,
    service: departures.service('T1'),
    users,
    left,
    platform,
    unasked,
    state,
    readings: () => readings,
    until,
    /** Nothing runs until then. */
    async standStill(moment: number) {
      now = moment;
      await until(now);
    },
    pass: async (hours: number) => until(now + hours * hourMs),
    /** A person is deactivated, or active again, and an event says so. */
    async set(userId: string, isActive: boolean) {
      if (isActive) left.delete(userId);
      else left.set(userId, now);
      await departures.personChanged('T1', { personId: `U-${userId}`, isDeactivated: !isActive });
      await until(now);
    },
    lists: async (): Promise<readonly DepartureList[]> => (await state()).lists,
    /** The names that each message has. */
    async shown() {
      const shown: string[][] = [];
      for (const { id } of (await state()).lists) {
        const live = await departures.live('T1', `departures-${id}.0`);
        if (live?.announcement.kind !== 'departures') throw new Error(`no message of ${id}`);
        shown.push(live.announcement.list.people.map(({ name }) => name));
      }
      return shown;
    },
    refreshes: async (listId: string, place = 0) =>
      (await outbox.waiting(liveQueue('T1', `departures-${listId}.${place}`), { limit: 100 })).length,
  };
}

const tuesdayAt9 = Date.UTC(2030, 0, 8, 9);

test('people who leave are listed at 9 on the next working day, all of a day on one list', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.set('rosa', false);
  await bed.pass(2);
  await bed.set('kim', false);
  await bed.until(tuesdayAt9 - 1);
  expect(await bed.lists()).toEqual([]);
  await bed.until(tuesdayAt9);
  expect(await bed.lists()).toMatchObject([
    {
      postedAt: tuesdayAt9,
      readers: [{ channelId: 'C1' }],
      people: [
        { userId: 'rosa', leftAt: monday },
        { userId: 'kim', leftAt: monday + 2 * hourMs },
      ],
      mass: null,
    },
  ]);
  expect(await bed.refreshes('n-1')).toBe(1);
  await bed.pass(48);
  expect(await bed.lists()).toHaveLength(1);
});

test('people who leave on a Friday are listed on Monday, and a bot that stood still lists them when it runs, in working hours', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.until(Date.UTC(2030, 0, 11, 16));
  await bed.set('rosa', false);
  await bed.until(Date.UTC(2030, 0, 14, 8));
  expect(await bed.lists()).toEqual([]);
  await bed.standStill(Date.UTC(2030, 0, 14, 20));
  expect(await bed.lists()).toEqual([]);
  await bed.until(Date.UTC(2030, 0, 15, 9));
  expect(await bed.lists()).toMatchObject([{ postedAt: Date.UTC(2030, 0, 15, 9) }]);
});

test('everybody is read once a day, and nobody who had left before the bot knew them is listed', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom'], { leftBefore: ['kim'] });
  expect(bed.readings()).toBe(1);
  await bed.pass(3 * 24);
  expect(bed.readings()).toBe(4);
  expect(await bed.lists()).toEqual([]);
  expect(await bed.departures.departed('T1')).toEqual(new Set(['U-kim']));
});

test('an event about somebody who is active again, or about whom nothing is new, changes nothing', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.departures.personChanged('T1', { personId: 'U-rosa', isDeactivated: true });
  await bed.departures.personChanged('T1', { personId: 'U-stranger', isDeactivated: true });
  await bed.departures.personChanged('T1', { personId: 'U-kim', isDeactivated: false });
  await bed.pass(0);
  expect(await bed.departures.departed('T1')).toEqual(new Set());
  await bed.pass(72);
  expect(await bed.lists()).toEqual([]);
});

test('a person who was suspended for another reason, and leaves and comes back, is nobody’s matter', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  bed.users.set('rosa', { ...bed.users.get('rosa')!, suspended: true });
  await bed.set('rosa', false);
  await bed.pass(48);
  await bed.set('rosa', true);
  await bed.pass(48);
  expect(await bed.lists()).toEqual([]);
});

test('owners and the last administrator are never listed', async () => {
  const names = ['ada', 'otto', 'rosa', ...Array.from({ length: 40 }, (_, index) => `p-${index}`)];
  const bed = await openDepartures(names, { owners: ['U-otto'] });
  bed.users.set('ada', { ...bed.users.get('ada')!, user_type: 'administrator', manage_users: true });
  for (const name of ['ada', 'otto', 'rosa']) await bed.set(name, false);
  await bed.until(tuesdayAt9);
  expect(await bed.shown()).toEqual([['rosa']]);
  expect(await bed.service.left()).toContainEqual({ userId: 'otto', isProtected: true });
});

test('a list is over after 30 days, and its people are not listed again', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.set('rosa', false);
  await bed.pass(24 * 20);
  expect(await bed.shown()).toEqual([['rosa']]);
  await bed.pass(24 * 12);
  expect(await bed.lists()).toEqual([]);
  expect(await bed.service.left('n-1')).toBeUndefined();
  expect(await bed.service.left()).toEqual([{ userId: 'rosa', isProtected: false }]);
});

test.each([
  [4, 40, false],
  [5, 40, true],
  [2, 10, false],
  [3, 10, true],
  [3, 29, true],
  [3, 30, false],
])('%i who left of %i are a mass: %s', async (count, of, isMass) => {
  const names = Array.from({ length: of }, (_, index) => `p-${index}`);
  const bed = await openDepartures(names);
  for (const name of names.slice(0, count)) await bed.set(name, false);
  await bed.until(tuesdayAt9);
  expect(await bed.lists()).toMatchObject([
    isMass ? { mass: { count, of }, people: [] } : { mass: null, people: Array.from({ length: count }, () => ({})) },
  ]);
  await bed.pass(24 * 5);
  expect(await bed.lists()).toHaveLength(1);
});

test('while Slack does not say who is there, nobody has left, and it is read again', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  bed.platform.isAway = true;
  await bed.set('rosa', false);
  await bed.pass(30);
  expect(await bed.departures.departed('T1')).toEqual(new Set());
  bed.platform.isAway = false;
  await bed.pass(1);
  expect(await bed.departures.departed('T1')).toEqual(new Set(['U-rosa']));
  expect(await bed.shown()).toEqual([['rosa']]);
});

test('where nobody can be asked, people are listed another day', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  bed.platform.readers = [];
  await bed.set('rosa', false);
  await bed.until(tuesdayAt9);
  expect([bed.unasked, await bed.lists()]).toEqual([[tuesdayAt9], []]);
  bed.platform.readers = [{ personId: 'UADA' }, { personId: 'UTOM' }];
  await bed.pass(24);
  expect(await bed.shown()).toEqual([['rosa']]);
  expect([await bed.refreshes('n-1', 0), await bed.refreshes('n-1', 1)]).toEqual([1, 1]);
  expect(await bed.departures.live('T1', 'departures-n-1.1')).toMatchObject({
    to: { personId: 'UTOM' },
    isFinal: false,
  });
  expect(await bed.departures.live('T1', 'departures-n-1.2')).toBeUndefined();
});
