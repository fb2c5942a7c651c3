import { departuresQueue, liveQueue } from '../../domain/queues.ts';
import type { DepartureEvent, DepartureReader, DepartureList, NewQueueEntry, QueueEntry } from '../../domain/queues.ts';
import { type Machine, type Step, type View, restFor, restsUntil } from '../../durable/machine.ts';
import { mailboxes, type Mail } from '../../durable/mail.ts';
import type { DepartureService } from '../../operations/services/people.ts';
import type { LiveMessage } from '../../operations/services/platform.ts';
import type { Outbox } from '../../storage/storage.ts';
import { createRarely } from '../../time/timers.ts';
import {
  freshDepartures,
  openIn,
  personIds,
  type DeparturesState,
  afterListing,
  afterStandings,
  listDueAt,
  nextReadingAt,
  type OfficeHours,
  type Standings,
} from './departures-state.ts';
import { PlatformError } from '../../domain/errors.ts';
import type { Log } from '../../observability/log.ts';
import type { User } from '../../quiz-api/records.ts';
import { nextWorkingMoment } from '../../time/working-hours.ts';

export type Departures = ReturnType<typeof createDepartures>;

/** How often its mailbox is woken without mail, in case its wake was lost. */
const wokenEveryMs = 5 * 60_000;

/** Who of the account has left the platform. */
export function createDepartures(
  deps: Parameters<typeof departuresMachine>[0] & {
    outbox: Pick<Outbox, 'stateOf'>;
    mail: Mail;
    now: () => number;
  },
) {
  const { mail, now } = deps;
  const stateOf = async (teamId: string) =>
    (await deps.outbox.stateOf<DeparturesState>(departuresQueue(teamId))).state ?? freshDepartures;
  const put = async (teamId: string, event: DepartureEvent) => mail.put([entry(departuresQueue(teamId), event, now())]);
  const isTimeToWake = createRarely({ everyMs: wokenEveryMs, now });

  /** Takes that the platform says a person has changed. What it means for users of the account is looked up. */
  async function personChanged(
    teamId: string,
    { personId, isDeactivated }: { personId: string; isDeactivated: boolean },
  ): Promise<void> {
    const { people } = await stateOf(teamId);
    const isNews = people.some(
      (person) => person.personId === personId && (person.left !== undefined) !== isDeactivated,
    );
    if (isNews) await put(teamId, { kind: 'person-changed', personId });
  }

  return {
    machine: departuresMachine(deps),
    service: (teamId: string): DepartureService => ({
      async left(listId) {
        const state = await stateOf(teamId);
        const list = state.lists.find(({ id }) => id === listId);
        const open = list && new Set(openIn(state, list, await deps.users()).map(({ userId }) => userId));
        if (listId !== undefined && !open?.size) return undefined;
        return state.people
          .filter(({ userId, left }) => left !== undefined && (open === undefined || open.has(userId)))
          .map(({ userId, personId }) => ({ userId, isProtected: deps.owners.includes(personId) }));
      },
      async isGone(user) {
        const known = personIds(await stateOf(teamId));
        const standing = (await deps.whoHasLeft.these([user], known)).get(user.user_id);
        if (standing === undefined || standing.kind === 'left') return true;
        const personId = known.get(user.user_id);
        if (personId !== undefined) await personChanged(teamId, { personId, isDeactivated: false });
        return false;
      },
      dismiss: async (listId, userIds) => put(teamId, { kind: 'dismiss', listId, userIds }),
    }),
    /** People of the platform who are deactivated there, as far as they are users of the account. */
    departed: async (teamId: string): Promise<ReadonlySet<string>> =>
      new Set((await stateOf(teamId)).people.flatMap(({ personId, left }) => (left ? personId : []))),
    /** What the live message with an ID shows; undefined where there is none. */
    async live(teamId: string, liveId: string): Promise<LiveMessage | undefined> {
      const state = await stateOf(teamId);
      for (const list of state.lists) {
        const to = list.readers.find((_, place) => liveIdOf(list.id, place) === liveId);
        if (to === undefined) continue;
        const people = openIn(state, list, await deps.users());
        return {
          to,
          announcement: { kind: 'departures', list: { ...list, people } },
          isFinal: people.length === 0,
        };
      }
      return undefined;
    },
    personChanged,
    /** Has the messages of lists show what was done to their users. */
    async accountChanged(teamId: string): Promise<void> {
      const { lists } = await stateOf(teamId);
      if (lists.length > 0) await mail.put(refreshesOf(teamId, lists, now()));
    },
    /** Has the people of a workspace watched. */
    async upkeep(teamId: string): Promise<void> {
      if (isTimeToWake()) await mail.wake([{ queue: departuresQueue(teamId) }]);
    },
  };
}

/** Asks the platform. Both throw `PlatformError`. */
export interface WhoHasLeft {
  /**
   * Reads everybody whom the platform lists.
   * @param known the person of each user, as far as they were found before
   */
  everyone(users: readonly User[], known: ReadonlyMap<string, string>): Promise<Standings>;
  /** Looks up the people of these users, all of whom are known. For few. */
  these(users: readonly User[], known: ReadonlyMap<string, string>): Promise<Standings>;
}

/** Events applied in one step. */
const eventsAtMost = 500;
/** More people are found in the list of all with fewer calls than one by one. */
const lookedUpAtMost = 20;
const readsAgainAfterMs = 10 * 60_000;

type DepartureView = View<DeparturesState>;
type DepartureStep = Step<DeparturesState, never, 'nobody to ask'>;

/**
 * Knows which users of the account have left the platform, and lists once a day those who can still sign in. Events of the
 * platform make it quick, and can be lost, late or repeated: what they say is looked up, and everybody is read each day.
 */
