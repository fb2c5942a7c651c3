import type { Group, Quiz, QuizStatus } from '../../quiz-api/records.ts';
import { minuteMs } from '../../domain/durations.ts';
import { isSubmitted, submittedMs } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';
import { defineOperation } from '../../operations/operation.ts';
import { runStep, ageOfList, type Step } from '../../operations/page.ts';
import { byRespondent } from '../results/respondents.ts';
import { quizPage, type QuizUse, quizzesPage, type QuizFilter, ownQuizzesPage } from './pages.ts';
import { say } from '../../domain/said.ts';
import { parseFilter } from '../../operations/clauses/filter-line.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import { readQuizzesOfGroups, assignedQuizzesOf } from './assigned-quizzes.ts';
import { ownObligations } from '../../obligations/people.ts';
import { withObligations, type AssignedQuizzes } from './own-quizzes.ts';
import type { Campaign, CampaignSummary } from '../../domain/campaign.ts';
import { runningAmong } from '../../operations/fields/campaign.ts';

const statuses = [
  { value: 'open', label: 'Open now', also: ['open'] },
  { value: 'in_design', label: 'In design', also: ['in-design'] },
  { value: 'closed', label: 'Closed' },
] as const satisfies { value: QuizStatus; label: string; also?: string[] }[];

const fields = {
  name: { kind: 'text', label: 'Part of a name', maxLength: 250, optional: true },
  status: {
    kind: 'choice',
    label: 'Status',
    options: statuses,
    optional: true,
    clause: { words: [], example: 'open', standsAlone: true },
  },
} as const satisfies Fields;

export const listQuizzes = defineOperation({
  name: 'list-quizzes',
  command: '/quiz list [filter]',
  synonyms: ['ls', 'find', 'search', 'quizzes'],
  summary: 'List all quizzes, or search by name or state (open, closed, in design)',
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'List',
  fields,
  parse: (line) => parseFilter(line, fields, { name: 'name', fillers: ['now', 'quizzes'] }),
  async run({ directory, visibility, actor, rights, call }, { name, status }) {
    const { names, readAt } = await directory.quizzes.recentNames(call);
    if (!rights.has('staff') && actor.user) await readQuizzesOfGroups(actor.user, { directory, call });
    const search = (wanted: QuizFilter) =>
      names.search(wanted.name ?? '', {
        limit: Infinity,
        accepts: (quiz) => visibility.quiz(quiz) && (wanted.status === undefined || quiz.status === wanted.status),
      });
    const filter = { name, status: statuses.find(({ value }) => value === status)?.value };
    const found = search(filter);
    // “open water” can be the name of a quiz that is closed.
    const byName = found.length === 0 && name !== undefined ? search({ name }) : [];
    const age = ageOfList(readAt);
    const shown = byName.length > 0 ? { quizzes: byName, filter: { name } } : { quizzes: found, filter };
    return { kind: 'page', ...quizzesPage(shown.quizzes, { filter: shown.filter, age }) };
  },
});

export const showQuiz = defineOperation({
  name: 'show-quiz',
  command: '/quiz show <quiz>',
  synonyms: ['info', 'view', 'details'],
  summary: 'Show a quiz, who has it and how many took it',
  buttons: { quiz: [{ label: 'View', in: ['list'], position: 5 }] },
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' } },
  async run(context, { quiz: { quiz_id: quizId, ...known } }) {
    const { api, directory, rights, visibility, takeLink, call } = context;
    const canSeeResults = rights.has('edit_quizzes') && visibility.quiz({ quiz_id: quizId });
    // The list says as much about a quiz as the call for a single quiz does, and `execute` reloads a list older than this anyway.
    const [groups, taken] = await Promise.all([
      api.quizzes.groups(quizId, call),
      canSeeResults ? readTaken(context, quizId) : undefined,
      directory.quizzes.fresh(call, minuteMs),
    ]);
    directory.quizGroups.put(quizId, groups);
    const quiz = (await directory.quizzes.names(call)).byId(quizId) ?? { quiz_id: quizId, ...known };
    const shown = {
      quiz,
      groups,
      takeLink: quiz.status === 'open' ? takeLink(quizId) : undefined,
      use: taken && { ...taken, people: await countPeople(context, quiz, groups) },
    };
    return { kind: 'page', ...quizPage(shown) };
  },
});

/** A button that shows a quiz. */
export function viewStep({ quiz_id }: Pick<Quiz, 'quiz_id'>): Step {
  return runStep(say`View quiz`, showQuiz, { quiz: [quiz_id] });
}

async function readTaken(context: OperationContext, quizId: string): Promise<Omit<QuizUse, 'people'>> {
  const { api, call } = context;
  const submitted = (await api.responses.list(quizId, call)).filter(isSubmitted);
  const [last] = submitted.toSorted((a, b) => submittedMs(b) - submittedMs(a));
  const questions = last && (await api.responses.questions(quizId, last.response_id, call)).length;
  return {
    questions: questions || undefined,
    taken: { people: (await byRespondent(context, submitted)).length, attempts: submitted.length },
  };
}

async function countPeople({ directory, call }: OperationContext, { quiz_id }: Quiz, groups: readonly Group[]) {
  const groupIds = new Set(groups.map(({ group_id }) => group_id).filter((id) => id !== ''));
  const people = { direct: 0, throughGroups: 0 };
  for (const user of await directory.users.get(call)) {
    if (user.quizzes.some((assigned) => assigned.quiz_id === quiz_id)) people.direct += 1;
    else if (user.groups.some(({ group_id }) => groupIds.has(group_id))) people.throughGroups += 1;
  }
  return people;
}

export const myQuizzes = defineOperation({
  name: 'my-quizzes',
  command: '/quiz mine',
  synonyms: ['me', 'my'],
  summary: 'Show your quizzes and your results',
  title: say`Your quizzes`,
  isCommon: true,
  access: 'read',
  right: 'known',
  submit: 'Show',
  fields: {},
  async run(context) {
    const { api, actor, call, takeLink } = context;
    const shown = (assigned: AssignedQuizzes) => ({
      kind: 'page' as const,
      ...ownQuizzesPage(assigned),
    });
    if (actor.user === undefined) return shown({ quizzes: [], leftOut: 0, isStillReading: false });
    const { user_id: userId } = actor.user;
    const [user, running] = await Promise.all([api.users.get(userId, call), nearestCampaigns(context)]);
    const assigned = await assignedQuizzesOf(user, context, takeLink);
    const now = context.now();
    return shown(withObligations(assigned, ownObligations(running, userId, now), { now, takeLink }));
  },
});

/** Each is read from the store. */
const campaignsAtMost = 40;

/**
 * Campaigns that run, for what they mean to the person, who may not see them. Of more, those that the person started and those for
 * their quizzes are read.
 */
export async function nearestCampaigns({
  campaigns,
  actor,
  rights,
  visibility,
}: Pick<OperationContext, 'campaigns' | 'actor' | 'rights' | 'visibility'>): Promise<Campaign[]> {
  if (!rights.has('known')) return [];
  const running = (await campaigns.all()).filter(({ endedAt }) => endedAt === null);
  const nearness = ({ ownerId, quiz }: CampaignSummary) =>
    ownerId === actor.personId ? 0 : visibility.quiz({ quiz_id: quiz.id }) ? 1 : 2;
  return runningAmong(running.toSorted((a, b) => nearness(a) - nearness(b)).slice(0, campaignsAtMost), campaigns);
}
