import type { CallOptions } from './transport.ts';
import type { QuizApi } from './quiz-api.ts';
import type { Quiz } from './quizzes.ts';
import type { QuizResponse } from './responses.ts';
import type { AssignedQuiz, Group, NewUser, User, UserChanges } from './users.ts';

type Call = CallOptions | undefined;

/** What a bot may see and change that is for a part of the account. Each `may…` throws where it may not, before anything is sent. */
export interface QuizApiBounds {
  shownQuizzes(quizzes: readonly Quiz[], call: Call): Promise<Quiz[]>;
  shownGroups(groups: readonly Group[], call: Call): Promise<Group[]>;
  shownUsers(users: readonly User[], call: Call): Promise<User[]>;
  /** The quizzes of a user who was read. */
  shownQuizzesOf(userId: string, quizzes: readonly AssignedQuiz[], call: Call): Promise<AssignedQuiz[]>;
  /** Takes the groups of a quiz, as they were read. Throws where the quiz does not belong to the bot. @returns those that are shown */
  shownGroupsOf(quizId: string, groups: readonly Group[], call: Call): Promise<Group[]>;

  /** Reads a quiz, and takes what the service says. Throws where it may not be read. */
  readQuiz(quizId: string, read: () => Promise<Quiz>, call: Call): Promise<Quiz>;
  mayReadQuiz(quizId: string, call: Call): Promise<void>;
  /** Whether others have the quiz makes no difference. */
  mayAssignQuiz(quizId: string, call: Call): Promise<void>;
  /** Likewise. Keeps the quiz for the bot: nobody may have it any more. */
  mayUnassignQuiz(quizId: string, call: Call): Promise<void>;
  /** Nobody else has the quiz. */
  mayChangeQuiz(quizId: string, call: Call): Promise<void>;
  /** Keeps that the bot made what `make` makes. @param quiz `name`: undefined where the service chooses it; `sourceId`: of a copy */
  making(
    quiz: { name?: string | undefined; sourceId?: string },
    make: () => Promise<string | null>,
  ): Promise<string | null>;

  /** @returns what keeps the responses that belong to the bot */
  responseFilter(quizId: string, call: Call): Promise<(responses: QuizResponse[]) => Promise<QuizResponse[]>>;
  /** @param response as it was read; undefined where it was not */
  mayReadResponse(ids: ResponseIds, response: QuizResponse | undefined, call: Call): Promise<void>;
  mayDeleteResponse(ids: ResponseIds, call: Call): Promise<void>;

  /** Likewise of a user. */
  readUser<Read extends User>(userId: string, read: () => Promise<Read>, call: Call): Promise<Read>;
  mayReadUser(userId: string, call: Call): Promise<void>;
  /** @param userId as it was found by name. @returns null where the user does not belong to the bot */
  found(userId: string | null, call: Call): Promise<string | null>;
  /** Keeps that the bot made what `make` makes. */
  makingUser(fields: NewUser, make: () => Promise<string | null>): Promise<string | null>;
  mayChangeUser(userId: string, changes: UserChanges | 'deleted', call: Call): Promise<void>;
  mayAssignTo(userId: string, call: Call): Promise<void>;
  mayJoin(userId: string, groupId: string, call: Call): Promise<void>;
  /** Keeps a new user for the bot who could not be put into a group. */
  joining(userId: string, join: () => Promise<void>): Promise<void>;
  mayLeave(userId: string, groupId: string, call: Call): Promise<void>;
  /** Keeps a user for the bot who will be in no group any more. */
  keepLeaving(userId: string, groupId: string, call: Call): Promise<void>;
  mayUseGroup(groupId: string, call: Call): Promise<void>;
}

export interface ResponseIds {
  quizId: string;
  responseId: string;
}

/**
 * The quiz service as far as the bounds go: what lies outside them is not there. Each method of the client is here, so that a
 * new one cannot be forgotten.
 */
