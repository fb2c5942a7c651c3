import type { Keyv } from 'keyv';
import { boundQuizApi, type QuizApiBounds } from '../../quiz-api/bounded-quiz-api.ts';
import { BeyondGroupsError } from '../../quiz-api/errors.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Group, User, UserChanges } from '../../quiz-api/users.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import { createAssignedQuizIds } from '../assigned-quiz-ids.ts';
import type { Directory } from '../directory.ts';
import type { QuizGroups } from '../quiz-groups.ts';
import { createAccountNow, type AccountNow } from './account-now.ts';
import { boundList, type ListBounds } from './bounded-list.ts';
import { createMadeHere, type KeptMadeHere } from './made-here.ts';
import { beyondByNewUser, beyondGroups } from './reach.ts';
import { createQuizBounds } from './quiz-bounds.ts';
import type { BoundGroups } from './rule.ts';
import { createResponseBounds } from './response-bounds.ts';
import { createUserBounds } from './user-bounds.ts';
import type { UsersByGroup } from './users-by-group.ts';

/** The account as a bot has it that is for some groups: on top of the whole account, which several bots may share. */
export interface BoundAccount {
  api: QuizApi;
  directory: Directory;
  /** Whether a response that is reported belongs to the bot. Throws a `QuizApiError` where that cannot be told. */
  isOfBot(response: QuizResponse, call: CallOptions): Promise<boolean>;
  /** Why a change would reach beyond the groups, in plain text; undefined where it does not. */
  reach: ReturnType<typeof reachBy>;
  /** Looks for the groups that are named and not found, and for quizzes whose groups were not read yet. */
  state(call?: CallOptions): Promise<{ unresolved: BoundGroups['unresolved']; unread: number; quizzes: number }>;
}

/**
 * @param names the groups, by name or ID
 * @param deps.whole the whole account
 * @param deps.alone runs work that no other instance of the bot does at the same time. @returns whether it was run
 */
export function boundAccount(
  names: readonly string[],
  deps: {
    whole: { api: QuizApi; directory: Directory; usersByGroup: (users: readonly User[]) => Promise<UsersByGroup> };
    store: Pick<Keyv<KeptMadeHere>, 'get' | 'set'>;
    alone: (work: () => Promise<void>) => Promise<boolean>;
    now: () => number;
    onError: (error: unknown) => void;
  },
): BoundAccount {
  const { whole, now, onError } = deps;
  const made = createMadeHere(deps);
  const account = createAccountNow({ names, ...whole, made, now });
  const joinsAtOnce = names.length === 1;
  const userBounds = createUserBounds({ account, api: whole.api, made, joinsAtOnce, onError });
  const quizBounds = createQuizBounds({ account, directory: whole.directory, made, onError });
  const responseBounds = createResponseBounds({ account, ...whole, ...userBounds, now });

  const shownQuizzes = async (items: readonly Quiz[], call: CallOptions | undefined): Promise<ListBounds<Quiz>> => {
    await quizBounds.shownQuizzes(items, call);
    const view = await account.view(call);
    return { belongs: ({ quiz_id }) => view.quiz(quiz_id) !== 'others', shown: (quiz) => quiz };
  };
  const quizzes = boundList(whole.directory.quizzes, {
    id: ({ quiz_id }) => quiz_id,
    bounds: shownQuizzes,
    boundsAtHand() {
      const view = account.viewAtHand();
      return view && { belongs: ({ quiz_id }) => view.quiz(quiz_id) !== 'others', shown: (quiz: Quiz) => quiz };
    },
    isNew: () => true,
    complete: async (items, call) => quizBounds.readUnread(items, call),
  });
  const users = boundList<User>(whole.directory.users, {
    id: ({ user_id }) => user_id,
    bounds: async (_, call) => usersOf(await account.view(call)),
    boundsAtHand() {
      const view = account.viewAtHand();
      return view && usersOf(view);
    },
    isNew: (userId) => account.viewAtHand()?.userById(userId) === undefined,
  });
  const groups = boundList<Group>(whole.directory.groups, {
    id: ({ group_id }) => group_id,
    bounds: async (_, call) => groupsOf(await account.view(call)),
    boundsAtHand() {
      const view = account.viewAtHand();
      return view && groupsOf(view);
    },
    isNew: () => false,
  });
  const quizGroups = boundQuizGroups(whole.directory.quizGroups, account);

  const bounds = { ...quizBounds, ...userBounds, ...responseBounds };
  return {
    api: boundQuizApi(whole.api, bounds),
    reach: reachBy(bounds),
    directory: {
      quizzes,
      users,
      groups,
      quizGroups,
      assignedQuizIds: createAssignedQuizIds({ users, quizGroups, now }),
      async homeGroup(call) {
        return joinsAtOnce ? (await account.view(call)).groups[0] : undefined;
      },
      async load() {
        await whole.directory.load();
        await quizzes.get({ priority: 'background' });
      },
    },
    isOfBot: responseBounds.isOfBot,
    async state(call) {
      const { unresolved } = await account.view(call);
      const all = await whole.directory.quizzes.get(call);
      const unread = all.filter(({ quiz_id }) => whole.directory.quizGroups.known(quiz_id) === undefined);
      return { unresolved, unread: unread.length, quizzes: all.length };
    },
  };
}

function reachBy({ mayChangeQuiz, mayChangeUser, mayLeave }: QuizApiBounds) {
  return {
    quiz: async (quizId: string, call: CallOptions) => explanationOf(mayChangeQuiz(quizId, call)),
    user: async (userId: string, changes: UserChanges | 'deleted', call: CallOptions) =>
      explanationOf(mayChangeUser(userId, changes, call)),
    leaving: async (userId: string, groupId: string, call: CallOptions) =>
      explanationOf(mayLeave(userId, groupId, call)),
    newUser(fields: UserChanges) {
      const beyond = beyondByNewUser(fields);
      return beyond && beyondGroups[beyond];
    },
  };
}

async function explanationOf(check: Promise<void>): Promise<string | undefined> {
  try {
    await check;
    return undefined;
  } catch (error) {
    if (error instanceof BeyondGroupsError) return error.explanation;
    throw error;
  }
}

function usersOf({ person, shown, people }: Awaited<ReturnType<AccountNow['view']>>): ListBounds<User> {
  return { belongs: (user) => person(user) !== 'others', shown, all: people };
}

function groupsOf({ facts }: Awaited<ReturnType<AccountNow['view']>>): ListBounds<Group> {
  return { belongs: ({ group_id }) => facts.groupIds.has(group_id), shown: (group) => group };
}

/** Which groups of the bot have a quiz. What is read of quizzes is put there by the client. */
function boundQuizGroups(whole: QuizGroups, account: AccountNow): QuizGroups {
  const none: ReadonlySet<string> = new Set();
  const ofBot = (ids: ReadonlySet<string>) => ids.intersection(account.viewAtHand()?.facts.groupIds ?? none);
  return {
    known(quizId) {
      const ids = whole.known(quizId);
      return ids && ofBot(ids);
    },
    knownInPart: (quizId) => ofBot(whole.knownInPart(quizId)),
    assigned: () => whole.assigned().filter((quizId) => ofBot(whole.knownInPart(quizId)).size > 0),
    load: whole.load,
    fresh: async (...given) => ofBot(await whole.fresh(...given)),
    follow: whole.follow,
    put() {},
    change: whole.change,
  };
}
