import { departuresQueue, liveQueue } from '../../src/domain/queue-names.ts';
import { PlatformError } from '../../src/domain/errors.ts';
import type { DepartureList, DepartureReader } from '../../src/domain/queue-entry.ts';
import { createDepartures } from '../../src/features/departures/departures.ts';
import type { DeparturesState, Standings, UserStanding } from '../../src/features/departures/departures-state.ts';
import type { User } from '../../src/quiz-api/users.ts';
import { quizUser } from './builders/users.ts';
import { recordingLog } from './log.ts';
import { createMemoryMail } from './memory-mail.ts';
import { createMemoryOutbox } from './memory-outbox.ts';
import { runMachine } from './run-machine.ts';

const hourMs = 3_600_000;
/** A Monday, 11:00. */
export const monday = Date.UTC(2030, 0, 7, 11);

/** Users of an account, who are watched on a platform while time goes by. Each has the person `U-<user>`. */
export async function openDepartures(
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
    now: () => now,
    until,
    /** Nothing runs until then. */
    async standStill(moment: number) {
      now = moment;
      await until(now);
    },
    pass: async (hours: number) => until(now + hours * hourMs),
    /** A person is deactivated, or active again; `isHeard`: an event says so. */
    async set(userId: string, isActive: boolean, { isHeard = true } = {}) {
      if (isActive) left.delete(userId);
      else left.set(userId, now);
      if (isHeard) await departures.personChanged('T1', { personId: `U-${userId}`, isDeactivated: !isActive });
      await until(now);
    },
    suspend(userId: string, suspended = true) {
      users.set(userId, { ...users.get(userId)!, suspended });
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