export function boundQuizApi(api: QuizApi, bounds: QuizApiBounds): QuizApi {
  const { quizzes, responses, users, groups } = api;
  return {
    quizzes: {
      list: async (call, known) => bounds.shownQuizzes(await quizzes.list(call, known), call),
      get: async (quizId, call) => bounds.readQuiz(quizId, () => quizzes.get(quizId, call), call),
      create: async (fields, call) => bounds.making({ name: fields.name }, () => quizzes.create(fields, call)),
      async update(quizId, changes, call) {
        await bounds.mayChangeQuiz(quizId, call);
        return quizzes.update(quizId, changes, call);
      },
      async delete(quizId, call) {
        await bounds.mayChangeQuiz(quizId, call);
        return quizzes.delete(quizId, call);
      },
      async copy(quizId, fields, call) {
        await bounds.mayReadQuiz(quizId, call);
        return bounds.making({ name: fields.name, sourceId: quizId }, () => quizzes.copy(quizId, fields, call));
      },
      groups: async (quizId, call, known) =>
        bounds.shownGroupsOf(quizId, await quizzes.groups(quizId, call, known), call),
      async assignGroup(quizId, groupId, call) {
        await bounds.mayUseGroup(groupId, call);
        await bounds.mayAssignQuiz(quizId, call);
        return quizzes.assignGroup(quizId, groupId, call);
      },
      async unassignGroup(quizId, groupId, call) {
        await bounds.mayUseGroup(groupId, call);
        await bounds.mayUnassignQuiz(quizId, call);
        return quizzes.unassignGroup(quizId, groupId, call);
      },
    },

    responses: {
      async list(quizId, call) {
        const filter = await bounds.responseFilter(quizId, call);
        return filter(await responses.list(quizId, call));
      },
      async using(quizId, call, use) {
        const filter = await bounds.responseFilter(quizId, call);
        return responses.using(quizId, call, async (listed) => use(await filter(listed)));
      },
      async get(quizId, responseId, call) {
        await bounds.mayReadQuiz(quizId, call);
        const response = await responses.get(quizId, responseId, call);
        await bounds.mayReadResponse({ quizId, responseId }, response, call);
        return response;
      },
      async delete(quizId, responseId, call) {
        await bounds.mayDeleteResponse({ quizId, responseId }, call);
        return responses.delete(quizId, responseId, call);
      },
      async questions(quizId, responseId, call, known) {
        await bounds.mayReadResponse({ quizId, responseId }, undefined, call);
        return responses.questions(quizId, responseId, call, known);
      },
      async file(quizId, responseId, fileId, call) {
        await bounds.mayReadResponse({ quizId, responseId }, undefined, call);
        return responses.file(quizId, responseId, fileId, call);
      },
    },

    users: {
      list: async (call, known) => bounds.shownUsers(await users.list(call, known), call),
      get: async (userId, call) => bounds.readUser(userId, () => users.get(userId, call), call),
      find: async (userName, call) => bounds.found(await users.find(userName, call), call),
      create: async (fields, call) => bounds.makingUser(fields, () => users.create(fields, call)),
      async update(userId, changes, call) {
        await bounds.mayChangeUser(userId, changes, call);
        return users.update(userId, changes, call);
      },
      async delete(userId, call) {
        await bounds.mayChangeUser(userId, 'deleted', call);
        return users.delete(userId, call);
      },
      async quizzes(userId, call, known) {
        await bounds.mayReadUser(userId, call);
        return bounds.shownQuizzesOf(userId, await users.quizzes(userId, call, known), call);
      },
      async assignQuiz(userId, quizId, call) {
        await bounds.mayAssignTo(userId, call);
        await bounds.mayAssignQuiz(quizId, call);
        return users.assignQuiz(userId, quizId, call);
      },
      async unassignQuiz(userId, quizId, call) {
        await bounds.mayAssignTo(userId, call);
        await bounds.mayUnassignQuiz(quizId, call);
        return users.unassignQuiz(userId, quizId, call);
      },
      async assignGroup(userId, groupId, call) {
        await bounds.mayJoin(userId, groupId, call);
        return bounds.joining(userId, () => users.assignGroup(userId, groupId, call));
      },
      async unassignGroup(userId, groupId, call) {
        await bounds.mayLeave(userId, groupId, call);
        await bounds.keepLeaving(userId, groupId, call);
        return users.unassignGroup(userId, groupId, call);
      },
    },

    groups: {
      list: async (call, known) => bounds.shownGroups(await groups.list(call, known), call),
    },

    /** The counts are of the whole account. The log and the metrics have them. */
    unreadable: () => [],
    close: api.close,
  };
}
