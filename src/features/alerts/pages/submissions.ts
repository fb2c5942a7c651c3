import { minuteMs } from '../../../domain/durations.ts';
import type { AnnouncedSubmission, Announcement, Posting, ThreadCounts } from '../../../domain/announcement.ts';
import { type EarlierResult, knownResult, type Result } from '../../../domain/result.ts';
import type { Submission } from '../../../domain/queues.ts';
import { amount, countOf, joinSaid, mention, say } from '../../../domain/said.ts';
import {
  countOutcomes,
  isGraded,
  type OutcomeCounts,
  type SubmissionOutcome,
} from '../../../domain/submission-outcome.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import { modalStep, runStep } from '../../../operations/page.ts';
import type { Link, Page, Part, Step, Texts } from '../../../operations/page.ts';
import {
  ordinal,
  outcomeIcons,
  outcomeLabels,
  outcomeSentences,
  outcomeStates,
  passedWords,
  percent,
  resultWords,
} from '../../../operations/wording/result-words.ts';
import { listedName, shownName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { dateInWords, moment } from '../../../time/date-words.ts';
import { messagesStep } from '../../administration/own-settings.ts';
import { myQuizzes } from '../../quizzes/list-and-show.ts';
import { showAttempt } from '../../results/attempt-page.ts';
import { showResults } from '../../results/show-results.ts';
import { specText } from './alerts.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

/** One submission in one line. Shows a name (or initials) and the result, and no other personal data. */
export function submissionPage({ submission, showsNames, postedAt }: AnnouncedSubmission & Posting): Page {
  const { corrects, isBackfilled } = submission;
  const late = corrects ? [say`(corrected)`] : isBackfilled ? [say`(late)`] : [];
  return {
    heading: submissionLine(submission, showsNames, (name) => say`*${name}*`),
    notification: joinSaid([submissionLine(submission, showsNames, (name) => say`${name}`), ...late], ' '),
    beside: attemptStep(submission, showsNames),
    notes: [corrects && say`✏️ ${correctionWords(submission, corrects)}`, submittedNote(submission, postedAt)],
  };
}

/** Opens the attempt for readers who may see it. */
function attemptStep({ quizId, responseId, name }: Submission, showsNames: boolean): Step {
  return {
    ...modalStep(say`View attempt`, showAttempt, { quiz: [quizId], response: [responseId] }),
    spoken: say`View attempt of ${shownName(name, showsNames)}`,
  };
}

/** Shows the results of a quiz to the person who presses it, if they may see them. */
export function resultsStep({ quizId, quizName }: { quizId: string; quizName: string }): Step {
  return {
    ...runStep(say`Results`, showResults, { quiz: [quizId] }),
    spoken: say`Results of ${shownQuizName(quizName)}`,
  };
}

/** Such as `✅ *Rosa Almeida* passed *Fire safety* with 87.5% (7 of 8 points), grade B, 2nd attempt`. */
function submissionLine(submission: Submission, showsNames: boolean, emphasize: (name: string) => string): string {
  const { outcome } = submission;
  const person = emphasize(shownName(submission.name, showsNames));
  const quiz = emphasize(shownQuizName(submission.quizName));
  const { score, attempt } = figuresOf(submission);
  const figures = [...score, ...attempt].join(', ');
  const sentence =
    score.length > 0
      ? withFigures(outcome, person, quiz, figures)
      : joinSaid([outcomeSentences[outcome](person, quiz), ...attempt.map((words) => say`${words}`)], ', ');
  const ungraded = isGraded(outcome) ? '' : `. ${outcomeLabels[outcome]}.`;
  return say`${outcomeIcons[outcome]} ${sentence}${ungraded}`;
}

function withFigures(outcome: SubmissionOutcome, person: string, quiz: string, figures: string): string {
  switch (outcome) {
    case 'passed':
      return say`${person} passed ${quiz} with ${figures}`;
    case 'failed':
      return say`${person} failed ${quiz} with ${figures}`;
    case 'unmarked':
    case 'not graded':
      return say`${person} submitted ${quiz} with ${figures}`;
  }
}

/** The same figures as a list: `87.5% (7 of 8 points), grade B, 2nd attempt`; the outcome where there are none. */
function resultLine(result: Result): string {
  const { score, attempt } = figuresOf(result, shortGrade);
  const outcome = isGraded(result.outcome) && score.length > 0 ? [] : [outcomeStates[result.outcome]];
  return [...outcome, ...score, ...attempt].join(', ');
}

/** Such as `Corrected. Before: failed, 60% (6 of 10 points), grade D`. */
function correctionWords(submission: Submission, before: EarlierResult): string {
  const was = earlierWords(before);
  return was === earlierWords(submission)
    ? say`Submitted again, with the same result.`
    : say`Corrected. Before: ${was}`;
}

/** The outcome and the figures of a result that was corrected. */
function earlierWords(result: EarlierResult): string {
  const { score } = figuresOf({ ...result, attempt: null, durationSeconds: null }, shortGrade);
  return [outcomeStates[result.outcome], ...score].join(', ');
}

/** Of a result that was corrected, and in a list. */
const shortGrade = 20;

/** Grades that only repeat the outcome. */
const redundantGrades: Partial<Record<SubmissionOutcome, RegExp>> = {
  passed: /^pass(?:ed)?$/i,
  failed: /^fail(?:ed)?$/i,
};

/** The figures in words: only what the service says, and a first attempt goes without saying. */
function figuresOf(result: Result, longestGrade?: number): { score: string[]; attempt: string[] } {
  const { attempt, points, availablePoints } = knownResult(result);
  const words = resultWords(result, longestGrade);
  const pointsWords =
    words.points && ((availablePoints ?? points) === 1 ? say`${words.points} point` : say`${words.points} points`);
  const { percentage, grade } = words;
  const isRedundant = grade === undefined || redundantGrades[result.outcome]?.test(grade) === true;
  return {
    score: [
      ...(percentage
        ? [pointsWords ? `${percentage} (${pointsWords})` : percentage]
        : pointsWords
          ? [pointsWords]
          : []),
      ...(isRedundant ? [] : [/^grade\b/i.test(grade) ? grade : say`grade ${grade}`]),
    ],
    attempt: attempt !== null && attempt > 1 ? [say`${ordinal(attempt)} attempt`] : [],
  };
}

/** Submissions this close to the time of their message need no time of their own. */
const sameTimeMs = 5 * minuteMs;

/** Whether readers would take the time of a message for the time of a submission, and be wrong. */
function isOtherTime(submittedAt: number, postedAt: number): boolean {
  return Math.abs(postedAt - submittedAt) >= sameTimeMs;
}

function submittedNote({ submittedAt, isBackfilled }: Submission, postedAt: number): Texts[number] {
  const submitted = submittedAt === null ? undefined : moment(submittedAt);
  if (isBackfilled)
    return submitted
      ? say`⏰ Late: submitted ${submitted}, but the quiz service’s webhook never arrived.`
      : say`⏰ Late: the quiz service’s webhook never arrived.`;
  return submitted && isOtherTime(submittedAt ?? 0, postedAt) && say`Submitted ${submitted}`;
}

/** The message whose thread holds the submissions of a quiz on a day. */
export function threadPage(thread: ThreadCounts): Page {
  const { quizName, day, submitted, scored, percentagesTotal } = thread;
  const name = shownQuizName(quizName);
  const shownDay = dateInWords(new Date(`${day}T00:00:00Z`), 'weekday', 'UTC');
  const average = scored === 0 ? '' : say`average ${percent(percentagesTotal / scored)}`;
  const counts = [countOf(submitted, 'submission', 'submissions'), passedWords(thread), average].filter(
    (part) => part !== '',
  );
  return {
    heading: say`🧵 *${name}* · ${shownDay}\n${counts.join(' · ')}`,
    notification: say`🧵 ${name}, ${shownDay}: ${counts.join(', ')}`,
    beside: resultsStep(thread),
  };
}

/** Submissions that waited, as one message: the quiz with most of them first, and in each quiz the earliest first. */
export function submissionsPage({ items, ...posting }: Of<'submissions'>): Page {
  const quizzes = quizzesOf(items);
  const [only, ...others] = quizzes;
  const total = counted(items);
  const passed = passedWords(countsOf(items));
  const ofQuizzes = countOf(quizzes.length, 'quiz', 'quizzes');
  const icon = areCorrections(items) ? '✏️' : '📬';
  const page: Page =
    only && others.length === 0
      ? {
          heading: say`${icon} ${countsLine(only)}`,
          notification: say`${icon} ${shownQuizName(only.quizName)}: ${total}, ${passed}`,
          beside: resultsStep(only),
          parts: [{ lines: only.items.map(knownPersonLine) }],
        }
      : {
          heading: say`${icon} *${total}* to ${ofQuizzes} · ${passed}`,
          notification: say`${icon} ${total} to ${ofQuizzes}, ${passed}: ${firstQuizzes(quizzes)}`,
          parts: quizzes.map((quiz): Part => ({
            lines: [countsLine(quiz), ...quiz.items.map(knownPersonLine)],
            beside: resultsStep(quiz),
          })),
        };
  return { ...page, notes: [submittedNoteOf(items, posting)] };
}

/** The quiz with most submissions first. */
function quizzesOf(items: readonly AnnouncedSubmission[]) {
  const quizzes = Map.groupBy(items, ({ submission }) => submission.quizId);
  return [...quizzes]
    .map(([quizId, own]) => ({
      quizId,
      quizName: own.at(-1)?.submission.quizName ?? '',
      items: own.toSorted((a, b) => submittedMs(a) - submittedMs(b)),
      ...countsOf(own),
    }))
    .toSorted((a, b) => b.items.length - a.items.length);
}

function submittedMs({ submission }: AnnouncedSubmission): number {
  return submission.submittedAt ?? Number.MAX_SAFE_INTEGER;
}

/** The line of a single submission tells its outcome. */
function countsLine(quiz: ReturnType<typeof quizzesOf>[number]): string {
  const passed = quiz.submitted === 1 ? '' : ` · ${passedWords(quiz)}`;
  return say`*${shownQuizName(quiz.quizName)}* · ${counted(quiz.items)}${passed}`;
}

/** Corrections and first results are never in the same message. */
function areCorrections(items: readonly AnnouncedSubmission[]): boolean {
  return items.some(({ submission }) => submission.corrects !== undefined);
}

function counted(items: readonly AnnouncedSubmission[]): string {
  return areCorrections(items)
    ? countOf(items.length, 'corrected result', 'corrected results')
    : countOf(items.length, 'submission', 'submissions');
}

function countsOf(items: readonly AnnouncedSubmission[]): OutcomeCounts {
  return countOutcomes(items.map(({ submission }) => submission.outcome));
}

/** Lines by item: whether items fit into a message is tried with several numbers of them. */
const personLines = new WeakMap<AnnouncedSubmission, string>();

function knownPersonLine(item: AnnouncedSubmission): string {
  const line = personLines.get(item) ?? personLine(item);
  personLines.set(item, line);
  return line;
}

function personLine({ submission, showsNames }: AnnouncedSubmission): string {
  const { outcome, name, isBackfilled, corrects } = submission;
  const before = corrects ? ` · ${say`before: ${earlierWords(corrects)}`}` : '';
  return say`${outcomeIcons[outcome]} *${listedName(name, showsNames)}* · ${resultLine(submission)}${before}${isBackfilled ? ` · ${say`⏰ late`}` : ''}`;
}

function submittedNoteOf(items: readonly AnnouncedSubmission[], { postedAt }: Posting): string {
  const times = items.flatMap(({ submission }) => submission.submittedAt ?? []);
  const first = times.reduce((a, b) => Math.min(a, b), Infinity);
  const last = times.reduce((a, b) => Math.max(a, b), 0);
  const isBackfilled = items.some(({ submission }) => submission.isBackfilled);
  return joinSaid(
    [
      ...(times.some((time) => isOtherTime(time, postedAt)) ? [submittedWords(first, last)] : []),
      ...(isBackfilled ? [say`⏰ Late: the quiz service’s webhook never arrived.`] : []),
    ],
    ' ',
  );
}

/** In minutes, as readers see them. */
function submittedWords(first: number, last: number): string {
  const isOneMinute = Math.floor(first / minuteMs) === Math.floor(last / minuteMs);
  const from = moment(first);
  return isOneMinute ? say`Submitted ${from}.` : say`Submitted from ${from} to ${moment(last)}.`;
}

const quizzesInNotification = 5;

/** The first quizzes with their counts, for a notification: `Fire safety (12), Forklift (3), and 4 more`. */
export function firstQuizzes(quizzes: readonly { quizName: string; submitted: number }[]): string {
  const first = quizzes
    .slice(0, quizzesInNotification)
    .map(({ quizName, submitted }) => say`${shownQuizName(quizName)} (${amount(submitted)})`);
  const left = quizzes.length - first.length;
  return left > 0 ? say`${joinSaid(first, ', ')}, and ${left} more` : joinSaid(first, ', ');
}

/** A sample of what a subscription announces, with the result of an invented person. */
export function testAlertPage(
  subscription: Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'>,
): Page {
  const sample = sampleSubmission(subscription);
  const { quiz, showsNames } = subscription;
  const spec = specText(subscription);
  return {
    heading: say`🧪 *This is a test.* Nobody submitted anything. A submission looks like this:`,
    notification: say`🧪 Test: ${submissionLine(sample, showsNames, (name) => say`${name}`)}`,
    parts: [{ lines: [submissionLine(sample, showsNames, (name) => say`*${name}*`)] }],
    notes: [
      quiz === null
        ? say`🧪 This channel is subscribed to results of every quiz: ${spec}`
        : say`🧪 This channel is subscribed to results of *${shownQuizName(quiz.name)}*: ${spec}`,
    ],
  };
}

function sampleSubmission({ quiz, filter }: Pick<Subscription, 'quiz' | 'filter'>): Submission {
  const outcome: SubmissionOutcome =
    filter.kind === 'ungraded' ? 'unmarked' : filter.kind === 'failed' || filter.kind === 'below' ? 'failed' : 'passed';
  const percentage =
    filter.kind === 'below' ? Math.max(0, Math.min(40, filter.percentage - 1)) : outcome === 'passed' ? 90 : 40;
  return {
    quizId: '',
    quizName: quiz?.name ?? 'Sample quiz',
    responseId: '',
    name: 'Sam Sample',
    points: percentage / 10,
    availablePoints: 10,
    percentage,
    grade: filter.kind === 'grade' ? filter.grade : { passed: 'A', failed: 'F', unmarked: '' }[outcome],
    outcome,
    attempt: 1,
    durationSeconds: 245,
    submittedAt: null,
    isBackfilled: false,
  };
}

/** Says who assigned a quiz to the reader, with a link to take it where there is one. */
export function assignedPage({ quizName, by, takeUrl }: Of<'assigned'>): Page {
  return {
    heading: say`📝 ${mention(by)} assigned you *${shownQuizName(quizName)}*.`,
    steps: [takeLink(say`Take quiz`, takeUrl), messagesStep('off')],
  };
}

/** Tells the reader how their own submission went. */
export function ownResultPage({ submission, reportUrl, takeUrl }: Of<'own-result'>): Page {
  return {
    heading: say`${outcomeIcons[submission.outcome]} ${joinSaid([...correctedSentence(submission), resultSentence(submission)], ' ')}`,
    steps: [
      takeLink(say`Take again`, takeUrl),
      runStep(say`View your result`, myQuizzes, {}),
      { label: say`Open report`, url: reportUrl },
      messagesStep('off'),
    ],
  };
}

const takeLink = (label: string, url: string | undefined): Link => ({ label, url, style: 'primary' });

/** What stands before the result where another one was told before. */
function correctedSentence(submission: Submission): string[] {
  const { corrects } = submission;
  if (corrects === undefined || earlierWords(corrects) === earlierWords(submission)) return [];
  return [
    corrects.outcome === 'unmarked' ? say`Your trainer marked your submission.` : say`Your result was corrected.`,
  ];
}

function resultSentence(submission: Submission): string {
  const quiz = say`*${shownQuizName(submission.quizName)}*`;
  const { score, attempt } = figuresOf(submission);
  const figures = [...score, ...attempt].join(', ');
  // Without a score, the attempt is a remark.
  const quizAndAttempt = joinSaid([quiz, ...attempt.map((words) => say`${words}`)], ', ');
  switch (submission.outcome) {
    case 'passed':
      return score.length > 0 ? say`You passed ${quiz} with ${figures}.` : say`You passed ${quizAndAttempt}.`;
    case 'failed':
      return score.length > 0 ? say`You didn’t pass ${quiz}: ${figures}.` : say`You didn’t pass ${quizAndAttempt}.`;
    case 'unmarked':
      return say`You submitted ${quiz}. Your trainer still has to mark it.`;
    case 'not graded':
      return say`You submitted ${quiz}. It isn’t graded.`;
  }
}
