import { unlessGone } from '../../quiz-api/errors.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import type { Directory } from '../directory.ts';
import type { NamedList } from '../named-list.ts';
import { accountView, type AccountView } from './account-view.ts';
import type { MadeHere } from './made-here.ts';
import type { Belonging } from './rule.ts';
import type { UsersByGroup } from './users-by-group.ts';

/** Finds out what belongs to a bot for some groups: by the lists at hand, and by what the service says now. */
export interface AccountNow {
  /** By the lists of the account, which `get` of the directory keeps as recent as everywhere. */
  view(call?: CallOptions): Promise<AccountView>;
  /** The last view; undefined before the first. Never waits. */
  viewAtHand(): AccountView | undefined;
  /**
   * A user of the account, right before a change; undefined where there is none. What was read within 5 seconds counts, and in the
   * background 30 seconds, unless it is about who they are. From the third user of a call, their list is read instead.
   *
   * @throws a `QuizApiError` where the service cannot be asked
   */
  user(userId: string, call: CallOptions | undefined, about: 'assignment' | 'identity'): Promise<User | undefined>;
  /** A user as `read` gives them. Throws its error, also where the user is gone. */
  readUser<Read extends User>(userId: string, read: () => Promise<Read>): Promise<Read>;
  /** To whom a quiz belongs, by its groups as they were read at most so long ago. Throws likewise. */
  quiz(quizId: string, maxAgeMs: number, call: CallOptions | undefined): Promise<Belonging>;
  /** Likewise, where its users are known from the last 5 seconds as well. */
  quizExactly(quizId: string, call: CallOptions | undefined): Promise<Belonging>;
}

const recentMs = 5_000;
const recentInBackgroundMs = 30_000;
const singleReadsAtMost = 2;
/** A longer list costs more than its request. */
const longFrom = 2_000;
const remembersAtMost = 1_000;

export function createAccountNow(deps: {
  /** The groups, by name or ID. */
  names: readonly string[];
  api: { users: Pick<QuizApi['users'], 'get'> };
  /** Of the whole account. */
  directory: Pick<Directory, 'users' | 'groups' | 'quizGroups'>;
  made: MadeHere;
  usersByGroup: (users: readonly User[]) => Promise<UsersByGroup>;
  now: () => number;
}): AccountNow {
  const { names, api, directory, made, now } = deps;
  const { users, groups, quizGroups } = directory;
  let last:
    { view: AccountView; of: { groups: readonly Group[]; users: readonly User[]; version: number } } | undefined;
  /** When users were read one by one, the latest last. */
  const readAt = new Map<string, number>();
  const singleReads = new WeakMap<CallOptions, number>();

  async function view(call?: CallOptions): Promise<AccountView> {
    await made.load();
    const [allGroups, index] = await Promise.all([groups.get(call), users.names(call)]);
    const of = { groups: allGroups, users: await users.get(call), version: made.version() };
    const isSame =
      last !== undefined &&
      last.of.groups === of.groups &&
      last.of.users === of.users &&
      last.of.version === of.version;
    if (isSame) return last!.view;
    const byGroup = await deps.usersByGroup(of.users);
    last = { of, view: accountView(names, { ...of, byGroup, index, quizGroups, made }) };
    return last.view;
  }

  function remember(userId: string): void {
    readAt.delete(userId);
    readAt.set(userId, now());
    for (const oldest of readAt.keys()) if (readAt.size > remembersAtMost) readAt.delete(oldest);
  }

  async function readUser<Read extends User>(userId: string, read: () => Promise<Read>): Promise<Read> {
    const user = await readInto<User, Read>(users, userId, read);
    remember(userId);
    return user;
  }

  async function listed(userId: string, call: CallOptions | undefined, maxAgeMs: number): Promise<User | undefined> {
    await users.fresh(call, maxAgeMs);
    return (await users.names(call)).byId(userId);
  }

  async function isLong(call: CallOptions | undefined): Promise<boolean> {
    return (await users.get(call)).length > longFrom;
  }

  /** Counts the users that a call is about. */
  function isOneOfFew(call: CallOptions | undefined): boolean {
    if (call === undefined) return true;
    const reads = (singleReads.get(call) ?? 0) + 1;
    singleReads.set(call, reads);
    return reads <= singleReadsAtMost;
  }

  return {
    view,
    viewAtHand: () => last?.view,
    async user(userId, call, about) {
      if (now() - (readAt.get(userId) ?? -Infinity) <= recentMs) return (await users.names(call)).byId(userId);
      const isShort = !(await isLong(call));
      if (about === 'assignment' && isShort && call?.priority === 'background')
        return listed(userId, call, recentInBackgroundMs);
      if (!isOneOfFew(call) && isShort) return listed(userId, call, recentMs);
      return readUser(userId, async () => api.users.get(userId, call)).catch(unlessGone);
    },
    readUser,
    async quiz(quizId, maxAgeMs, call) {
      await quizGroups.fresh(quizId, maxAgeMs, call);
      return (await view(call)).quiz(quizId);
    },
    async quizExactly(quizId, call) {
      await Promise.all([quizGroups.fresh(quizId, recentMs, call), users.fresh(call, recentMs)]);
      return (await view(call)).quiz(quizId);
    },
  };
}

/** Reads a record into its list. @throws {NotFoundError} for one that is gone, after it was taken out of the list */
export async function readInto<Item, Read extends Item>(
  list: Pick<NamedList<Item>, 'read'>,
  id: string,
  read: () => Promise<Read>,
): Promise<Read> {
  let gone: unknown;
  const record = await list.read<Read | undefined>(id, async () =>
    read().catch((error: unknown) => {
      gone = error;
      return unlessGone(error);
    }),
  );
  if (record === undefined) throw gone;
  return record;
}
