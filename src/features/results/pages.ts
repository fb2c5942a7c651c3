import { given } from '../../operations/text-input.ts';
import { amount, countOf, joinSaid, say, shortName } from '../../domain/said.ts';
import { shortRespondentName } from '../../domain/record-names.ts';
import { gradedIn, isGraded, passRateOf, type OutcomeFilter } from '../../domain/submission-outcome.ts';
import { formStep, modalStep, replaceStep, runStep } from '../../operations/page.ts';
import type { Cell, Chart, Fact, Page, Step, Table } from '../../operations/page.ts';
import {
  outcomeIcons,
  outcomeLabels,
  outcomeStates,
  passedWords,
  percent,
  resultWords,
  rounded,
} from '../../operations/wording/result-words.ts';
import type { Quiz, Group } from '../../quiz-api/records.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import { dateInWords } from '../../time/date-words.ts';
import { assignQuiz } from '../quizzes/assign-and-unassign.ts';
import { remindCampaign } from '../campaigns/operations/remind.ts';
import { startCampaign } from '../campaigns/operations/start-campaign.ts';
import { questionsStep } from '../questions/operations/show-questions.ts';
import { exportResults } from './export-results.ts';
import { filterInput, outcomeIn, type ResultsFilter } from './filter.ts';
import { monthsChart, triesFacts, histogramOf, type OverTime, type Scores, type Statistics } from './statistics.ts';
import { resultOf, type Progress } from './respondents.ts';
import { showAttempt } from './attempt-page.ts';

/** The operations whose pages these are. */
const [showResults, allResults] = [{ name: 'show-results' }, { name: 'all-results' }];

/** The attempts at a quiz that fit a filter. `only`: the filter in words, a sentence; empty for none. */
export interface Results {
  filter: ResultsFilter;
  quiz: Quiz;
  only: string;
  statistics: Statistics;
  percentages: readonly number[];
  overTime: OverTime;
  /** The newest. */
  submitted: readonly QuizResponse[];
}

/** The results of a quiz: figures, chart, attempts and next steps. @param timeZone of the reader */
export function resultsPage(results: Results, timeZone: string): Page {
  const { quiz, only, submitted, percentages, statistics } = results;
  const heading = say`📊 *${shortName(quiz.name)}*: results${only === '' ? '' : say`, only ${only}`}`;
  const input = { quiz: [quiz.quiz_id], ...filterInput(results.filter) };
  const [hasSome, isFiltered] = [statistics.submitted > 0, only !== ''];
  return {
    heading,
    notification: `${heading}. ${inWords(results)}`,
    parts: [
      {
        lines: hasSome ? [] : [nothingWords(results)],
        facts: hasSome ? [...factsOf(results), ...triesFacts(results.overTime)] : [],
        // One attempt is in the line below it.
        chart: percentages.length < 2 ? undefined : histogramChart(percentages),
      },
      { chart: monthsChart(results.overTime, timeZone) },
      {
        table: submitted.length === 0 ? undefined : attemptsTable(submitted, timeZone),
        count: hasSome ? statistics.submitted : undefined,
        rest: say`The Excel file has all of them.`,
        picker: {
          label: say`View an attempt…`,
          steps: submitted.map((attempt) => attemptStep(quiz, attempt, timeZone)),
        },
        // Filters by result and the rest are in the form, so that the row stays short.
        steps: [
          ...(isFiltered && !hasSome ? [replaceStep(say`Show all`, showResults, { quiz: [quiz.quiz_id] })] : []),
          ...(hasSome || isFiltered ? [formStep(say`Filter…`, showResults, input)] : []),
          ...(hasSome ? [questionsStep(input)] : []),
          ...(statistics.submitted + statistics.begun > 0 ? [runStep(say`Excel file`, exportResults, input)] : []),
        ],
      },
    ],
  };
}

function nothingWords({ only, statistics: { begun } }: Results): string {
  const started =
    begun > 0 ? [say`${amount(begun)} ${begun === 1 ? 'attempt is' : 'attempts are'} started and not submitted.`] : [];
  return joinSaid([only === '' ? say`Nobody has submitted it yet.` : say`No submitted attempt fits.`, ...started], ' ');
}

