import type { QuizApiBounds } from '../../quiz-api/bounded-quiz-api.ts';
import { mayBeDone } from '../../quiz-api/errors.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { Directory } from '../directory.ts';
import { readInto, type AccountNow } from './account-now.ts';
import type { MadeHere, QuizClaim } from './made-here.ts';
import { beyondByQuiz } from './reach.ts';
import { outside, refuseBeyond } from './refusals.ts';
import type { Belonging } from './rule.ts';

type Call = CallOptions | undefined;

const secondMs = 1_000;
/** Quizzes of others are looked at again: they may have been assigned to a group of the bot. */
const othersKnownForMs = 60 * secondMs;
const knownBeforeChangeMs = { person: 5 * secondMs, background: 30 * secondMs };
/** A quiz that others have stays with the bot for so long after it was unassigned, so that this can be undone. */
const undoneWithinMs = 24 * 3_600_000;

/** More quizzes whose groups were never read are left to the background: nobody waits for so many requests. */
const unreadAtMost = 20;

type QuizBounds = {
  /** Reads the groups of quizzes that were never read, unless they are many. */
  readUnread(quizzes: readonly Quiz[], call: Call): Promise<void>;
} & Pick<
  QuizApiBounds,
  | 'shownQuizzes'
  | 'shownGroups'
  | 'shownGroupsOf'
  | 'readQuiz'
  | 'mayReadQuiz'
  | 'mayAssignQuiz'
  | 'mayUnassignQuiz'
  | 'mayChangeQuiz'
  | 'making'
  | 'mayUseGroup'
>;

/** @throws {OutsideGroupsError} for a quiz of others. @returns to whom it belongs, by what is known of it */
export function createQuizToRead(account: AccountNow): (quizId: string, call: Call) => Promise<Belonging> {
  return async (quizId, call) => {
    const known = (await account.view(call)).quiz(quizId);
    return ofBot(known === 'others' ? await account.quiz(quizId, othersKnownForMs, call) : known);
  };
}

export function createQuizBounds(deps: {
  account: AccountNow;
  /** Of the whole account. */
  directory: Pick<Directory, 'quizzes' | 'users' | 'quizGroups'>;
  made: MadeHere;
  /** Called where what was made could not be kept. It is still claimed for an hour. */
  onError: (error: unknown) => void;
}): QuizBounds {
  const { account, directory, made } = deps;
  const { quizGroups } = directory;
  const quizToRead = createQuizToRead(account);

  async function quizToAssign(quizId: string, call: Call): Promise<Belonging> {
    const priority = call?.priority === 'background' ? 'background' : 'person';
    return ofBot(await account.quiz(quizId, knownBeforeChangeMs[priority], call));
  }

  /** Finds among quizzes that nobody has those that the bot was making when the answer was lost. */
  async function takeClaimed(quizzes: readonly Quiz[], call: Call): Promise<void> {
    for (const claim of made.quizClaims()) {
      const quizId = made.claimed(claim, quizzes)?.quiz_id;
      if (quizId === undefined) continue;
      const groupIds = await quizGroups.fresh(quizId, knownBeforeChangeMs.person, call);
      const users = await directory.users.get(call);
      const isNobodys =
        groupIds.size === 0 && users.every((user) => user.quizzes.every(({ quiz_id }) => quiz_id !== quizId));
      if (isNobodys) await made.end(claim, quizId);
    }
  }

  return {
    async readUnread(quizzes, call) {
      const ids = quizzes.map(({ quiz_id }) => quiz_id);
      await quizGroups.follow(ids);
      const unread = ids.filter((id) => quizGroups.known(id) === undefined);
      if (unread.length > 0 && unread.length <= unreadAtMost) await quizGroups.load(unread, call);
    },
    async shownQuizzes(quizzes, call) {
      await quizGroups.follow(quizzes.map(({ quiz_id }) => quiz_id));
      const before = await account.view(call);
      await takeClaimed(quizzes, call);
      const view = made.quizClaims().length === 0 ? before : await account.view(call);
      return quizzes.filter(({ quiz_id }) => view.quiz(quiz_id) !== 'others');
    },
    async shownGroups(groups, call) {
      const { facts } = await account.view(call);
      return groups.filter(({ group_id }) => facts.groupIds.has(group_id));
    },
    async shownGroupsOf(quizId, groups, call) {
      quizGroups.put(quizId, groups);
      const view = await account.view(call);
      ofBot(view.quiz(quizId));
      return groups.filter(({ group_id }) => view.facts.groupIds.has(group_id));
    },
    async readQuiz(quizId, read, call) {
      await quizToRead(quizId, call);
      return readInto(directory.quizzes, quizId, read);
    },
    async mayReadQuiz(quizId, call) {
      await quizToRead(quizId, call);
    },
    async mayAssignQuiz(quizId, call) {
      await quizToAssign(quizId, call);
    },
    async mayUnassignQuiz(quizId, call) {
      await made.keepQuiz(quizId, (await quizToAssign(quizId, call)) === 'own' ? undefined : undoneWithinMs);
    },
    async mayChangeQuiz(quizId, call) {
      refuseBeyond(beyondByQuiz(ofBot(await account.quizExactly(quizId, call))), 'quiz');
    },
    async making({ name, sourceId = '' }, make) {
      const source = (await directory.quizzes.names()).byId(sourceId)?.name ?? '';
      const claim = await made.begin<QuizClaim>({ kind: 'quiz', name: name ?? source, isCopy: name === undefined });
      let quizId: string | null;
      try {
        quizId = await make();
      } catch (error) {
        if (!mayBeDone(error)) await made.end(claim, undefined).catch(deps.onError);
        throw error;
      }
      if (quizId === null) return null;
      // It exists: what fails from here on must not make it look failed.
      await made.end(claim, quizId).catch(deps.onError);
      quizGroups.put(quizId, []);
      return quizId;
    },
    async mayUseGroup(groupId, call) {
      if (!(await account.view(call)).facts.groupIds.has(groupId)) throw outside('group');
    },
  };
}

function ofBot(belonging: Belonging): Belonging {
  if (belonging === 'others') throw outside('quiz');
  return belonging;
}
