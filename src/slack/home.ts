import type { WebClient } from '@slack/web-api';
import type { Directory } from '../directory/directory.ts';
import type { PassRates } from '../directory/pass-rates.ts';
import type { Permissions, Standing } from '../governance/permissions.ts';
import type { QuizApi } from '../quiz-api/quiz-api.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import type { BotStatus } from '../operations/context.ts';
import { homeView, sorryView, type HomeFacts } from './views/home.ts';

/** The Home tab of everybody who opened it. */
export interface Home {
  /** The person opened it. */
  open(personId: string): Promise<void>;
  /** The person did something that may show there. */
  refresh(personId: string): Promise<void>;
}

/** Pass rates that are looked up for one Home; each costs a request. */
const ratesAtMost = 10;

/** People whose Home is kept up to date; the one who opened it the longest ago goes first, and sees it anew on opening. */
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
      actor.user && !isStaff ? api.users.get(actor.user.user_id).then((user) => user.quizzes) : [],
      isStaff ? deps.openRequests() : [],
      rights.has('administrator') ? deps.status() : undefined,
    ]);
    return { openQuizzes: withRates(quizzes.filter((quiz) => quiz.status === 'open' && visibility.quiz(quiz))), own, requests, status };
  }

  function withRates(quizzes: readonly HomeFacts['openQuizzes'][number]['quiz'][]): HomeFacts['openQuizzes'] {
    return quizzes.map((quiz) => ({ quiz, passRate: passRates.known(quiz.quiz_id) }));
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
