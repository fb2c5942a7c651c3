import type { Group } from '../quiz-api/groups.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { CallOptions } from '../quiz-api/transport.ts';
import type { User } from '../quiz-api/users.ts';
import { createCachedList, type CachedList } from './cached-list.ts';
import { createNameIndex, type NameIndex } from './name-index.ts';
import { fullName } from './names.ts';

/** A list that knows its items by name: what was typed, and what a picker shows. */
export interface NamedList<Item> extends Pick<CachedList<Item>, 'get' | 'fresh' | 'refresh'> {
  /** The names of what is at hand. */
  names(call?: CallOptions): Promise<NameIndex<Item>>;
  /** Our own write, seen at once. */
  put(item: Item): void;
  remove(item: Item): void;
}

/** The account's quizzes, users and groups, kept at hand so that pickers and rights need not wait for the service. */
export interface Directory {
  quizzes: NamedList<Quiz>;
  users: NamedList<User>;
  groups: NamedList<Group>;
}

const minuteMs = 60_000;

export function createDirectory(deps: {
  api: QuizApi;
  now: () => number;
  onBackgroundError: (error: unknown) => void;
}): Directory {
  const { api, now, onBackgroundError } = deps;
  const usual = { now, onBackgroundError };
  return {
    quizzes: createNamedList(
      createCachedList({ ...usual, load: (call) => api.quizzes.list(call), agesAfterMs: minuteMs }),
      { id: (quiz) => quiz.quiz_id, names: (quiz) => [quiz.name] },
    ),
    users: createNamedList(
      createCachedList({ ...usual, load: (call) => api.users.list(call), agesAfterMs: 5 * minuteMs }),
      { id: (user) => user.user_id, names: (user) => [fullName(user), user.user_name, user.email_address] },
    ),
    groups: createNamedList(
      createCachedList({ ...usual, load: (call) => api.groups.list(call), agesAfterMs: 5 * minuteMs }),
      { id: (group) => group.group_id, names: (group) => [group.group_name] },
    ),
  };
}

function createNamedList<Item extends object>(
  list: CachedList<Item>,
  keys: { id: (item: Item) => string; names: (item: Item) => readonly string[] },
): NamedList<Item> {
  let indexed: { items: readonly Item[] | undefined; index: NameIndex<Item> } | undefined;

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
    async names(call) {
      const items = await list.get(call);
      if (indexed?.items !== items) indexed = { items, index: createNameIndex(items, keys) };
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