function factsOf({ statistics, filter }: Results): Fact[] {
  const { submitted, begun, scores } = statistics;
  return [
    [say`Submitted`, countOf(submitted, 'attempt', 'attempts')],
    ...outcomeFacts(statistics, outcomeIn(filter)),
    ...(scores ? scoreFacts(scores) : []),
    ...(begun > 0 ? [[say`Started, not submitted`, String(begun)] satisfies Fact] : []),
  ];
}

/** Where the filter asks for one outcome, only the kinds of ungraded attempts are distinguished. */
function outcomeFacts(statistics: Statistics, outcome: OutcomeFilter | undefined): Fact[] {
  const { submitted, passed, unmarked } = statistics;
  const graded = gradedIn(statistics);
  const rate = passRateOf(statistics);
  const notGraded = submitted - graded - unmarked;
  const share =
    rate === undefined ? '' : graded === submitted ? percent(rate) : say`${percent(rate)} of ${graded} graded`;
  return [
    ...(rate === undefined || outcome ? [] : [[say`Passed`, `${passed} (${share})`] satisfies Fact]),
    ...(notGraded > 0 ? [[say`Not graded`, String(notGraded)] satisfies Fact] : []),
    ...(unmarked > 0 ? [[say`Waiting to be marked`, String(unmarked)] satisfies Fact] : []),
  ];
}

/** Fewer attempts have no median, range and deviation that say more than the attempts themselves. */
const fewestForMedian = 2;
const fewestForDeviation = 5;

function scoreFacts({ count, mean, median, lowest, highest, deviation }: Scores): Fact[] {
  if (count < fewestForMedian) return [[say`Average`, percent(mean)]];
  const range = `${percent(lowest)} – ${percent(highest)}`;
  return [
    [say`Average`, percent(mean)],
    [say`Median`, percent(median)],
    [say`Range`, count < fewestForDeviation ? range : `${range}, ${say`standard deviation ${rounded(deviation)}`}`],
  ];
}

