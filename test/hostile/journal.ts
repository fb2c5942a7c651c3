import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import {
  applyChange,
  emptyState,
  recordChanges,
  stateOfPeople,
  takeChanges,
  cohortOfChange,
  type Row,
  type RowChange,
  type State,
} from './state.ts';
import { slackIdOf, type SlackPerson, type Cohort, type Tenant } from './cohort.ts';

/** A state of a cohort, from a tick on. */
interface Version {
  tick: number;
  state: State;
}

/** A change of a row by the bot. */
export interface BotChange extends RowChange {
  tick: number;
  cohort: number;
  /** Where only the result was seen: the tick of the look before, after which the change was made. */
  since?: number;
}

/** A request of the bot that changes records of a cohort. */
export interface ChangingCall {
  cohort: number;
  path: string;
  /** When it reached the service. */
  arrived: number;
  /** When the bot had the answer; Infinity until then. */
  answered: number;
}

/**
 * Everything that happens, in one order. A tick is the number of an event. The service, the workspace and the steps share
 * this process, and the journal takes the changes of the service before it counts another event: so a change that came before a
 * demotion has the smaller tick.
 */
export interface Journal {
  /** Counts an event. */
  tick(): number;
  addCohort(cohort: Cohort): void;
  /** Makes changes that are not the bot's. */
  intervene(change: () => void): void;
  setPerson(cohort: Cohort, person: SlackPerson): void;
  /** Compares the subscriptions of a cohort with those of the last look: the differences are changes by the bot. */
  lookAtSubscriptions(cohort: number, rows: readonly Row[]): void;
  /** Compares whom the campaigns of a cohort write to with what they were at the last look. */
  lookAtCampaigns(cohort: number, rows: readonly Row[]): void;
  state(cohort: number): State;
  /** A tick so many milliseconds before another one, or somewhat earlier. */
  tickBefore(tick: number, ms: number): number;
  /** The states of a cohort between two ticks, both included. */
  states(cohort: number, from: number, to: number): State[];
  /** The same with the tick from which each is so. */
  versions(cohort: number, from: number, to: number): Version[];
  /** The bot's changes of a cohort. */
  changes(cohort: number): readonly BotChange[];
  /** Changes of records that belong to no cohort of the account. */
  readonly strays: readonly RowChange[];
  /** The bot’s changing requests, in the order in which they reached the service. */
  readonly calls: ChangingCall[];
  /** The ticks at which the bot was killed. */
  readonly kills: number[];
  /** The ticks before which nothing is known to the bot, since it was started again. */
  readonly starts: number[];
  /** The ticks at which the bot’s clock went ahead by more than a day. */
  readonly leaps: number[];
  /** Makes changes after which the cohort is as it was at first, except what the bot keeps. */
  restore(cohort: Cohort, change: () => void): void;
}

