import { PlatformError } from '../../domain/errors.ts';
import type { DepartureEvent, DepartureReader } from '../../domain/departure.ts';
import type { NewQueueEntry, QueueEntry } from '../../domain/queue-entry.ts';
import { liveQueue } from '../../domain/queue-names.ts';
import type { Machine, Step, View } from '../../durable/machine.ts';
import { restFor, restsUntil } from '../../durable/rest.ts';
import type { Log } from '../../observability/log.ts';
import type { User } from '../../quiz-api/users.ts';
import { afterStandings } from './after-standings.ts';
import { afterDismissal, withNoticesCompared } from './compare-notices.ts';
import { freshDepartures, personIds, type DeparturesState } from './departures-state.ts';
import { afterProposing, afterTellingReturns, type Setting } from './new-notices.ts';
import type { Standings, WhoHasLeft } from './standing.ts';
import { comparisonDueAt, nextReadingAt, proposalDueAt, returnDueAt, writtenAt, type OfficeHours } from './times.ts';

/** Events applied in one step. */
const eventsAtMost = 500;
/** More people are found in the list of all with fewer calls than one by one. */
const lookedUpAtMost = 20;
const readsAgainAfterMs = 10 * 60_000;

interface DepartureFacts {
  /** All users of the account. */
  users: readonly User[];
  /** Everybody, or undefined where the platform or the service does not say now. */
  reading: { users: readonly User[]; standings: Standings } | undefined;
  /** The people of whom the mail says that they have changed, likewise. */
  lookedUp: Standings | undefined;
  readers: readonly DepartureReader[];
}

type DepartureView = View<DeparturesState, DepartureFacts>;
type DepartureStep = Step<DeparturesState, DepartureFacts, never, 'nobody to ask'>;

/**
 * Knows which users of the account have left the platform, proposes to suspend them, and keeps its proposals up to date. Events
 * of the platform make it quick, and can be lost, late or repeated: what they say is looked up, and everybody is read each day.
 */
