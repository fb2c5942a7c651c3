import type { Actor } from '../../../directory/identity.ts';
import { fullName } from '../../../directory/names.ts';
import type { ApprovalRequest } from '../../../domain/approval-request.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { amount, countOf, joinSaid, listed, marked, say, shortName } from '../../../domain/said.ts';
import { gradedIn, passRateOf, type OutcomeCounts } from '../../../domain/submission-outcome.ts';
import type { Right } from '../../../operations/context.ts';
import { runStep, type Page, type Part, type Step } from '../../../operations/page.ts';
import type { BotStatus } from '../../../operations/services/records.ts';
import { percent } from '../../../operations/wording/result-words.ts';
import { rightFlags, type Quiz } from '../../../quiz-api/records.ts';
import { languageCodes, languages, type Language } from '../../../words/languages.ts';
import { ownCampaignItems } from '../../campaigns/pages/show.ts';
import type { AssignedQuizzes } from '../../quizzes/own-quizzes.ts';
import { assignedQuizLines, notesAbout } from '../../quizzes/pages.ts';
import { aType, flagWords } from '../../../operations/wording/words.ts';
import { chooseLanguage, languageNote, messagesStep, stillComing } from '../own-settings.ts';
import type { Today } from '../today.ts';
import { requestPart, withdrawStep } from './requests.ts';
import { requestsLeftWords, serviceWords } from './status.ts';
import { matrixStep, todayParts } from './today.ts';

/** The facts on the page of a person that is always there, besides who they are. */
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
  /** Whether the person gets the message of Monday; undefined for those who can’t answer for campaigns. */
  monday: 'on' | 'off' | undefined;
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

interface Reader {
  actor: Actor;
  rights: ReadonlySet<Right>;
  /** The operations that they may run or ask for. */
  offered: ReadonlySet<string>;
}

const requestsShown = 5;
const quizzesShown = 10;
const campaignsShown = 10;
const ownShown = 20;

/** The Home tab: what needs the person first, then their quizzes, then how to go on. */
export function homePage(reader: Reader, facts: HomeFacts): Page {
  const { rights, offered } = reader;
  const { today, asked, campaigns, now, openQuizzes, own, status, messages, monday, language } = facts;
  return {
    heading: say`Today`,
    parts: [
      ...todayParts(today, offered),
      ...askedParts(asked),
      ...campaignParts(campaigns, now),
      ...(rights.has('staff') ? [openQuizzesPart(openQuizzes)] : []),
      ...(own === undefined ? [] : ownParts(own)),
      ...(status === undefined ? [] : [statusPart(status)]),
      { isApart: true, notes: [whoYouAre(reader), messages !== undefined && messagesNote(messages)] },
      languagePart(language),
    ],
    steps: [
      matrixStep,
      ...(messages === undefined ? [] : [messagesStep(messages === 'on' ? 'off' : 'on')]),
      ...(monday === undefined ? [] : [messagesStep(monday === 'on' ? 'monday-off' : 'monday-on')]),
    ],
  };
}

function whoYouAre({ actor, rights }: Pick<Reader, 'actor' | 'rights'>): string {
  if (actor.isOwner || !actor.user)
    return say`You’re an *owner* of this bot, so you can do everything in the quiz account.`;
  const { user } = actor;
  const held = rightFlags.filter((flag) => rights.has(flag)).map((flag) => flagWords[flag]);
  const who = say`You’re *${shortName(fullName(user))}*, ${aType(user.user_type)} in the quiz account.`;
  const can = rights.has('staff') ? [say`You can ${listed([say`see quizzes`, ...held])}.`] : [];
  return joinSaid([who, ...can], ' ');
}

function askedParts(requests: readonly ApprovalRequest[]): Part[] {
  if (requests.length === 0) return [];
  const left = requests.length - requestsShown;
  return [
    { title: say`You asked for approval: ${countOf(requests.length, 'request', 'requests')}` },
    ...requests.slice(0, requestsShown).map((request) => requestPart(request, [withdrawStep(request)])),
    { notes: [left > 0 && say`…and ${amount(left)} more: \`${say`/quiz-admin approvals`}\``] },
  ];
}

function campaignParts(campaigns: readonly Campaign[], now: number): Part[] {
  if (campaigns.length === 0) return [];
  return [
    {
      title: say`Your campaigns: ${amount(campaigns.length)}`,
      items: ownCampaignItems(campaigns, now),
      most: campaignsShown,
      rest: say`/quiz-campaign list`,
    },
  ];
}

function openQuizzesPart(quizzes: HomeFacts['openQuizzes']): Part {
  return {
    title: quizzes.length === 0 ? say`No open quizzes` : say`Open: ${countOf(quizzes.length, 'quiz', 'quizzes')}`,
    items: quizzes.map(({ quiz, counts, assigned }) => {
      const name = say`🟢 *${shortName(quiz.name)}*`;
      return {
        line: counts === undefined ? name : joinSaid([name, countWords(counts, assigned)], '\n'),
        about: { kind: 'quiz', of: quiz, name: quiz.name, in: 'home' },
      };
    }),
    buttonsBelow: true,
    most: quizzesShown,
    rest: say`/quiz list open`,
  };
}

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
function ownParts(own: AssignedQuizzes): Part[] {
  // A closed quiz that was never taken has no result: `/quiz mine` lists it.
  const taken = own.quizzes.filter(
    ({ isDue, response_id, earlier }) => !isDue && (response_id !== null || earlier.length > 0),
  );
  const lines = taken.flatMap((quiz) => assignedQuizLines(quiz)).slice(0, ownShown);
  return [...(lines.length > 0 ? [{ title: say`Your results`, lines }] : []), { notes: notesAbout(own) }];
}

function statusPart(status: BotStatus): Part {
  return {
    title: say`Bot status`,
    lines: [
      say`*Quiz service* ${serviceWords(status)}\n*Service requests left* ${requestsLeftWords(status)}\n*Alerts waiting* ${status.alerts.waiting}`,
    ],
  };
}

function messagesNote(messages: 'on' | 'off'): string {
  return messages === 'on'
    ? say`You get a message when someone assigns you a quiz, and when your result is in.`
    : say`Messages about quizzes you’re assigned and your results are off. ${stillComing}`;
}

/** A line about the reader’s language, with a menu that changes it. Each language has the name that its speakers write. */
function languagePart({ chosen, inSlack }: LanguageChoice): Part {
  const choice = (label: string, language: Language | 'default'): Step => ({
    ...runStep(label, chooseLanguage, { language: [language] }),
    opens: 'button',
  });
  return {
    lines: [languageNote],
    beside: {
      label: say`Language`,
      steps: [
        choice(say`As in Slack (${languages[inSlack]})`, 'default'),
        ...languageCodes.map((code) => choice(marked('part', languages[code]), code)),
      ],
      chosen: chosen === undefined ? 0 : languageCodes.indexOf(chosen) + 1,
    },
  };
}
