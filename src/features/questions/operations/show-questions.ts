import { defineOperation } from '../../../operations/operation.ts';
import { readPage } from '../../../operations/text-input.ts';
import { isSubmitted } from '../../../quiz-api/responses.ts';
import { filterWords, filterInput, type ResultsFilter, ofResults, withResponses } from '../../results/filter.ts';
import { showAttempt } from '../../results/attempt-page.ts';
import { analysisOf, fewestAttempts, shareOf, type Analysis, type QuestionNumbers } from './analysis.ts';
import { amount, countOf, joinSaid, say, shortName, shortText } from '../../../domain/said.ts';
import { roundedPercentage } from '../../../domain/result.ts';
import { nameOrId } from '../../../domain/record-names.ts';
import { formStep, pageOf, pageSteps, replaceStep } from '../../../operations/page.ts';
import type { Chart, Page, Step } from '../../../operations/page.ts';
import { percent } from '../../../operations/wording/result-words.ts';
import { roughDuration } from '../../../operations/wording/words.ts';
import { backgroundDurationMs } from '../../../quiz-api/budget/rate-windows.ts';
import type { Quiz } from '../../../quiz-api/records.ts';

export const showQuestions = defineOperation({
  name: 'show-questions',
  command: '/quiz questions <quiz> [filter]',
  synonyms: ['mistakes'],
  summary: 'Show which questions people get wrong, the hardest first; filter as for results',
  hintForAgents: 'The answers are read in the background: where some are still missing, call it again later.',
  submit: 'Show',
  ...ofResults,
  fields: {
    ...ofResults.fields,
    page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true },
  },
  async run(context, { quiz, page, ...input }) {
    return withResponses(context, quiz, input, async ({ filter, responses, all }) => {
      const { questions, counted, answers } = await context.answers.of(quiz.quiz_id, all);
      const fitting = responses.filter((response) => isSubmitted(response) && counted.has(response.response_id));
      const read = fitting.flatMap(({ response_id: id }) => answers.get(id) ?? []);
      const numbers = {
        quiz,
        filter,
        only: filterWords(filter, context.now()),
        analysis: await analysisOf(questions, read),
        read: read.length,
        attempts: fitting.length,
        unread: counted.size - answers.size,
        showsRight: context.offered().has(showAttempt.name),
        page: readPage(page),
      };
      const [hardest] = numbers.analysis.marked;
      const data = {
        attempts: numbers.attempts,
        read: numbers.read,
        ...(hardest && { question: hardest.question.text, right: hardest.right ?? 0, asked: hardest.asked }),
      };
      return { kind: 'page', data, ...questionsPage(numbers) };
    });
  },
});

const showResults = { name: 'show-results' };

/** The questions of a quiz, in the attempts that fit a filter. `only`: the filter in words; empty for none. */
interface Questions {
  quiz: Quiz;
  filter: ResultsFilter;
  only: string;
  analysis: Analysis;
  /** How many of the attempts are read. */
  read: number;
  attempts: number;
  /** How many attempts are still to be read, whether they fit or not. */
  unread: number;
  /** Whether the reader may see the right answers. */
  showsRight: boolean;
  page: number;
}

const questionsOnPage = 10;
const inChart = 3;

/** The questions of a quiz, the hardest first. While attempts are still being read, the page says so, and grows. */
export function questionsPage(questions: Questions): Page {
  const { quiz, only, filter, analysis, read, attempts, unread } = questions;
  const { marked, open, categories } = analysis;
  const input = { quiz: [quiz.quiz_id], ...filterInput(filter) };
  const isGrowing = read < attempts;
  const durationMs = backgroundDurationMs(unread, 'inUse');
  const lines = [...marked.map((one) => markedLine(one, questions)), ...open.map(openLine)];
  const { shown, ...pages } = pageOf(read < fewestAttempts ? [] : lines, questions.page, questionsOnPage);
  const isFirst = pages.page === 1;
  return {
    heading: say`🔎 *${shortName(quiz.name)}*: questions${only === '' ? '' : say`, only ${only}`}`,
    growsForMs: isGrowing ? durationMs : undefined,
    parts: [
      { lines: [basisWords(questions, durationMs)] },
      ...(shown.length === 0
        ? []
        : [
            { chart: isFirst ? hardestChart(marked) : undefined },
            { lines: shown, notes: [pages.pages > 1 && say`Page ${pages.page} of ${pages.pages}`] },
            { lines: isFirst && categories.length > 1 ? [say`*By category*`, ...categories.map(categoryLine)] : [] },
          ]),
    ],
    steps: isGrowing
      ? [replaceStep(say`Look again`, showQuestions, input)]
      : [
          ...pageSteps(showQuestions, input, pages),
          replaceStep(say`Results`, showResults, input),
          ...(attempts > 0 || only !== '' ? [formStep(say`Filter…`, showQuestions, input)] : []),
        ],
  };
}

