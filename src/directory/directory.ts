import { setImmediate as pause } from 'node:timers/promises';
import type { Group } from '../quiz-api/groups.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { User } from '../quiz-api/users.ts';
import { buildNameIndex, createNameIndex, type NameIndex } from './name-index.ts';
import { fullName, ownName } from './names.ts';
import { createQuizGroups, type QuizGroups } from './quiz-groups.ts';

/** A cached list whose items are found by name, for typed text and for pickers. */
export interface NamedList<Item> extends Pick<CachedList<Item>, 'get' | 'fresh' | 'refresh'> {
  /** The index of the current list. */
  names(call?: CallOptions): Promise<NameIndex<Item>>;
  /** For pickers, which must not wait: gives the previous index while a new one is built for a long list. */
  namesAtHand(call?: CallOptions): Promise<NameIndex<Item>>;
  /** Shows our own write at once. */
  put(item: Item): void;
  remove(item: Item): void;
}

/** The account's quizzes, users and groups, cached so that pickers and rights do not wait for the service. */
export interface Directory {
  quizzes: NamedList<Quiz>;
  users: NamedList<User>;
  groups: NamedList<Group>;
  quizGroups: QuizGroups;
  /** Loads the three lists with background priority. */
  load(): Promise<void>;
}

const minuteMs = 60_000;
/** A longer list is indexed in slices of a few milliseconds. */
const indexedAtOnce = 2_000;

export function createDirectory(deps: {
  api: QuizApi;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}): Directory {
  const { api, now, onBackgroundError } = deps;
  const usual = { now, onBackgroundError };
  const quizzes = createNamedList(
    createCachedList({ ...usual, load: (call) => api.quizzes.list(call), agesAfterMs: minuteMs }),
    { id: (quiz) => quiz.quiz_id, names: (quiz) => [quiz.name] },
  );
  const users = createNamedList(
    createCachedList({ ...usual, load: (call) => api.users.list(call), agesAfterMs: 5 * minuteMs, agesInBackgroundAfterMs: 15 * minuteMs }),
    { id: (user) => user.user_id, names: (user) => [ownName(user)], privateNames: (user) => [fullName(user), user.user_name, user.email_address] },
  );
  const groups = createNamedList(
    createCachedList({ ...usual, load: (call) => api.groups.list(call), agesAfterMs: 5 * minuteMs }),
    { id: (group) => group.group_id, names: (group) => [group.group_name] },
  );
  return {
    quizzes,
    users,
    groups,
    quizGroups: createQuizGroups(deps),
    async load() {
      await Promise.all([users, quizzes, groups].map((list) => list.refresh({ priority: 'background' })));
    },
  };
}

function createNamedList<Item extends object>(
  list: CachedList<Item>,
  keys: { id: (item: Item) => string; names: (item: Item) => readonly string[]; privateNames?: (item: Item) => readonly string[] },
): NamedList<Item> {
  let indexed: { items: readonly Item[] | undefined; index: NameIndex<Item> } | undefined;
  let building: Promise<void> | undefined;

  async function build(items: readonly Item[]): Promise<void> {
    const index = items.length <= indexedAtOnce ? createNameIndex(items, keys) : await buildNameIndex(items, keys, () => pause());
    indexed = { items, index };
  }

  /** Repeats if the list changes while it is indexed. */
  async function names(call?: CallOptions): Promise<NameIndex<Item>> {
    const items = await list.get(call);
    if (indexed?.items === items) return indexed.index;
    building ??= build(items).finally(() => (building = undefined));
    await building;
    return names(call);
  }

  function change(edit: (items: readonly Item[]) => readonly Item[], editIndex: (index: NameIndex<Item>) => void): void {
    const isCurrent = indexed?.items === list.known();
    list.change(edit);
    if (!indexed || !isCurrent) return;
    editIndex(indexed.index);
    indexed.items = list.known();
  }

  return {
    get: list.get,
    fresh: list.fresh,
    refresh: list.refresh,
    names,
    async namesAtHand(call) {
      const current = names(call);
      if (!indexed) return current;
      current.catch(() => {});
      return indexed.index;
    },
    put(item) {
      const id = keys.id(item);
      change(
        (items) => [...items.filter((known) => keys.id(known) !== id), item],
        (index) => index.put(item),
      );
    },
    remove(item) {
      const id = keys.id(item);
      change(
        (items) => items.filter((known) => keys.id(known) !== id),
        (index) => index.remove(id),
      );
    },
  };
}

/** A list of the quiz service, cached. */
export interface CachedList<Item> {
  /** The cached list, however old; undefined before the first load. Never waits. */
  known(): readonly Item[] | undefined;
  /** The cached list. Waits for the first load; reloads an old list in the background. */
  get(call?: CallOptions): Promise<readonly Item[]>;
  /** The list of the service, at most `maxAgeMs` old: 5 seconds unless given. */
  fresh(call?: CallOptions, maxAgeMs?: number): Promise<readonly Item[]>;
  /** Loads the list. Concurrent callers share one request. */
  refresh(call?: CallOptions): Promise<readonly Item[]>;
  /** Shows our own write at once. */
  change(edit: (items: readonly Item[]) => readonly Item[]): void;
}

const freshMs = 5_000;

export function createCachedList<Item>(options: {
  load: (call?: CallOptions) => Promise<readonly Item[]>;
  /** `get` reloads a list older than this in the background. */
  agesAfterMs: number;
  /** The same for calls with background priority: a campaign would otherwise read the list all the time. Default: `agesAfterMs`. */
  agesInBackgroundAfterMs?: number;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}): CachedList<Item> {
  let items: readonly Item[] | undefined;
  let loadedAt = -Infinity;
  let flight: Promise<readonly Item[]> | undefined;
  let editsInFlight: ((items: readonly Item[]) => readonly Item[])[] = [];

  async function load(call?: CallOptions): Promise<readonly Item[]> {
    editsInFlight = [];
    try {
      const loaded = await options.load(call);
      // The service may have made this list before it took our writes.
      items = editsInFlight.reduce((list, edit) => edit(list), loaded);
      loadedAt = options.now();
      return items;
    } finally {
      flight = undefined;
    }
  }

  function refresh(call?: CallOptions): Promise<readonly Item[]> {
    flight ??= load(call);
    return flight;
  }

  return {
    known: () => items,
    refresh,
    async fresh(call, maxAgeMs = freshMs) {
      return items !== undefined && options.now() - loadedAt <= maxAgeMs ? items : refresh(call);
    },
    async get(call) {
      if (items === undefined) return refresh(call);
      const { agesAfterMs, agesInBackgroundAfterMs = agesAfterMs } = options;
      const isOld = options.now() - loadedAt > (call?.priority === 'background' ? agesInBackgroundAfterMs : agesAfterMs);
      if (isOld) refresh({ priority: 'background' }).catch(options.onBackgroundError);
      return items;
    },
    change(edit) {
      if (flight) editsInFlight.push(edit);
      items = items && edit(items);
    },
  };
}
