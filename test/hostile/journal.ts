import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { applyChange, emptyState, recordChanges, stateOfPeople, takeChanges, worldOfChange, type RowChange, type State } from './state.ts';
import { slackIdOf, type SlackPerson, type World } from './world.ts';

/** A state of a world, from a tick on. */
interface Version {
  tick: number;
  state: State;
}

/** A change of a row by the bot. */
export interface BotChange extends RowChange {
  tick: number;
  world: number;
}

/**
 * Everything that happens, in one order. A tick is the number of an event. The service, the workspace and the steps share
 * this process, and the journal takes the changes of the service before it counts another event: so a change that came before a
 * demotion has the smaller tick.
 */
export interface Journal {
  /** Counts an event. */
  tick(): number;
  addWorld(world: World): void;
  /** Makes changes that are not the bot's. */
  intervene(change: () => void): void;
  setPerson(world: World, person: SlackPerson): void;
  state(world: number): State;
  /** The states of a world between two ticks, both included. */
  states(world: number, from: number, to: number): State[];
  /** The bot's changes of a world. */
  changes(world: number): readonly BotChange[];
  /** Changes of records that belong to no world. */
  readonly strays: readonly RowChange[];
  /** The ticks at which the bot was up again after a kill. */
  readonly restarts: number[];
  /** Makes changes after which the world is as it was at first. */
  restore(world: World, change: () => void): void;
}

export function createJournal(database: Database): Journal {
  let last = 0;
  const versions = new Map<number, Version[]>();
  const changes = new Map<number, BotChange[]>();
  const worldOfNew = new Map<string, number>();
  const strays: RowChange[] = [];
  recordChanges(database);

  function take(isBot: boolean): void {
    for (const change of takeChanges(database)) {
      const world = worldOfChange(change, worldOfNew);
      if (world === undefined || !versions.has(world)) {
        strays.push(change);
        continue;
      }
      for (const column of ['user_id', 'quiz_id']) if (typeof change.after?.[column] === 'string') worldOfNew.set(change.after[column], world);
      last += 1;
      if (isBot) listOf(changes, world).push({ ...change, tick: last, world });
      listOf(versions, world).push({ tick: last, state: applyChange(stateNow(world), change) });
    }
  }

  function stateNow(world: number): State {
    return versions.get(world)?.at(-1)?.state ?? emptyState;
  }

  return {
    tick() {
      take(true);
      last += 1;
      return last;
    },
    addWorld(world) {
      versions.set(world.number, [{ tick: last, state: stateOfPeople(world) }]);
      take(false);
      // What the world was made of is not history.
      versions.set(world.number, [{ tick: last, state: stateNow(world.number) }]);
    },
    intervene(change) {
      take(true);
      change();
      take(false);
    },
    setPerson(world, person) {
      take(true);
      last += 1;
      world.people = { ...world.people, ...Object.fromEntries(Object.entries(world.people).filter(([, { id }]) => id === person.id).map(([handle]) => [handle, person])) };
      listOf(versions, world.number).push({ tick: last, state: { ...stateNow(world.number), people: new Map(stateNow(world.number).people).set(person.id, person) } });
    },
    state(world) {
      take(true);
      return stateNow(world);
    },
    states(world, from, to) {
      const all = versions.get(world) ?? [];
      const first = Math.max(0, all.findLastIndex(({ tick }) => tick <= from));
      return all.slice(first).filter(({ tick }, index) => index === 0 || tick <= to).map(({ state }) => state);
    },
    changes(world) {
      take(true);
      return changes.get(world) ?? [];
    },
    strays,
    restarts: [],
    restore(world, change) {
      take(true);
      change();
      takeChanges(database);
      last += 1;
      const first = versions.get(world.number)?.[0]?.state ?? emptyState;
      world.people = Object.fromEntries(Object.keys(world.people).map((handle) => [handle, first.people.get(slackIdOf(world.number, handle))!]));
      listOf(versions, world.number).push({ tick: last, state: first });
    },
  };
}

function listOf<Item>(lists: Map<number, Item[]>, key: number): Item[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
