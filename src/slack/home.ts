import type { WebClient } from '@slack/web-api';
import type { Directory } from '../directory/directory.ts';
import type { PassRates } from '../directory/pass-rates.ts';
import type { Permissions, Standing } from '../governance/permissions.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import { assignedQuizzesOf } from '../operations/assigned-quizzes.ts';
import type { BotStatus } from '../operations/context.ts';
import { homeView, sorryView, type HomeFacts } from './views/home.ts';

/** The Home tabs of the people who opened one. */
export interface Home {
  /** Call when the person opens the tab. */
  open(personId: string): Promise<void>;
  /** Call when the person did something that may change the tab. */
  refresh(personId: string): Promise<void>;
}

/** Pass rates loaded for one Home tab. Each costs a request. */
const ratesAtMost = 10;

/** Tabs that are kept up to date. Beyond this, the tab that was opened first is updated only when it is opened again. */
const openedAtMost = 5_000;

export function createHome(deps: {
  client: WebClient;
  api: QuizApi;
  directory: Directory;
  passRates: PassRates;
  permissions: Permissions;
  openRequests: () => Promise<readonly ApprovalRequest[]>;
  status: () => Promise<BotStatus>;
  timeZone: string;
  logAndExplain: (error: unknown) => string;
}): Home {
  const { client, api, directory, passRates, permissions } = deps;
  const opened = new Set<string>();

  async function publish(personId: string): Promise<void> {
    try {
      const standing = await permissions.of(personId);
      const facts = await gather(standing);
      const show = async (shown: HomeFacts) => client.views.publish({ user_id: personId, view: homeView(standing, shown, deps.timeZone) });
      await show(facts);
      const quizIds = facts.openQuizzes.slice(0, ratesAtMost).map(({ quiz }) => quiz.quiz_id);
      if (await passRates.load(quizIds)) await show({ ...facts, openQuizzes: withRates(facts.openQuizzes.map(({ quiz }) => quiz)) });
    } catch (error) {
      await client.views.publish({ user_id: personId, view: sorryView(deps.logAndExplain(error)) });
    }
  }

  async function gather({ actor, rights, visibility }: Standing): Promise<HomeFacts> {
    const isStaff = rights.has('staff');
    const [quizzes, own, requests, status] = await Promise.all([
      isStaff ? directory.quizzes.get() : [],
      actor.user && !isStaff ? api.users.get(actor.user.user_id).then((user) => assignedQuizzesOf(user, { api, directory, call: {} })) : undefined,
      isStaff ? deps.openRequests().then((open) => permissions.requestsFor(actor.personId, open)) : [],
      rights.has('administrator') ? deps.status() : undefined,
    ]);
    return { openQuizzes: withRates(quizzes.filter((quiz) => quiz.status === 'open' && visibility.quiz(quiz))), own, requests, status };
  }

  function withRates(quizzes: readonly HomeFacts['openQuizzes'][number]['quiz'][]): HomeFacts['openQuizzes'] {
    return quizzes.map((quiz) => ({ quiz, counts: passRates.known(quiz.quiz_id) }));
  }

  return {
    async open(personId) {
      opened.delete(personId);
      opened.add(personId);
      for (const longestAgo of opened) if (opened.size > openedAtMost) opened.delete(longestAgo);
      await publish(personId);
    },
    async refresh(personId) {
      if (opened.has(personId)) await publish(personId);
    },
  };
}
