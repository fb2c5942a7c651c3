import type { ActionsBlock, HomeView, KnownBlock } from '@slack/types';
import { gradedIn, passRateOf, type OutcomeCounts } from '../../domain/outcome.ts';
import { fullName } from '../../directory/names.ts';
import type { Standing } from '../../governance/permissions.ts';
import type { Operation } from '../../operations/operation.ts';
import type { AssignedQuizzes } from '../../operations/assigned-quizzes.ts';
import type { BotStatus } from '../../operations/context.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import { countOf } from './amounts.ts';
import { assignedQuizLines, notesAbout } from './assigned-quizzes.ts';
import { requestsLeftWords, serviceWords } from './bot-status.ts';
import { operationButton, type ButtonDoing } from './buttons.ts';
import { commandList } from './help.ts';
import { clip, context, md, plain, section, sections, shortName, type Mrkdwn } from './mrkdwn.ts';
import { passedWords } from './outcome-words.ts';
import { requestBlocks } from './approval.ts';

/** The facts on the Home tab, besides the person's identity. */
export interface HomeFacts {
  openQuizzes: readonly { quiz: Quiz; counts: OutcomeCounts | undefined }[];
  /** The person's own quizzes; undefined for staff. */
  own: AssignedQuizzes | undefined;
  /** Open requests that the person asked or may decide on. */
  requests: readonly ApprovalRequest[];
  /** Only for administrators. */
  status: BotStatus | undefined;
}

const requestsShown = 5;
const quizzesShown = 10;
const ownShown = 20;

/** The Home tab: identity, rights, open requests, quizzes and commands. */
export function homeView(standing: Pick<Standing, 'actor' | 'operations' | 'rights' | 'refusal'>, facts: HomeFacts, timeZone: string): HomeView {
  const message = standing.refusal('known');
  if (message !== undefined) return sorryView(message);
  return home([
    section(whoYouAre(standing)),
    ...requestsBlocks(facts.requests, timeZone),
    ...(standing.rights.has('staff') ? openQuizBlocks(standing.operations, facts.openQuizzes) : []),
    ...ownBlocks(facts.own, timeZone),
    ...(facts.status ? statusBlocks(facts.status) : []),
    { type: 'divider' },
    section(md`*What you can type, in any conversation*`),
    ...commandList(standing.operations),
  ]);
}

/** The Home tab of a person without access. `message` says why. */
export function sorryView(message: string): HomeView {
  return home([section(md`🚫 ${message}`)]);
}

function whoYouAre({ actor, rights }: Pick<Standing, 'actor' | 'rights'>): Mrkdwn {
  if (actor.isOwner || !actor.user) return md`You are an *owner* of this bot, and so an administrator of the quiz account.`;
  const held = (['edit_quizzes', 'manage_users', 'manage_groups'] as const).filter((flag) => rights.has(flag)).map((flag) => flag.replaceAll('_', ' '));
  const may = actor.user.user_type === 'respondent' ? '' : `. You may ${new Intl.ListFormat('en').format(['see quizzes', ...held])}`;
  return md`You are *${shortName(fullName(actor.user))}*, ${actor.user.user_type} in the quiz account${may}.`;
}

function requestsBlocks(requests: readonly ApprovalRequest[], timeZone: string): KnownBlock[] {
  if (requests.length === 0) return [];
  const left = requests.length - requestsShown;
  return [
    { type: 'header', text: plain(`Waiting for approval: ${countOf(requests.length, 'request', 'requests')}`, 150) },
    ...requests.slice(0, requestsShown).flatMap((request) => requestBlocks(request, timeZone)),
    ...(left > 0 ? [context(md`…and ${left} more: \`/quiz-admin approvals\``)] : []),
  ];
}

function openQuizBlocks(operations: readonly Operation[], quizzes: HomeFacts['openQuizzes']): KnownBlock[] {
  const left = quizzes.length - quizzesShown;
  return [
    { type: 'header', text: plain(`Open: ${countOf(quizzes.length, 'quiz', 'quizzes')}`, 150) },
    ...quizzes.slice(0, quizzesShown).flatMap(({ quiz, counts }): KnownBlock[] => {
      const buttons = quickActions(operations, quiz);
      return [section(md`🟢 *${shortName(quiz.name)}*\n${rateWords(counts)}`), ...(buttons.elements.length > 0 ? [buttons] : [])];
    }),
    ...(left > 0 ? [context(md`…and ${left} more: \`/quiz list open\``)] : []),
  ];
}

/** Quick actions for an open quiz. */
const quickActionsOffered: readonly { name: string; text: string; doing: ButtonDoing }[] = [
  { name: 'show-results', text: 'Results', doing: 'beside' },
  { name: 'assign-quiz', text: 'Assign…', doing: 'form' },
  { name: 'close-quiz', text: 'Close…', doing: 'form' },
];

function quickActions(operations: readonly Operation[], quiz: Quiz): ActionsBlock {
  const buttons = quickActionsOffered.flatMap(({ name, text, doing }) => {
    const operation = operations.find((offered) => offered.name === name);
    const made = operation ? operationButton(name, { text, doing, operation, raw: { quiz: [quiz.quiz_id] } }) : [];
    return made.map((button) => ({ ...button, accessibility_label: clip(`${text} ${shortName(quiz.name)}`, 75) }));
  });
  return { type: 'actions', elements: buttons };
}

function rateWords(counts: OutcomeCounts | undefined): string {
  if (counts === undefined) return 'Counting who passed…';
  const { submitted } = counts;
  if (submitted === 0) return 'Nobody has submitted it yet';
  const rate = passRateOf(counts);
  if (rate === undefined || gradedIn(counts) < submitted) return `${submitted.toLocaleString('en')} submitted · ${passedWords(counts)}`;
  return `${Math.round(rate)} % passed, of ${submitted} who submitted it`;
}

function ownBlocks(own: AssignedQuizzes | undefined, timeZone: string): KnownBlock[] {
  if (own === undefined) return [];
  const notes = notesAbout(own);
  if (own.quizzes.length + notes.length === 0) return [];
  const lines = own.quizzes.flatMap((quiz) => assignedQuizLines(quiz, timeZone)).slice(0, ownShown);
  return [{ type: 'header', text: plain('Assigned to you', 150) }, ...sections(lines), ...notes];
}

function statusBlocks(status: BotStatus): KnownBlock[] {
  return [
    { type: 'header', text: plain('State of the bot', 150) },
    section(md`*Quiz service* ${serviceWords(status)}\n*Requests left* ${requestsLeftWords(status)}\n*Alerts waiting* ${status.alerts.waiting}`),
  ];
}

function home(blocks: KnownBlock[]): HomeView {
  return { type: 'home', blocks: [{ type: 'header', text: plain('Your quiz account', 150) }, ...blocks] };
}