function inWords({ statistics, filter }: Results): string {
  const outcome = outcomeIn(filter);
  const { submitted, scores } = statistics;
  if (submitted === 0) return say`None submitted.`;
  const rate = passRateOf(statistics);
  const isAllGraded = gradedIn(statistics) === submitted;
  const parts = [
    say`${submitted} submitted`,
    ...(isAllGraded
      ? rate === undefined || outcome
        ? []
        : [say`${percent(rate)} passed`]
      : [passedWords(statistics)]),
    ...(scores ? [say`average ${percent(scores.mean)}`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** The distribution of percentages. */
export function histogramChart(percentages: readonly number[]): Chart {
  return {
    title: say`Attempts by percentage`,
    name: say`Attempts`,
    points: histogramOf(percentages).map(({ from, to, count }) => ({ label: `${from}–${to}`, value: count })),
    xLabel: say`Percentage`,
    yLabel: say`Attempts`,
  };
}

/** In UTF-16 units; a line or a row of a table has several words more. */
const longestName = 40;
const longestGrade = 20;

/** Numbers and times sort by value. What the service does not say is undefined, such as the points of a survey. */
function attemptsTable(attempts: readonly QuizResponse[], timeZone: string): Table {
  const rows = attempts.map((attempt) => {
    const result = resultOf(attempt);
    return { attempt, result, words: result ? resultWords(result, longestGrade) : {} };
  });
  const column = (title: string, cellOf: (row: (typeof rows)[number]) => Cell) => ({ title, cells: rows.map(cellOf) });
  return {
    caption: say`Attempts, the last submitted first`,
    columns: [
      column(say`Name`, ({ attempt }) => shortRespondentName(attempt, longestName)),
      column(say`Percentage`, ({ result, words }) => sortable(result?.percentage, words.percentage)),
      column(say`Points`, ({ result, words }) => sortable(result?.points, words.points)),
      column(say`Grade`, ({ words }) => words.grade),
      column(say`Result`, ({ result }) => result && `${outcomeIcons[result.outcome]} ${outcomeLabels[result.outcome]}`),
      column(say`Attempt`, ({ result, words }) => sortable(result?.attempt, words.attempt)),
      column(say`Time taken`, ({ result, words }) => sortable(result?.durationSeconds, words.duration)),
      column(say`Submitted`, ({ attempt: { date_submitted: at } }) =>
        sortable(at?.getTime(), at ? submittedAt(at, timeZone) : undefined),
      ),
    ],
    lines: attempts.map((attempt) => attemptLine(attempt, timeZone)),
  };
}

/** The same everywhere on a page: a table and a menu can’t show a reader’s own clock. */
const submittedAt = (at: Date, timeZone: string): string => dateInWords(at, 'momentWithoutZone', timeZone);

const sortable = (value: number | null | undefined, shown: string | undefined): Cell =>
  typeof value === 'number' && shown !== undefined ? { value, shown } : undefined;

function attemptLine(attempt: QuizResponse, timeZone: string): string {
  const result = resultOf(attempt);
  const { points, percentage, grade, attempt: number, duration } = result ? resultWords(result, longestGrade) : {};
  const parts = [
    ...(result && !isGraded(result.outcome) ? [outcomeStates[result.outcome]] : []),
    percentage,
    points && say`${points} points`,
    grade && say`grade ${grade}`,
    number && say`attempt ${number}`,
    duration,
    attempt.date_submitted ? submittedAt(attempt.date_submitted, timeZone) : undefined,
  ];
  const icon = result ? outcomeIcons[result.outcome] : '⏳';
  return say`${icon} *${shortRespondentName(attempt, longestName)}*${parts
    .filter((part) => part !== undefined)
    .map((part) => ` · ${part}`)
    .join('')}`;
}

/** Opens an attempt, with fresh data from the service. */
function attemptStep(quiz: Quiz, response: QuizResponse, timeZone: string): Step {
  const result = resultOf(response);
  const { percentage, attempt } = result ? resultWords(result) : {};
  const score = percentage ?? (result && outcomeStates[result.outcome]);
  const when = response.date_submitted && submittedAt(response.date_submitted, timeZone);
  const hint = [...(when ? [when] : []), ...(attempt ? [say`attempt ${attempt}`] : [])].join(', ');
  return {
    ...modalStep(say`${shortRespondentName(response, 50)}${score ? ` · ${score}` : ''}`, showAttempt, {
      quiz: [quiz.quiz_id],
      response: [response.response_id],
    }),
    hint: hint || undefined,
  };
}

/**
 * The attempts at several quizzes that fit a filter: how many of each quiz, and the newest. `read` quizzes were looked at, and
 * `left` were not: `nextFrom` is the place of the first of them, from 1.
 */
interface AllResults {
  filter: ResultsFilter;
  only: string;
  found: readonly { quiz: Quiz; count: number; newest: readonly QuizResponse[] }[];
  read: number;
  left: number;
  nextFrom: number;
}

/** Lines of a page for the attempts at all quizzes. */
const linesOfAll = 100;

/** Quiz by quiz, of each as many lines as of the others. */
export function allResultsPage(results: AllResults, timeZone: string): Page {
  const { found, only, read, left, nextFrom } = results;
  const attempts = found.reduce((sum, { count }) => sum + count, 0);
  const which = only === '' ? '' : say`, only ${only}`;
  const most = Math.max(0, Math.floor(linesOfAll / found.length) - 2);
  const input = filterInput(results.filter);
  const [first, ...others] = found;
  return {
    heading:
      attempts === 0
        ? say`📊 *Results of all quizzes*${which}: no attempt fits.`
        : say`📊 *Results of all quizzes*${which}: ${countOf(attempts, 'attempt', 'attempts')} at ${countOf(found.length, 'quiz', 'quizzes')}`,
    parts: [
      {
        lines: found.flatMap(({ quiz, count, newest }) => {
          const lines = newest.slice(0, most).map((attempt) => attemptLine(attempt, timeZone));
          const more = count - lines.length;
          return [
            say`*${shortName(quiz.name)}* · ${amount(count)}`,
            ...lines,
            more > 0 && lines.length > 0 && say`…and ${amount(more)} more`,
          ];
        }),
      },
    ],
    notes: [
      left > 0
        ? say`Looked at ${countOf(read, 'quiz', 'quizzes')}, the newest first. ${amount(left)} ${left === 1 ? 'is' : 'are'} left, which takes a moment more.`
        : say`Looked at ${countOf(read, 'quiz', 'quizzes')}.`,
    ],
    steps: [
      ...(first !== undefined && others.length === 0
        ? [runStep(say`Results`, showResults, { ...input, quiz: [first.quiz.quiz_id] })]
        : []),
      ...(left > 0 ? [runStep(say`Go on →`, allResults, { ...input, from: [String(nextFrom)] })] : []),
    ],
  };
}

/**
 * The people who have the quiz, in a group if one is named, and did not submit it. Suspended users count nowhere else.
 * `campaignId`: of a campaign for the quiz that the reader sees.
 */
interface Missing {
  campaignId: string | undefined;
  quiz: Quiz;
  group: Group | undefined;
  assigned: number;
  suspended: number;
  missing: readonly { name: string; progress: Progress }[];
}

const progressWords: Partial<Record<Progress, string>> = {
  begun: say`started, not submitted`,
  failed: say`not passed`,
};

/** Who has not taken a quiz yet, of the people who have it. */
export function missingPage(result: Missing): Page {
  const { quiz, missing, suspended } = result;
  const input = { quiz: [quiz.quiz_id] };
  return {
    heading: missingHeading(result),
    parts: [
      {
        lines: missing.map(({ name, progress }) => {
          const words = progressWords[progress];
          return say`• ${shortName(name, 60)}${words === undefined ? '' : ` · ${words}`}`;
        }),
        rest: say`Name a group to narrow the list: \`/quiz missing ${shortName(quiz.name, 60)} in …\``,
      },
    ],
    notes: [
      suspended > 0 &&
        say`${amount(suspended)} ${suspended === 1 ? 'suspended user is' : 'suspended users are'} left out.`,
    ],
    steps: [
      ...missingSteps(result),
      runStep(say`Results`, showResults, input),
      formStep(say`Assign…`, assignQuiz, input),
    ],
  };
}

/** What to do about people who are missing: remind them in the campaign that runs, or start one; in the group that was asked about. */
function missingSteps({ quiz, group, missing, campaignId }: Missing): Step[] {
  if (missing.length === 0) return [];
  const people = group && `group:${group.group_id}`;
  return campaignId === undefined
    ? [formStep(say`Start a campaign…`, startCampaign, given({ quiz: quiz.quiz_id, to: people }))]
    : [runStep(say`Remind`, remindCampaign, given({ campaign: campaignId, people }))];
}

function missingHeading({ quiz, group, assigned, missing }: Missing): string {
  const name = say`*${shortName(quiz.name)}*`;
  const failed = missing.filter(({ progress }) => progress === 'failed').length;
  const open = missing.length - failed;
  const people = countOf(assigned, 'person', 'people');
  const hasNot = open === 1 ? 'hasn’t' : 'haven’t';
  if (group === undefined) {
    if (assigned === 0) return say`📭 ${name} isn’t assigned to anyone.`;
    if (open > 0 && failed > 0)
      return say`⏳ ${amount(open)} of ${people} ${hasNot} taken ${name} yet, and ${amount(failed)} didn’t pass.`;
    if (open > 0) return say`⏳ ${amount(open)} of ${people} ${hasNot} taken ${name} yet.`;
    if (failed > 0) return say`⏳ ${amount(failed)} of ${people} took ${name} and didn’t pass.`;
    if (assigned === 1) return say`✅ The only person who has ${name} has taken it.`;
    return say`✅ All ${amount(assigned)} people who have ${name} have taken it.`;
  }
  const where = say`*${shortName(group.group_name)}*`;
  if (assigned === 0) return say`📭 ${name} isn’t assigned to anyone in ${where}.`;
  if (open > 0 && failed > 0)
    return say`⏳ ${amount(open)} of ${people} in ${where} ${hasNot} taken ${name} yet, and ${amount(failed)} didn’t pass.`;
  if (open > 0) return say`⏳ ${amount(open)} of ${people} in ${where} ${hasNot} taken ${name} yet.`;
  if (failed > 0) return say`⏳ ${amount(failed)} of ${people} in ${where} took ${name} and didn’t pass.`;
  if (assigned === 1) return say`✅ The only person in ${where} who has ${name} has taken it.`;
  return say`✅ All ${amount(assigned)} people in ${where} who have ${name} have taken it.`;
}