function departuresMachine(
  deps: OfficeHours & {
    /** All users of the account, as they were less than half a minute ago. */
    users: () => Promise<readonly User[]>;
    whoHasLeft: WhoHasLeft;
    /** Who gets the lists. */
    readers: () => Promise<readonly DepartureReader[]>;
    /** People of the platform who are administrators in any case. */
    owners: readonly string[];
    onNobodyToAsk: () => Promise<void>;
    newId: () => string;
    log: Log;
  },
): Machine<DeparturesState, never, never, 'nobody to ask'> {
  const { timeZone, holidays, log } = deps;
  const owners = new Set(deps.owners);

  async function step(view: DepartureView): Promise<DepartureStep> {
    const { state = freshDepartures, mail, now } = view;
    const changed = changedIn(mail, state);
    const readingAt = nextReadingAt(state, timeZone);
    const dueAt = listDueAt(state, deps);
    // Later where the bot stood still until the evening.
    const listAt = dueAt && nextWorkingMoment(Math.max(dueAt, now), timeZone, holidays);
    // Who is listed was read after it was due, so that nobody is listed who has come back.
    const isReadForList = listAt !== now || state.readAt >= dueAt!;
    if (now >= readingAt || changed.length > lookedUpAtMost || !isReadForList) {
      const reading = await unlessUnavailable(async () => {
        const users = await deps.users();
        return { users, standings: await deps.whoHasLeft.everyone(users, personIds(state)) };
      });
      if (reading === undefined) return restAWhile(state, view.now);
      // The reading tells what these events are about.
      const answered = mail.filter((one) => events([one])[0]?.kind === 'person-changed');
      return keep(afterStandings(state, { ...reading, isWhole: true }, view.now), view, answered);
    }
    if (mail.length > 0) return afterMail(state, changed, view);
    if (listAt !== now) return { kind: 'rest', until: Math.min(readingAt, listAt ?? Infinity) };
    const [users, readers] = await Promise.all([deps.users(), deps.readers()]);
    const listed = afterListing(state, { users, readers, owners, newId: deps.newId }, now);
    return { ...keep(listed, view), ...(readers.length === 0 && { note: 'nobody to ask' }) };
  }

  async function afterMail(
    state: DeparturesState,
    changed: readonly string[],
    view: DepartureView,
  ): Promise<DepartureStep> {
    const users = await deps.users();
    const standings =
      changed.length === 0
        ? new Map()
        : await unlessUnavailable(async () =>
            deps.whoHasLeft.these(
              users.filter(({ user_id: userId }) => changed.includes(userId)),
              personIds(state),
            ),
          );
    if (standings === undefined) return restAWhile(state, view.now);
    const lists = events(view.mail).reduce(afterEvent, state.lists);
    return keep(afterStandings({ ...state, lists }, { users, standings, isWhole: false }, view.now), view, view.mail);
  }

  return {
    mailAtMost: eventsAtMost,
    needsPlatform: true,
    // The upkeep wakes it.
    isBusy: () => false,
    restsUntil,
    step,
    note: () => deps.onNobodyToAsk(),
  };

  /** @returns undefined where it is tried again later */
  async function unlessUnavailable<Answer>(read: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await read();
    } catch (error) {
      log.warn(
        { error, ...(error instanceof PlatformError && { code: error.code }) },
        'who has left could not be read; it is read again in some minutes',
      );
      return undefined;
    }
  }
}

/** Who is dismissed is listed again when they come back and leave again. */
function afterEvent(lists: readonly DepartureList[], event: DepartureEvent): readonly DepartureList[] {
  if (event.kind !== 'dismiss') return lists;
  const dismissed = new Set(event.userIds);
  return lists.map((list) =>
    list.id === event.listId ? { ...list, people: list.people.filter(({ userId }) => !dismissed.has(userId)) } : list,
  );
}

/** Keeps a state, and has the messages of its lists show who is on them now. */
function keep(
  state: DeparturesState,
  { mailbox: { teamId }, now }: DepartureView,
  taken: readonly QueueEntry[] = [],
): Extract<DepartureStep, { kind: 'keep' }> {
  return {
    kind: 'keep',
    state,
    take: taken.map(({ position }) => position),
    put: refreshesOf(teamId, state.lists, now),
  };
}

/** What has the messages of lists changed, where they show anything else now. */
function refreshesOf(teamId: string, lists: readonly DepartureList[], now: number): NewQueueEntry[] {
  return lists.flatMap(({ id, readers }) =>
    readers.map((_, place): NewQueueEntry => ({
      queue: liveQueue(teamId, liveIdOf(id, place)),
      subscriptionId: departureEntries,
      at: now,
      content: { kind: 'refresh' },
    })),
  );
}

function restAWhile(state: DeparturesState, now: number): DepartureStep {
  const rest = restFor(readsAgainAfterMs, now);
  return { kind: 'keep', state: { ...state, ...rest }, at: rest.notBefore };
}

/** What all entries about departures have in place of a subscription. */
const departureEntries = 'departures';
const { entry, events } = mailboxes('departure', departureEntries);

/** The ID of the message of a list for one of its readers. */
function liveIdOf(listId: string, place: number): string {
  return `${departureEntries}-${listId}.${place}`;
}

/** The users whose people have changed, as the mail says. */
function changedIn(mail: readonly QueueEntry[], { people }: DeparturesState): string[] {
  const changed = new Set(events(mail).flatMap((event) => (event.kind === 'person-changed' ? event.personId : [])));
  return people.filter(({ personId }) => changed.has(personId)).map(({ userId }) => userId);
}
