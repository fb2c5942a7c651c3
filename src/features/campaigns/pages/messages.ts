import type { Announcement, CampaignEscalation, CampaignNotice, CampaignWeek } from '../../../domain/announcement.ts';
import { amount, countOf, joinSaid, mention, say, shortName, shortText } from '../../../domain/said.ts';
import { runStep, type Link, type Page, type Step, type Item, type Texts } from '../../../operations/page.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { day, moment } from '../../../time/date-words.ts';
import { notMe, notMyReport, ownStep, snoozeReminders } from '../operations/own-answers.ts';
import { campaignSteps, nameList } from './words.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

const noticesAtMost = 20;
/** 300 characters as they are sent. In a message about many quizzes, less is left for each. */
const wordsAtMost = 1_500;

/** Asks the reader to take quizzes. */
export function campaignNoticesPage({ notices, now }: Of<'campaign-notices'>): Page {
  const [only] = notices.length === 1 ? notices : [];
  const snooze = snoozeSteps(notices);
  if (only) {
    const sentence = onlySentence(only, now);
    return {
      heading: withWords(sentence, only, wordsAtMost),
      notification: sentence,
      steps: [...noticeSteps(only), ...snooze],
    };
  }
  const quizzes = new Set(notices.map(({ quizId }) => quizId)).size;
  const heading =
    quizzes === 1
      ? say`📝 You have 1 quiz to take, for ${amount(notices.length)} campaigns.`
      : say`📝 You have ${amount(quizzes)} quizzes to take.`;
  const most = Math.floor((2 * wordsAtMost) / Math.min(notices.length, noticesAtMost));
  const names = notices.map((notice) => say`${shownQuizName(notice.quizName)}${twinFacts(notice, notices, now)}`);
  return {
    heading,
    notification: say`${heading} ${joinSaid(names, ', ')}`,
    parts: [
      {
        items: notices.map((notice) => ({
          line: withWords(
            say`*${shownQuizName(notice.quizName)}* · ${joinSaid(noticeFacts(notice, now), ' · ')}`,
            notice,
            most,
          ),
          steps: noticeSteps(notice),
        })),
        buttonsBelow: true,
        most: noticesAtMost,
        rest: say`/quiz mine`,
      },
    ],
    steps: snooze,
  };
}

function onlySentence(notice: CampaignNotice, now: number): string {
  const asking = askingSentence(notice, now);
  const { validUntil } = notice;
  if (validUntil === undefined) return asking;
  const end = lastDay(validUntil);
  return now < validUntil
    ? say`${asking} Your pass is valid until ${end}.`
    : say`${asking} Your pass was valid until ${end}.`;
}

/** A pass counts until the end of a day. */
function lastDay(validUntil: number): string {
  return day(validUntil - 1);
}

/** Where passes are to be renewed. */
function validityFact({ validUntil }: CampaignNotice, now: number): string | undefined {
  if (validUntil === undefined) return undefined;
  const end = lastDay(validUntil);
  return now < validUntil ? say`your pass is valid until ${end}` : say`your pass was valid until ${end}`;
}

function askingSentence(
  { quizName, by, dueAt, isReminder, hasFailed, dueWas, isForThem, takesMinutes, validUntil }: CampaignNotice,
  now: number,
): string {
  const quiz = say`*${shownQuizName(quizName)}*`;
  const due = dueAt === null ? '' : say` by ${moment(dueAt)}`;
  if (isForThem) return say`📝 ${quiz} is for you after all: ${mention(by)} asks you to take it${due}.`;
  if (dueWas !== undefined && (dueAt === null || dueAt > now))
    return dueAt === null
      ? say`🗓️ ${quiz} has no due time any more. ${mention(by)} still asks you to ${hasFailed ? 'pass' : 'take'} it.`
      : dueWas !== null && dueAt < dueWas
        ? say`🗓️ ${quiz} is due earlier now: ${mention(by)} asks you to ${hasFailed ? 'pass' : 'take'} it${due}.`
        : say`🗓️ You have more time for ${quiz}: ${mention(by)} asks you to ${hasFailed ? 'pass' : 'take'} it${due}.`;
  if (hasFailed)
    return dueAt !== null && dueAt <= now
      ? say`⏰ ${quiz} was due ${moment(dueAt)}, and you haven’t passed it yet. ${mention(by)} asks you to try again now.`
      : say`⏰ You haven’t passed ${quiz} yet. ${mention(by)} asks you to try again${due}.`;
  if (dueAt !== null && dueAt <= now)
    return say`⏰ ${quiz} was due ${moment(dueAt)}. ${mention(by)} asks you to take it now.`;
  if (validUntil !== undefined && !isReminder)
    return say`🔁 ${quiz} is due again: ${mention(by)} asks you to take it${due}.`;
  if (isReminder) return say`⏰ Reminder from ${mention(by)}: please take ${quiz}${due}.`;
  const asking = say`📝 ${mention(by)} asks you to take ${quiz}${due}.`;
  return takesMinutes === undefined ? asking : say`${asking} It usually takes ${minutesWords(takesMinutes)}.`;
}