/** @param accounts of all tenants */
export function createJournal(accounts: readonly { tenant: Tenant; database: Database }[]): Journal {
  let last = 0;
  /** When some ticks were, a second or more apart. */
  const times = [{ tick: 0, at: performance.now() }];
  const tenants = new Map<number, Tenant>();
  const versions = new Map<number, Version[]>();
  const changes = new Map<number, BotChange[]>();
  const cohortOfNew = new Map<string, number>();
  const strays: RowChange[] = [];
  const lastLooks = new Map<number, number>();
  const campaignMembers = new Set<string>();
  for (const { database } of accounts) recordChanges(database);

  function take(isBot: boolean): void {
    for (const { tenant, change } of changesOfAll()) {
      const cohort = cohortOfChange(change, cohortOfNew);
      if (cohort === undefined || tenants.get(cohort) !== tenant) {
        strays.push(change);
        continue;
      }
      for (const column of ['user_id', 'quiz_id'])
        if (typeof change.after?.[column] === 'string') cohortOfNew.set(change.after[column], cohort);
      last += 1;
      if (isBot) listOf(changes, cohort).push({ ...change, tick: last, cohort });
      listOf(versions, cohort).push({ tick: last, state: applyChange(stateNow(cohort), change) });
    }
  }

  function changesOfAll(): { tenant: Tenant; change: RowChange }[] {
    return accounts.flatMap(({ tenant, database }) => takeChanges(database).map((change) => ({ tenant, change })));
  }

  function stateNow(cohort: number): State {
    return versions.get(cohort)?.at(-1)?.state ?? emptyState;
  }

  function between(cohort: number, from: number, to: number): Version[] {
    const all = versions.get(cohort) ?? [];
    const first = Math.max(
      0,
      all.findLastIndex(({ tick }) => tick <= from),
    );
    return all.slice(first).filter(({ tick }, index) => index === 0 || tick <= to);
  }

  return {
    tick() {
      take(true);
      last += 1;
      const at = performance.now();
      if (at - times.at(-1)!.at >= 1_000) times.push({ tick: last, at });
      return last;
    },
    addCohort(cohort) {
      tenants.set(cohort.number, cohort.tenant);
      versions.set(cohort.number, [{ tick: last, state: stateOfPeople(cohort) }]);
      take(false);
      // What the cohort was made of is not history.
      versions.set(cohort.number, [{ tick: last, state: stateNow(cohort.number) }]);
    },
    intervene(change) {
      take(true);
      change();
      take(false);
    },
    setPerson(cohort, person) {
      take(true);
      last += 1;
      cohort.people = {
        ...cohort.people,
        ...Object.fromEntries(
          Object.entries(cohort.people)
            .filter(([, { id }]) => id === person.id)
            .map(([handle]) => [handle, person]),
        ),
      };
      listOf(versions, cohort.number).push({
        tick: last,
        state: { ...stateNow(cohort.number), people: new Map(stateNow(cohort.number).people).set(person.id, person) },
      });
    },
    lookAtSubscriptions(cohort, rows) {
      take(true);
      const known = stateNow(cohort).subscriptions;
      const present = new Map(rows.map((row) => [String(row['subscription_id']), row]));
      for (const id of new Set([...known.keys(), ...present.keys()])) {
        const change: RowChange = {
          table: 'subscriptions',
          before: known.get(id) ?? null,
          after: present.get(id) ?? null,
        };
        if (isDeepStrictEqual(change.before, change.after)) continue;
        last += 1;
        listOf(changes, cohort).push({ ...change, tick: last, cohort, since: lastLooks.get(cohort) ?? 0 });
        listOf(versions, cohort).push({ tick: last, state: applyChange(stateNow(cohort), change) });
      }
      last += 1;
      lastLooks.set(cohort, last);
    },
    lookAtCampaigns(cohort, rows) {
      take(true);
      for (const row of rows) {
        const key = `${row['campaign_id']} ${row['user_id']}`;
        if (campaignMembers.has(key)) continue;
        campaignMembers.add(key);
        last += 1;
        listOf(changes, cohort).push({ table: 'campaign_members', before: null, after: row, tick: last, cohort });
      }
    },
    state(cohort) {
      take(true);
      return stateNow(cohort);
    },
    states: (cohort, from, to) => between(cohort, from, to).map(({ state }) => state),
    versions: between,
    tickBefore(tick, ms) {
      const { at } = times.findLast((time) => time.tick <= tick)!;
      return times.findLast((time) => time.at <= at - ms)?.tick ?? 0;
    },
    changes(cohort) {
      take(true);
      return changes.get(cohort) ?? [];
    },
    strays,
    calls: [],
    kills: [],
    starts: [],
    leaps: [],
    restore(cohort, change) {
      take(true);
      change();
      changesOfAll();
      last += 1;
      const first = {
        ...(versions.get(cohort.number)?.[0]?.state ?? emptyState),
        subscriptions: stateNow(cohort.number).subscriptions,
      };
      cohort.people = Object.fromEntries(
        Object.keys(cohort.people).map((handle) => [handle, first.people.get(slackIdOf(cohort.number, handle))!]),
      );
      listOf(versions, cohort.number).push({ tick: last, state: first });
    },
  };
}

function listOf<Item>(lists: Map<number, Item[]>, key: number): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
