import type { DepartureEvent, DepartureReader } from '../../domain/queue-entry.ts';
import type { Announcement } from '../../domain/announcement.ts';
import { departuresQueue } from '../../domain/queue-names.ts';
import type { AnyMachine } from '../../durable/machine.ts';
import type { Mail } from '../../durable/mail.ts';
import type { DepartureService } from '../../operations/services/people.ts';
import type { Outbox } from '../../storage/storage.ts';
import { createRarely } from '../../time/rarely.ts';
import { departureEntries, departuresMachine, liveIdOf, refreshesOf } from './departures-machine.ts';
import { freshDepartures, openIn, personIds, type DeparturesState } from './departures-state.ts';

/** Who of the account has left the platform. */
export interface Departures {
  service: (teamId: string) => DepartureService;
  machine: AnyMachine;
  /** People of the platform who are deactivated there, as far as they are users of the account. */
  departed: (teamId: string) => Promise<ReadonlySet<string>>;
  /** What the live message with an ID shows; undefined where there is none. */
  live: (
    teamId: string,
    id: string,
  ) => Promise<{ to: DepartureReader; announcement: Announcement; isFinal: boolean } | undefined>;
  /** Takes that the platform says a person has changed. What it means for users of the account is looked up. */
  personChanged: (teamId: string, person: { personId: string; isDeactivated: boolean }) => Promise<void>;
  /** Has the messages of lists show what was done to their users. */
  accountChanged: (teamId: string) => Promise<void>;
  /** Has the people of a workspace watched. */
  upkeep: (teamId: string) => Promise<void>;
}

/** How often its mailbox is woken without mail, in case its wake was lost. */
const wokenEveryMs = 5 * 60_000;

export function createDepartures(
  deps: Parameters<typeof departuresMachine>[0] & {
    outbox: Pick<Outbox, 'stateOf'>;
    mail: Mail;
    now: () => number;
  },
): Departures {
  const { mail, now } = deps;
  const stateOf = async (teamId: string) =>
    (await deps.outbox.stateOf<DeparturesState>(departuresQueue(teamId))).state ?? freshDepartures;
  const put = async (teamId: string, event: DepartureEvent) =>
    mail.put([
      {
        queue: departuresQueue(teamId),
        subscriptionId: departureEntries,
        at: now(),
        content: { kind: 'departure-event', event },
      },
    ]);
  const isTimeToWake = createRarely({ everyMs: wokenEveryMs, now });

  const personChanged: Departures['personChanged'] = async (teamId, { personId, isDeactivated }) => {
    const { people } = await stateOf(teamId);
    const isNews = people.some(
      (person) => person.personId === personId && (person.left !== undefined) !== isDeactivated,
    );
    if (isNews) await put(teamId, { kind: 'person-changed', personId });
  };

  return {
    machine: departuresMachine(deps),
    service: (teamId) => ({
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
    departed: async (teamId) =>
      new Set((await stateOf(teamId)).people.flatMap(({ personId, left }) => (left ? personId : []))),
    async live(teamId, liveId) {
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
    async accountChanged(teamId) {
      const { lists } = await stateOf(teamId);
      if (lists.length > 0) await mail.put(refreshesOf(teamId, lists, now()));
    },
    async upkeep(teamId) {
      if (isTimeToWake()) await mail.wake([{ queue: departuresQueue(teamId) }]);
    },
  };
}