function withWords(text: string, { words }: CampaignNotice, most: number): string {
  return words === undefined ? text : say`${text}\n${quotedWords(words, most)}`;
}

/** What a person says in their own words. @param most how long they can be as they are sent */
export function quotedWords(words: string, most = wordsAtMost): string {
  return say`>“${shortText(words, most)}”`;
}

export function minutesWords(minutes: number): string {
  return minutes === 1 ? say`about a minute` : say`about ${amount(minutes)} minutes`;
}

/** What tells a notice from others about quizzes of the same name. */
function twinFacts(notice: CampaignNotice, notices: readonly CampaignNotice[], now: number): string {
  const isTwin = notices.some((other) => other !== notice && other.quizName === notice.quizName);
  return isTwin ? say` (${joinSaid(sourceFacts(notice, now), ', ')})` : '';
}

function noticeFacts(notice: CampaignNotice, now: number): Texts {
  return [
    notice.isForThem ? say`for you after all` : notice.isReminder && say`Reminder`,
    notice.hasFailed && say`not passed yet`,
    ...sourceFacts(notice, now),
    validityFact(notice, now),
    notice.takesMinutes !== undefined && say`takes ${minutesWords(notice.takesMinutes)}`,
  ];
}

function sourceFacts({ by, dueAt, dueWas }: CampaignNotice, now: number): string[] {
  const isChanged = dueWas !== undefined;
  if (dueAt === null) return [say`from ${mention(by)}`, ...(isChanged ? [say`no due time any more`] : [])];
  const due = moment(dueAt);
  return [
    say`from ${mention(by)}`,
    dueAt <= now ? say`was due ${due}` : isChanged ? say`now due ${due}` : say`due ${due}`,
  ];
}

function noticeSteps({ campaignId, takeUrl, hasFailed }: CampaignNotice): (Step | Link)[] {
  return [
    takeLink(takeUrl, hasFailed ? say`Take again` : say`Take quiz`),
    ownStep(say`Not me`, notMe, { campaigns: [campaignId] }, 'row'),
  ];
}

/** There is none where no address is known. */
const takeLink = (url: string | undefined, label = say`Take quiz`): Link => ({ label, url, style: 'primary' });

/** Campaigns whose IDs fit in a button. */
const snoozedAtMost = 40;

function snoozeSteps(notices: readonly CampaignNotice[]): Step[] {
  const campaignIds = notices.filter(({ isReminder }) => isReminder).map(({ campaignId }) => campaignId);
  if (campaignIds.length === 0) return [];
  const campaigns = [campaignIds.slice(0, snoozedAtMost).join(' ')];
  return [ownStep(say`Snooze until tomorrow`, snoozeReminders, { campaigns }, 'button')];
}

/** Of one campaign; of each of several. */
const namesAtMost = 40;
const namesOfEachAtMost = 10;

/** Tells a lead who still has to take quizzes; the lead can be among them. */
export function campaignEscalationsPage({ escalations }: Of<'campaign-escalations'>): Page {
  const [only] = escalations.length === 1 ? escalations : [];
  if (only) return onlyEscalationPage(only);
  const heading = say`⏰ People are still missing in ${amount(escalations.length)} campaigns that you lead.`;
  const quizzes = escalations.map(({ quizName }) => say`${shownQuizName(quizName)}`);
  return {
    heading,
    notification: say`${heading} ${joinSaid(quizzes, ', ')}`,
    parts: [
      {
        items: escalations.map((escalation) => ({
          line: escalationLine(escalation),
          steps: escalationSteps(escalation).map((step) => ({
            ...step,
            spoken: `${step.label} ${shortName(escalation.quizName)}`,
          })),
        })),
        buttonsBelow: true,
        rest: say`/quiz-campaign list`,
      },
    ],
  };
}

