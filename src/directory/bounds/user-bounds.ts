import type { QuizApiBounds } from '../../quiz-api/bounded-quiz-api.ts';
import { mayBeDone, unlessGone } from '../../quiz-api/errors.ts';
import type { QuizApi } from '../../quiz-api/quiz-api.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { User } from '../../quiz-api/users.ts';
import type { AccountNow } from './account-now.ts';
import type { MadeHere, UserClaim } from './made-here.ts';
import { beyondByJoining, beyondByLeaving, beyondByNewUser, beyondByUser, isLastGroup } from './reach.ts';
import { outside, refuseBeyond } from './refusals.ts';
import { bringsQuizzes } from './rule.ts';

type Call = CallOptions | undefined;

type UserBounds = Pick<
  QuizApiBounds,
  | 'shownUsers'
  | 'shownQuizzesOf'
  | 'readUser'
  | 'mayReadUser'
  | 'found'
  | 'makingUser'
  | 'mayChangeUser'
  | 'mayAssignTo'
  | 'mayJoin'
  | 'joining'
  | 'mayLeave'
  | 'keepLeaving'
>;

export function createUserBounds(deps: {
  account: AccountNow;
  /** Of the whole account. */
  api: { users: Pick<QuizApi['users'], 'get'> };
  made: MadeHere;
  /** Whether a new user is put into a group at once. */
  joinsAtOnce: boolean;
  /** Called where what was made could not be kept. It is still claimed for an hour. */
  onError: (error: unknown) => void;
}): UserBounds {
  const { account, api, made, onError } = deps;
  /** New users who wait for their group. */
  const waiting = new Map<string, UserClaim>();

  /** A user of the bot as the account has them now. */
  async function userNow(userId: string, call: Call, about: 'assignment' | 'identity'): Promise<User> {
    const user = await account.user(userId, call, about);
    if (user === undefined || (await account.view(call)).person(user) === 'others') throw outside('user');
    return user;
  }

  async function joined(userId: string, isIn: boolean): Promise<void> {
    const claim = waiting.get(userId);
    waiting.delete(userId);
    if (claim) await made.end(claim, isIn ? undefined : userId);
    if (isIn) await made.forgetUser(userId);
  }

  return {
    async shownUsers(users, call) {
      const view = await account.view(call);
      return users.filter((user) => view.person(user) !== 'others').map(view.shown);
    },
    async shownQuizzesOf(userId, quizzes, call) {
      const view = await account.view(call);
      const user = view.userById(userId);
      if (user !== undefined && bringsQuizzes(user, view.facts)) return [...quizzes];
      return quizzes.filter(({ quiz_id }) => view.quiz(quiz_id) !== 'others');
    },
    async readUser<Read extends User>(userId: string, read: () => Promise<Read>, call: Call) {
      const user = await account.readUser(userId, read);
      const view = await account.view(call);
      if (view.person(user) === 'others') throw outside('user');
      return view.shown(user);
    },
    async mayReadUser(userId, call) {
      await userNow(userId, call, 'assignment');
    },
    async found(userId, call) {
      if (userId === null) return null;
      const known = (await account.view(call)).userById(userId);
      const isKnown = known !== undefined && (await account.view(call)).person(known) !== 'others';
      const user = isKnown
        ? known
        : await account.readUser(userId, async () => api.users.get(userId, call)).catch(unlessGone);
      return user !== undefined && (await account.view(call)).person(user) !== 'others' ? userId : null;
    },
    async makingUser(fields, make) {
      refuseBeyond(beyondByNewUser(fields), 'user');
      const claim = await made.begin<UserClaim>({ kind: 'user', userName: fields.user_name });
      let userId: string | null;
      try {
        userId = await make();
      } catch (error) {
        if (!mayBeDone(error)) await made.end(claim, undefined).catch(onError);
        throw error;
      }
      if (userId === null) return null;
      made.noteUser(userId);
      if (deps.joinsAtOnce) waiting.set(userId, claim);
      // They exist: what fails from here on must not make it look failed.
      else await made.end(claim, userId).catch(onError);
      return userId;
    },
    async mayChangeUser(userId, changes, call) {
      const user = await userNow(userId, call, 'identity');
      refuseBeyond(beyondByUser(user, changes, (await account.view(call)).facts), 'user');
    },
    async mayAssignTo(userId, call) {
      await userNow(userId, call, 'assignment');
    },
    async mayJoin(userId, groupId, call) {
      const { facts } = await account.view(call);
      if (!facts.groupIds.has(groupId)) throw outside('group');
      refuseBeyond(beyondByJoining(await userNow(userId, call, 'assignment'), facts), 'user');
    },
    async joining(userId, join) {
      try {
        await join();
      } catch (error) {
        await joined(userId, false).catch(onError);
        throw error;
      }
      await joined(userId, true).catch(onError);
    },
    async mayLeave(userId, groupId, call) {
      const { facts } = await account.view(call);
      if (!facts.groupIds.has(groupId)) throw outside('group');
      const user = await userNow(userId, call, 'assignment');
      refuseBeyond(beyondByLeaving(user, groupId, facts), 'user');
    },
    async keepLeaving(userId, groupId, call) {
      if (isLastGroup(await userNow(userId, call, 'assignment'), groupId)) await made.keepUser(userId);
    },
  };
}
