import { context, section, plain } from './blocks/message.ts';
import { shortName } from '../../domain/short-name.ts';
import { percent } from '../../operations/wording/result-words.ts';
import type { HomeView, KnownBlock, ModalView } from '@slack/types';
import { gradedIn, passRateOf, type OutcomeCounts } from '../../domain/submission-outcome.ts';
import { fullName } from '../../directory/names.ts';
import type { Standing } from '../../governance/rights/permissions.ts';
import type { Operation } from '../../operations/operation.ts';
import { chooseLanguage, languageNote, messagesStep, stillComing } from '../../features/administration/own-settings.ts';
import type { Today } from '../../features/administration/today.ts';
import type { AssignedQuizzes } from '../../features/quizzes/own-quizzes.ts';
import type { BotStatus } from '../../operations/services/records.ts';
import { ownCampaignItems } from '../../features/campaigns/pages/show.ts';
import { stepsBeside } from '../../operations/thing-buttons.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { ApprovalRequest } from '../../domain/approval-request.ts';
import type { Campaign } from '../../domain/campaign.ts';
import { amount, countOf, listed, marked, say, joinSaid, asSaid } from '../../domain/said.ts';
import { runStep } from '../../operations/next-step.ts';
import type { Part } from '../../operations/page.ts';
import { languageCodes, languages, type Language } from '../../words/languages.ts';
import { assignedQuizLines, notesAbout } from '../../features/quizzes/pages.ts';
import { requestsLeftWords, serviceWords } from '../../features/administration/pages/status.ts';
import { commandList } from './help.ts';
import { menuActionId, menuOptions, stepButtons } from './blocks/buttons.ts';
import { drawParts } from './blocks/page.ts';
import { requestPart } from '../../features/administration/pages/requests.ts';
import { matrixButton, todayBlocks } from './today.ts';
import { flagWords, wordsOfType } from '../../features/users/pages.ts';

/** The facts on the Home tab, besides the person's identity. */
export interface HomeFacts {
  openQuizzes: readonly OpenQuiz[];
  today: Today;
  /** Campaigns that run, and that the person started or leads. */
  campaigns: readonly Campaign[];
  /** In milliseconds since the epoch. */
  now: number;
  /** The person's own quizzes; undefined for staff. */
  own: AssignedQuizzes | undefined;
  /** Open requests that the person asked. */
  asked: readonly ApprovalRequest[];
  /** Only for administrators. */
  status: BotStatus | undefined;
  /** Whether the person gets direct messages about their quizzes; undefined where the bot sends none. */
  messages: 'on' | 'off' | undefined;
  /** In which language the person reads the bot. */
  language: LanguageChoice;
}

/** What a person chose, and what they read if they choose nothing. */
export interface LanguageChoice {
  chosen: Language | undefined;
  inSlack: Language;
}

interface OpenQuiz {
  quiz: Quiz;
  /** Undefined where they are not known. */
  counts: OutcomeCounts | undefined;
  /** The people who have the quiz, of one that nobody has submitted. */
  assigned: number;
}

const requestsShown = 5;
const quizzesShown = 10;
const campaignsShown = 10;
const ownShown = 20;

/** The action ID of the button that opens the list of commands. */
export const commandsActionId = 'show-commands';

type Reader = Pick<Standing, 'actor' | 'operations' | 'rights' | 'refusal'>;

/** The Home tab: what needs the person first, then their quizzes, then how to go on. */
export function homeView(standing: Reader, facts: HomeFacts, timeZone: string): HomeView {
  const message = standing.refusal('known');
  if (message !== undefined) return sorryView(message);
  const offered = new Set(standing.operations.map(({ name }) => name));
  return home(say`Today`, [
    ...todayBlocks(facts.today, offered, timeZone),
    ...askedBlocks(facts.asked),
    ...drawParts(
      [
        ...partsOf(facts, standing.rights.has('staff'), timeZone),
        { isApart: true, notes: [whoYouAre(standing), messagesNote(facts.messages)] },
      ],
      offered,
    ),
    languageBlock(facts.language),
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: commandsActionId, text: plain(say`Show commands`) },
        ...matrixButton(offered),
        ...messagesToggle(facts.messages),
      ],
    },
  ]);
}

/** The Home tab of a person without access. `message` says why. */
export function sorryView(message: string): HomeView {
  return home(say`Your quiz account`, [section(say`🚫 ${asSaid(message)}`)]);
}

/** The modal that the Home tab's button opens: what the person can type in any conversation. */
export function commandsView(operations: readonly Operation[]): ModalView {
  return {
    type: 'modal',
    title: plain(say`Commands`),
    close: plain(say`Close`),
    blocks: [section(say`You can type these in any conversation:`), ...commandList(operations)],
  };
}

function whoYouAre({ actor, rights }: Pick<Standing, 'actor' | 'rights'>): string {
  if (actor.isOwner || !actor.user)
    return say`You’re an *owner* of this bot, so you can do everything in the quiz account.`;
  const { user } = actor;
  const held = (['edit_quizzes', 'manage_users', 'manage_groups'] as const)
    .filter((flag) => rights.has(flag))
    .map((flag) => flagWords[flag]);
  const who = say`You’re *${shortName(fullName(user))}*, ${wordsOfType(user).withArticle} in the quiz account.`;
  const can = rights.has('staff') ? [say`You can ${listed([say`see quizzes`, ...held])}.`] : [];
  return joinSaid([who, ...can], ' ');
}