function onlyEscalationPage(escalation: CampaignEscalation): Page {
  const { quizName, dueAt, names, missing, unreached } = escalation;
  const isOwn = escalation.ownQuizId !== undefined;
  const quiz = say`*${shownQuizName(quizName)}*`;
  const due = dueAt === null ? undefined : moment(dueAt);
  const sentence =
    missing === 0
      ? say`📵 ${countOf(unreached?.count ?? 0, 'person', 'people')} can’t be reached by message about ${quiz}`
      : missing > 1
        ? severalMissing(missing, quiz, due)
        : isOwn
          ? onlyYouMissing(quiz, due)
          : oneMissing(quiz, due);
  return {
    heading: joinSaid([sentence, isOwn && missing > 1 && say`You’re among them.`], ' '),
    parts: [
      {
        lines: [
          missing > 0 && !(isOwn && missing === 1) && nameList(names, { most: namesAtMost, count: missing }),
          unreachedLine(unreached, namesAtMost),
        ],
      },
    ],
    steps: escalationSteps(escalation),
  };
}

/** Only those who answer for a campaign can tell them. */
function unreachedLine(unreached: CampaignEscalation['unreached'], most: number): string | false {
  return (
    unreached !== undefined &&
    say`${say`📵 *Can’t be reached by message:*`} ${nameList(unreached.names, { most, count: unreached.count })}`
  );
}

function severalMissing(missing: number, quiz: string, due: string | undefined): string {
  return due === undefined
    ? say`⏰ ${amount(missing)} people still have to take ${quiz}.`
    : say`⏰ ${amount(missing)} people still have to take ${quiz}, which was due ${due}.`;
}

function onlyYouMissing(quiz: string, due: string | undefined): string {
  return due === undefined
    ? say`⏰ You’re the only person who still has to take ${quiz}.`
    : say`⏰ You’re the only person who still has to take ${quiz}, which was due ${due}.`;
}

function oneMissing(quiz: string, due: string | undefined): string {
  return due === undefined
    ? say`⏰ 1 person still has to take ${quiz}.`
    : say`⏰ 1 person still has to take ${quiz}, which was due ${due}.`;
}

/** One of several campaigns. */
function escalationLine({ quizName, dueAt, names, missing, unreached, ownQuizId }: CampaignEscalation): string {
  const who = nameList(names, { most: namesOfEachAtMost, count: missing });
  const others = ownQuizId === undefined ? who : missing === 1 ? say`only you` : say`${who}. You’re among them.`;
  const due = dueAt === null ? [] : [say`was due ${moment(dueAt)}`];
  const lines = [
    joinSaid([say`*${shownQuizName(quizName)}*`, ...due], ' · '),
    missing > 0 && say`${amount(missing)} missing: ${others}`,
    unreachedLine(unreached, namesOfEachAtMost),
  ];
  return joinSaid(lines, '\n');
}

function escalationSteps({ campaignId, takeUrl, dueAt, missing }: CampaignEscalation): (Step | Link)[] {
  return [
    takeLink(takeUrl),
    ...campaignSteps(campaignId, [
      ...(missing > 0 ? (['remind'] as const) : []),
      ...(dueAt === null ? [] : (['extend'] as const)),
      'excuse',
      'all',
    ]),
  ];
}

const quizzesAtMost = 10;

/** Tells a manager which of their people are late. It says nothing else about them. @param platform what it is called */
export function campaignReportsPage({ people }: Of<'campaign-reports'>, platform: string): Page {
  const heading =
    people.length === 1
      ? say`⏰ Someone who reports to you is late with a quiz.`
      : say`⏰ ${amount(people.length)} people who report to you are late with a quiz.`;
  const names = nameList(people, { most: namesAtMost });
  return {
    heading,
    notification: say`${heading} ${names}`,
    parts: [
      {
        items: people.map(({ userId, name, quizzes }) => {
          const first = quizzes.slice(0, quizzesAtMost).map(({ quizName }) => say`${shownQuizName(quizName)}`);
          const named = joinSaid(first, ', ');
          const more = quizzes.length - first.length;
          const about = { user: [userId], campaigns: [quizzes.map(({ campaignId }) => campaignId).join(' ')] };
          const label = say`Not my report`;
          return {
            line: say`*${listedName(name, true)}* · ${more > 0 ? say`${named} and ${amount(more)} more` : named}`,
            steps: [{ ...ownStep(label, notMyReport, about, 'row'), spoken: `${label} ${shortName(name)}` }],
          };
        }),
        buttonsBelow: true,
      },
    ],
    notes: [say`You’re their manager in ${platform}, so you get this list once a week while someone is on it.`],
  };
}