export function departuresMachine(
  deps: OfficeHours & {
    /** All users of the account, as they were less than half a minute ago. */
    users: () => Promise<readonly User[]>;
    whoHasLeft: WhoHasLeft;
    /** Where proposals are made. */
    readers: () => Promise<readonly DepartureReader[]>;
    /** People of the platform who are administrators in any case. */
    owners: readonly string[];
    onNobodyToAsk: () => Promise<void>;
    newId: () => string;
    log: Log;
  },
): Machine<DeparturesState, DepartureFacts, never, never, 'nobody to ask'> {
  const { newId, log } = deps;
  const owners = new Set(deps.owners);

  function step(view: DepartureView): DepartureStep {
    const { state = freshDepartures, mail, facts, now } = view;
    const changed = changedIn(mail, state);
    if (now >= nextReadingAt(state, deps.timeZone) || changed.length > lookedUpAtMost) {
      if (!('reading' in facts)) return { kind: 'ask', for: 'reading' };
      return facts.reading ? afterReading(state, facts.reading, view) : restAWhile(state, now);
    }
    if (mail.length > 0) return afterMail(state, changed, view);

    const proposalAt = proposalDueAt(state, deps);
    const returnAt = returnDueAt(state, deps);
    const comparisonAt = comparisonDueAt(state);
    const mayWrite = writtenAt(now, deps, now) === now;
    const due = (at: number | undefined) => mayWrite && at !== undefined && at <= now;
    // What is proposed was read after it was due, so that nobody is proposed who has come back.
    if (due(proposalAt) && state.readAt < proposalAt!) {
      if (!('reading' in facts)) return { kind: 'ask', for: 'reading' };
      return facts.reading ? afterReading(state, facts.reading, view) : restAWhile(state, now);
    }
    if (due(proposalAt) || due(returnAt)) {
      const { users, readers } = facts;
      if (users === undefined) return { kind: 'ask', for: 'users' };
      if (readers === undefined) return { kind: 'ask', for: 'readers' };
      const setting: Setting = { users, readers, owners, newId };
      const compared = withNoticesCompared(state, users, now);
      const proposed = due(proposalAt) ? afterProposing(compared, setting, now) : compared;
      const next = due(returnAt) ? afterTellingReturns(proposed, setting, now) : proposed;
      return { ...keep(state, next, view), ...(readers.length === 0 && { note: 'nobody to ask' }) };
    }
    if (comparisonAt !== undefined && comparisonAt <= now) {
      if (facts.users === undefined) return { kind: 'ask', for: 'users' };
      return keep(state, withNoticesCompared(state, facts.users, now), view);
    }
    const written = [proposalAt, returnAt].flatMap((at) => (at === undefined ? [] : writtenAt(at, deps, now)));
    return {
      kind: 'rest',
      until: Math.min(nextReadingAt(state, deps.timeZone), comparisonAt ?? Infinity, ...written),
    };
  }

  function afterReading(
    state: DeparturesState,
    { users, standings }: NonNullable<DepartureFacts['reading']>,
    view: DepartureView,
  ): DepartureStep {
    const { mail, now } = view;
    // The reading tells what these events are about.
    const answered = mail.filter(({ content }) => eventIn(content)?.kind === 'person-changed');
    return keep(state, withStandings(state, { users, standings, isWhole: true }, now), view, answered);
  }

  function afterMail(state: DeparturesState, changed: readonly string[], view: DepartureView): DepartureStep {
    const { mail, facts, now } = view;
    const events = eventsIn(mail);
    if (changed.length === 0 && !events.some(({ kind }) => kind === 'dismiss'))
      return keep(state, { ...state, changedAt: state.changedAt ?? now }, view, mail);
    if (changed.length > 0 && !('lookedUp' in facts)) return { kind: 'ask', for: 'lookedUp' };
    if (facts.users === undefined) return { kind: 'ask', for: 'users' };
    const { users, lookedUp: standings = new Map() } = facts;
    if (changed.length > 0 && facts.lookedUp === undefined) return restAWhile(state, now);
    const dismissed = events.reduce(
      (before, event) => (event.kind === 'dismiss' ? afterDismissal(before, event) : before),
      state,
    );
    return keep(state, withStandings(dismissed, { users, standings, isWhole: false }, now), view, mail);
  }

  return {
    mailAtMost: eventsAtMost,
    needsPlatform: true,
    // The upkeep wakes it.
    isBusy: () => false,
    restsUntil,
    step,
    facts: {
      users: () => deps.users(),
      async reading({ state = freshDepartures }) {
        return unlessUnavailable(async () => {
          const users = await deps.users();
          return { users, standings: await deps.whoHasLeft.everyone(users, personIds(state)) };
        });
      },
      async lookedUp({ state = freshDepartures, mail }) {
        return unlessUnavailable(async () => {
          const users = await deps.users();
          const changed = new Set(changedIn(mail, state));
          return deps.whoHasLeft.these(
            users.filter(({ user_id: userId }) => changed.has(userId)),
            personIds(state),
          );
        });
      },
      readers: () => deps.readers(),
    },
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

/** Compares before, too: who was suspended for having left is known by that when they are back. */
function withStandings(
  state: DeparturesState,
  read: Parameters<typeof afterStandings>[1],
  now: number,
): DeparturesState {
  const compared = withNoticesCompared(state, read.users, now);
  return withNoticesCompared(afterStandings(compared, read, now), read.users, now);
}

/** Keeps a state, and has the messages changed whose notices are not what they were. */
function keep(
  before: DeparturesState,
  after: DeparturesState,
  { mailbox: { teamId }, now }: DepartureView,
  taken: readonly QueueEntry[] = [],
): Extract<DepartureStep, { kind: 'keep' }> {
  const shown = new Set(before.notices);
  const put = after.notices
    .filter((notice) => !shown.has(notice))
    .flatMap(({ id, readers }) =>
      readers.map((_, place): NewQueueEntry => ({
        queue: liveQueue(teamId, liveIdOf(id, place)),
        subscriptionId: departureEntries,
        at: now,
        content: { kind: 'refresh' },
      })),
    );
  return { kind: 'keep', state: after, take: taken.map(({ position }) => position), put };
}

function restAWhile(state: DeparturesState, now: number): DepartureStep {
  const rest = restFor(readsAgainAfterMs, now);
  return { kind: 'keep', state: { ...state, ...rest }, at: rest.notBefore };
}

/** What all entries about departures have in place of a subscription. */
export const departureEntries = 'departures';

/** The ID of the message of a notice for one of its readers. */
export function liveIdOf(noticeId: string, place: number): string {
  return `${departureEntries}-${noticeId}.${place}`;
}

function eventIn(content: QueueEntry['content']): DepartureEvent | undefined {
  return content.kind === 'departure-event' ? content.event : undefined;
}

function eventsIn(mail: readonly QueueEntry[]): DepartureEvent[] {
  return mail.flatMap(({ content }) => eventIn(content) ?? []);
}

/** The users whose people have changed, as the mail says. */
function changedIn(mail: readonly QueueEntry[], { people }: DeparturesState): string[] {
  const changed = new Set(eventsIn(mail).flatMap((event) => (event.kind === 'person-changed' ? event.personId : [])));
  return people.filter(({ personId }) => changed.has(personId)).map(({ userId }) => userId);
}