function askedBlocks(requests: readonly ApprovalRequest[]): KnownBlock[] {
  if (requests.length === 0) return [];
  return [
    header(say`You asked for approval: ${countOf(requests.length, 'request', 'requests')}`),
    ...drawParts(requests.slice(0, requestsShown).map((request) => requestPart(request))),
    ...moreBlocks(requests.length - requestsShown, say`/quiz-admin approvals`),
  ];
}

/** Campaigns and open quizzes, the person’s own results, and the status of the bot for those who see it. */
function partsOf({ campaigns, now, openQuizzes, own, status }: HomeFacts, isStaff: boolean, timeZone: string): Part[] {
  return [
    ...(campaigns.length === 0
      ? []
      : [
          {
            title: say`Your campaigns: ${amount(campaigns.length)}`,
            items: ownCampaignItems(campaigns, timeZone, now),
            most: campaignsShown,
            rest: say`/quiz-campaign list`,
          },
        ]),
    ...(isStaff ? [openQuizzesPart(openQuizzes)] : []),
    ...(own === undefined ? [] : ownParts(own, timeZone)),
    ...(status === undefined
      ? []
      : [
          {
            title: say`Bot status`,
            lines: [
              say`*Quiz service* ${serviceWords(status)}\n*Service requests left* ${requestsLeftWords(status)}\n*Alerts waiting* ${status.alerts.waiting}`,
            ],
          },
        ]),
  ];
}

function openQuizzesPart(quizzes: HomeFacts['openQuizzes']): Part {
  return {
    title: quizzes.length === 0 ? say`No open quizzes` : say`Open: ${countOf(quizzes.length, 'quiz', 'quizzes')}`,
    items: quizzes.map(({ quiz, counts, assigned }) => {
      const name = say`🟢 *${shortName(quiz.name)}*`;
      return {
        line: counts === undefined ? name : joinSaid([name, countWords(counts, assigned)], '\n'),
        steps: stepsOnHome(quiz).map((step) => ({ ...step, spoken: `${asSaid(step.label)} ${shortName(quiz.name)}` })),
      };
    }),
    buttonsBelow: true,
    most: quizzesShown,
    rest: say`/quiz list open`,
  };
}

const stepsOnHome = stepsBeside('quiz', 'home');

/** Such as `12 submissions, 75% passed`, or `12 submissions, 75% of 8 graded passed, 4 to be marked`. */
function countWords(counts: OutcomeCounts, assigned: number): string {
  const { submitted, unmarked } = counts;
  if (submitted === 0)
    return assigned === 0
      ? say`No submissions yet`
      : say`No submissions yet, ${amount(assigned)} ${assigned === 1 ? 'person has' : 'people have'} it`;
  const [rate, graded] = [passRateOf(counts), gradedIn(counts)];
  const passed =
    rate === undefined
      ? []
      : [
          graded === submitted
            ? say`${percent(rate)} passed`
            : say`${percent(rate)} of ${amount(graded)} graded passed`,
        ];
  const isUngraded = rate === undefined && unmarked === 0;
  return [
    countOf(submitted, 'submission', 'submissions'),
    ...passed,
    ...(unmarked > 0 ? [say`${amount(unmarked)} to be marked`] : []),
    ...(isUngraded ? [say`not graded`] : []),
  ].join(', ');
}

/** Results: what is still to be taken is what needs the person. */
function ownParts(own: AssignedQuizzes, timeZone: string): Part[] {
  // A closed quiz that was never taken has no result: `/quiz mine` lists it.
  const taken = own.quizzes.filter(
    ({ isDue, response_id, earlier }) => !isDue && (response_id !== null || earlier.length > 0),
  );
  const lines = taken.flatMap((quiz) => assignedQuizLines(quiz, timeZone)).slice(0, ownShown);
  return [...(lines.length > 0 ? [{ title: say`Your results`, lines }] : []), { notes: notesAbout(own) }];
}

function messagesNote(messages: HomeFacts['messages']): string | undefined {
  if (messages === undefined) return undefined;
  return messages === 'on'
    ? say`You get a message when someone assigns you a quiz, and when your result is in.`
    : say`Messages about quizzes you’re assigned and your results are off. ${stillComing}`;
}

function messagesToggle(messages: HomeFacts['messages']) {
  return messages === undefined ? [] : stepButtons([messagesStep(messages === 'on' ? 'off' : 'on')]);
}

/** A line about the reader’s language, with a menu that changes it. Each language has the name that its speakers write. */
function languageBlock({ chosen, inSlack }: LanguageChoice): KnownBlock {
  const choice = (label: string, language: Language | 'default') => ({
    ...runStep(label, chooseLanguage, { language: [language] }),
    opens: 'button' as const,
  });
  const options = menuOptions([
    choice(say`As in Slack (${languages[inSlack]})`, 'default'),
    ...languageCodes.map((code) => choice(marked('part', languages[code]), code)),
  ]);
  const initial = options[chosen === undefined ? 0 : languageCodes.indexOf(chosen) + 1];
  return {
    ...section(languageNote),
    accessory: {
      type: 'static_select',
      action_id: `${menuActionId}:language`,
      placeholder: plain(say`Language`),
      options,
      ...(initial && { initial_option: initial }),
    },
  };
}

function moreBlocks(left: number, command: string): KnownBlock[] {
  return left > 0 ? [context(say`…and ${amount(left)} more: \`${command}\``)] : [];
}

function header(text: string): KnownBlock {
  return { type: 'header', text: plain(asSaid(text)) };
}

function home(heading: string, blocks: KnownBlock[]): HomeView {
  return { type: 'home', blocks: [header(heading), ...blocks] };
}