const namesOfEach = 10;
const quizzesInLine = 8;
const lateAtMost = 8;
const longestQuestion = 200;

/** Tells who answers for campaigns what was done, who is overdue, what expires, and what most got wrong, each with what to do about it. */
export function campaignWeeksPage({ weeks }: Extract<Announcement, { kind: 'campaign-weeks' }>): Page {
  const late = weeks.filter(({ late: names }) => names.length > 0).toSorted((a, b) => b.late.length - a.late.length);
  const more = late.length - lateAtMost;
  const [done, expiring] = [totalOf(weeks, 'done'), totalOf(weeks, 'expiring')];
  const items: (Item | undefined)[] = [
    done > 0
      ? {
          line: say`✅ Done last week: ${countOf(done, 'person', 'people')} · ${quizzesOf(weeks, 'done')}`,
          steps: [runStep(say`View campaigns`, { name: 'list-campaigns' }, {})],
        }
      : undefined,
    ...late.slice(0, lateAtMost).map(({ campaignId, quizName, late: names }): Item => ({
      line: say`⏰ *${shownQuizName(quizName)}*: ${countOf(names.length, 'person is overdue', 'people are overdue')}. ${nameList(names, { most: namesOfEach })}`,
      steps: campaignSteps(campaignId, ['remind']).map((step) => ({
        ...step,
        spoken: `${step.label} ${shortName(quizName)}`,
      })),
    })),
    more > 0
      ? {
          line: say`⏰ People are overdue in ${countOf(more, 'more campaign', 'more campaigns')}.`,
          steps: [runStep(say`Who is overdue`, { name: 'show-matrix' }, { only: ['overdue'] })],
        }
      : undefined,
    expiring > 0
      ? {
          line: say`🔁 Within 30 days: ${countOf(expiring, 'pass expires', 'passes expire')} · ${quizzesOf(weeks, 'expiring')}`,
          steps: [runStep(say`The year`, { name: 'show-year' }, {})],
        }
      : undefined,
  ];
  const [failed] = weeks
    .flatMap(({ failed: one, quizName }) => (one ? [{ ...one, quizName }] : []))
    .toSorted((a, b) => b.wrong - a.wrong);
  if (failed)
    items.push({
      line: say`❓ *${shownQuizName(failed.quizName)}*: ${amount(failed.wrong)} of ${amount(failed.asked)} got this question wrong: ${shortText(failed.question, longestQuestion)}`,
      steps: [runStep(say`Questions`, { name: 'show-questions' }, { quiz: [failed.quizId] })],
    });
  const heading = say`🗓️ *The week in your campaigns*`;
  return {
    heading,
    notification: say`The week in your campaigns`,
    parts: [{ items: items.filter((item) => item !== undefined) }],
    steps: [
      { ...runStep(say`Stop these messages`, { name: 'turn-messages' }, { to: ['monday-off'] }), opens: 'button' },
    ],
  };
}

type Counted = 'done' | 'expiring';

function totalOf(weeks: readonly CampaignWeek[], what: Counted): number {
  return weeks.reduce((sum, week) => sum + week[what], 0);
}

/** Of each quiz how many, the most first. */
function quizzesOf(weeks: readonly CampaignWeek[], what: Counted): string {
  const some = weeks.filter((week) => week[what] > 0).toSorted((a, b) => b[what] - a[what]);
  const left = some.length - quizzesInLine;
  return joinSaid(
    [
      ...some.slice(0, quizzesInLine).map((week) => say`${shownQuizName(week.quizName)} ${amount(week[what])}`),
      left > 0 && say`and ${amount(left)} more`,
    ],
    ', ',
  );
}