/** How many attempts the numbers are from, or why there are none. */
function basisWords({ read, attempts, analysis: { marked, open } }: Questions, durationMs: number): string {
  if (attempts < fewestAttempts)
    return say`Questions show numbers from ${amount(fewestAttempts)} attempts on. Found: ${countOf(attempts, 'attempt', 'attempts')}.`;
  if (read < fewestAttempts)
    return say`Reading the answers of ${amount(attempts)} attempts, which takes ${roughDuration(durationMs)}.`;
  if (read < attempts)
    return say`From ${amount(read)} of ${amount(attempts)} attempts; the rest takes ${roughDuration(durationMs)}.`;
  if (marked.length + open.length === 0)
    return say`No question was asked in ${amount(fewestAttempts)} attempts or more.`;
  return say`From ${amount(attempts)} attempts.`;
}

/** Texts as they are sent; together they fit into one section. */
const longestQuestion = 300;
const longestOption = 200;
const longestCategory = 100;

const headingOf = ({ number, question }: QuestionNumbers) =>
  say`*${number}. ${shortText(nameOrId('question', question.text, question.id), longestQuestion)}*`;

/** A wrong option that a single person chose is no pattern. */
const fewestAlike = 2;

function markedLine(numbers: QuestionNumbers, { showsRight }: Pick<Questions, 'showsRight'>): string {
  const { asked, right = 0, mistake, question, discrimination } = numbers;
  if (right === asked) return say`✅ ${headingOf(numbers)} · all ${amount(asked)} got it right`;
  const rightOptions = question.options.filter(({ isRight, text }) => isRight && text.trim() !== '');
  return joinSaid(
    [
      say`${headingOf(numbers)} · ${sharesWords({ asked, right })}`,
      mistake !== undefined &&
        mistake.count >= fewestAlike &&
        say`↳ ${amount(mistake.count)} of ${amount(asked)} chose *${shortText(mistake.text, longestOption)}*`,
      showsRight &&
        rightOptions.length > 0 &&
        say`↳ Right: ${shortText(rightOptions.map(({ text }) => text).join('; '), longestOption)}`,
      ...discriminationWords(discrimination),
      '',
    ],
    '\n',
  );
}

/** Ebel’s limit: below it, a question is to be revised or left out. */
const tellsFrom = 0.2;

function discriminationWords(discrimination: number | undefined): string[] {
  if (discrimination === undefined || discrimination >= tellsFrom) return [];
  if (discrimination >= 0) return [say`↳ This one doesn’t tell who knows it: check its wording.`];
  return [say`↳ People who do well otherwise get this one wrong: check which answer counts as right.`];
}

const openLine = (numbers: QuestionNumbers) =>
  say`📝 ${headingOf(numbers)} · ${amount(numbers.answered)} of ${amount(numbers.asked)} answered it`;

const categoryLine = (category: Analysis['categories'][number]) =>
  say`• ${shortText(category.name, longestCategory)} · ${sharesWords(category)}`;

const sharesWords = (shares: { asked: number; right: number }) =>
  say`${amount(shares.right)} of ${amount(shares.asked)} right (${percent(shareInPercent(shares))})`;

const shareInPercent = (shares: Parameters<typeof shareOf>[0]) => roundedPercentage(100 * shareOf(shares), 0);

/** Labels that charts have room for, which begin with the number, so that each is another. */
const longestLabel = 20;

/** The two or three that fewest got right; undefined where everybody gets all right, and for a single question. */
function hardestChart(marked: readonly QuestionNumbers[]): Chart | undefined {
  const hardest = marked.filter(({ asked, right }) => right !== asked).slice(0, inChart);
  if (hardest.length < 2) return undefined;
  return {
    title: say`The hardest questions`,
    name: say`Right`,
    points: hardest.map((numbers) => ({
      label: shortText(`${numbers.number}. ${numbers.question.text}`, longestLabel),
      value: shareInPercent(numbers),
    })),
    xLabel: say`Question`,
    yLabel: say`Right answers in percent`,
  };
}

/** A button on results. */
export const questionsStep = (input: Step['input']): Step => replaceStep(say`Questions`, showQuestions, input);
