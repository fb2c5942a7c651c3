import type { HomeView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { asSaid, say } from '../domain/said.ts';
import { homePage, type HomeFacts } from '../features/administration/pages/home.ts';
import type { MessagePreferences } from '../features/delivery/person-view.ts';
import type { Directory } from '../directory/directory.ts';
import type { PassRates } from '../directory/pass-rates.ts';
import type { Permissions, Standing } from '../governance/rights/permissions.ts';
import type { Quiz, User } from '../quiz-api/records.ts';
import type { ApprovalRequest } from '../domain/approval-request.ts';
import { todayFrom } from '../features/administration/today.ts';
import { hasQuiz } from '../directory/quiz-groups.ts';
import type { Page } from '../operations/page.ts';
import type { BotStatus } from '../operations/services/records.ts';
import type { PersonLanguages } from './people/people.ts';
import { plain } from './views/blocks/message.ts';
import { drawParts } from './views/blocks/page.ts';
import { commandsActionId } from './views/help.ts';

export type Home = ReturnType<typeof createHome>;

/** A page as the Home tab. Its buttons stand after the one that opens the list of commands. */
export function homeView({ heading, parts = [], steps = [] }: Page, offered: ReadonlySet<string>): HomeView {
  const buttons = drawParts([{ steps }], offered).flatMap((block) => (block.type === 'actions' ? block.elements : []));
  const commands = { type: 'button', action_id: commandsActionId, text: plain(say`Show commands`) } as const;
  return {
    type: 'home',
    blocks: [
      ...drawParts([{ title: heading }, ...parts], offered),
      { type: 'actions', elements: [commands, ...buttons] },
    ],
  };
}

/** The Home tab of a person without access. `message` says why. */
export function sorryView(message: string): HomeView {
  return {
    type: 'home',
    blocks: drawParts([{ title: say`Your quiz account`, lines: [say`🚫 ${asSaid(message)}`] }]),
  };
}

/** Quizzes whose people are counted for one Home tab: those that it shows. */
const countedAtMost = 10;

/** Tabs that are kept up to date. Beyond this, the tab that was opened first is updated only when it is opened again. */
const openedAtMost = 5_000;

/** The Home tabs of the people who opened one. */
export function createHome(deps: {
  client: WebClient;
  directory: Directory;
  passRates: PassRates;
  permissions: Permissions;
  openRequests: () => Promise<readonly ApprovalRequest[]>;
  status: () => Promise<BotStatus>;
  preferences: Pick<MessagePreferences, 'wantsMessages' | 'wantsWeeks'>;
  languages: Pick<PersonLanguages, 'choiceOf'>;
  /** Whether the bot sends respondents direct messages. */
  notifiesRespondents: boolean;
  /** Undefined until the platform has named the workspace. */
  knownTeamId: () => string | undefined;
  logAndExplain: (error: unknown) => string;
}) {
  const { client, directory, passRates, permissions } = deps;
  /** The people whose tabs are kept up to date. */
  const opened = new Set<string>();

  async function publish(personId: string): Promise<void> {
    try {
      const standing = await permissions.of(personId);
      await client.views.publish({ user_id: personId, view: await viewFor(standing) });
    } catch (error) {
      await client.views.publish({ user_id: personId, view: sorryView(deps.logAndExplain(error)) });
    }
  }

  async function viewFor(standing: Standing): Promise<HomeView> {
    const refusal = standing.refusal('known');
    if (refusal !== undefined) return sorryView(refusal);
    const { open, users, ...facts } = await gather(standing);
    const { actor, rights, operations } = standing;
    const reader = { actor, rights, offered: new Set(operations.map(({ name }) => name)) };
    return homeView(homePage(reader, { ...facts, openQuizzes: withCounts(open, users, rights) }), reader.offered);
  }

  async function gather({
    actor,
    rights,
    visibility,
  }: Standing): Promise<Omit<HomeFacts, 'openQuizzes'> & { open: readonly Quiz[]; users: readonly User[] }> {
    const isStaff = rights.has('staff');
    const { personId } = actor;
    const [quizzes, users, facts, open, status, messages, monday, language] = await Promise.all([
      isStaff ? directory.quizzes.get() : [],
      isStaff ? directory.users.get() : [],
      permissions.todayOf({ personId, teamId: deps.knownTeamId() ?? '' }),
      isStaff ? deps.openRequests() : [],
      rights.has('administrator') ? deps.status() : undefined,
      actor.user && deps.notifiesRespondents ? onOrOff('wantsMessages', personId) : undefined,
      actor.user && rights.has('edit_quizzes') ? onOrOff('wantsWeeks', personId) : undefined,
      deps.languages.choiceOf(personId),
    ]);
    return {
      open: quizzes.filter((quiz) => quiz.status === 'open' && visibility.quiz(quiz)),
      users,
      today: todayFrom(facts),
      campaigns: facts.campaigns,
      now: facts.now,
      own: facts.own,
      asked: open.filter(({ requesterId }) => requesterId === personId),
      status,
      messages,
      monday,
      language,
    };
  }

  async function onOrOff(what: keyof typeof deps.preferences, personId: string): Promise<'on' | 'off'> {
    return (await deps.preferences[what](deps.knownTeamId() ?? '', personId)) ? 'on' : 'off';
  }

  function withCounts(
    quizzes: readonly Quiz[],
    users: readonly User[],
    rights: Standing['rights'],
  ): HomeFacts['openQuizzes'] {
    return quizzes.map((quiz, index) => {
      // Results are for those who may edit quizzes.
      const counts = rights.has('edit_quizzes') ? passRates.known(quiz.quiz_id) : undefined;
      // Counting the people of hundreds of quizzes would hold up the bot.
      const isCounted = counts?.submitted === 0 && index < countedAtMost;
      return { quiz, counts, assigned: isCounted ? countAssigned(quiz, users) : 0 };
    });
  }

  /** Counts the people who have a quiz, without asking the service about groups. */
  function countAssigned({ quiz_id }: Quiz, users: readonly User[]): number {
    const groups = [...directory.quizGroups.knownInPart(quiz_id)].map((group_id) => ({ group_id }));
    return users.filter((user) => !user.suspended && hasQuiz(user, quiz_id, groups)).length;
  }

  return {
    /** Call when the person opens the tab. */
    async open(personId: string): Promise<void> {
      opened.delete(personId);
      opened.add(personId);
      for (const longestAgo of opened) if (opened.size > openedAtMost) opened.delete(longestAgo);
      await publish(personId);
    },
    /** Call when the person did something that may change the tab. */
    async refresh(personId: string): Promise<void> {
      if (opened.has(personId)) await publish(personId);
    },
  };
}
