import type { Quiz } from '../quiz-api/quizzes.ts';
import { isSubmitted, type QuizResponse } from '../quiz-api/responses.ts';
import type { OperationContext } from './context.ts';
import { formatCsv } from './csv.ts';
import type { TextField } from './fields/text.ts';
import { defineOperation } from './operation.ts';
import { attemptsOfMentioned } from './results/attempt.ts';
import { exportTable } from './results/export.ts';
import { fitsFilter, formatFilter, parseFilter, type ResultsFilter } from './results/filter.ts';
import { withoutPersonalData } from './results/personal-data.ts';
import { statisticsOf } from './results/statistics.ts';
import { mentionsInWords } from './typed-text.ts';

const filterField = {
  kind: 'text',
  label: 'Only',
  hint: 'passed, failed, ungraded, since 2026-11-01, a part of a name, @somebody, or several of these. Left empty: all.',
  maxLength: 250,
  optional: true,
  isParsed: true,
} as const satisfies TextField;

export const showResults = defineOperation({
  name: 'show-results',
  command: '/quiz results <quiz> for [filter]',
  summary: 'How a quiz went: scores, chart and attempts; only passed, failed, ungraded, since 2026-11-01, or a person’s',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, filter: filterField },
  async run(context, { quiz, filter: typed = '' }) {
    const filter = parseFilter(typed);
    const responses = await fittingResponses(context, quiz, filter);
    const submitted = responses.filter(isSubmitted).toSorted((a, b) => submittedMs(b) - submittedMs(a));
    return { kind: 'results', quiz, filter, statistics: statisticsOf(responses), submitted: submitted.map(withoutPersonalData) };
  },
});

export const exportResults = defineOperation({
  name: 'export-results',
  command: '/quiz export <quiz> for [filter]',
  summary: 'Send you the responses to a quiz as a CSV file, in a direct message',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, filter: filterField },
  async run(context, { quiz, filter: typed = '' }) {
    const filter = parseFilter(typed);
    const responses = await fittingResponses(context, quiz, filter);
    const only = mentionsInWords(formatFilter(filter));
    const what = `${responses.length} ${responses.length === 1 ? 'response' : 'responses'} to “${quiz.name}”${only && `, only ${only}`}`;
    await context.sendFile({
      name: `${fileNameOf(quiz)} results.csv`,
      comment: what,
      content: Buffer.from(formatCsv(exportTable(responses, { withPersonalData: context.visibility.addressesIn(quiz) }))),
    });
    return { kind: 'done', message: `${what}: the CSV file is in our direct messages.` };
  },
});

async function fittingResponses(context: OperationContext, quiz: Quiz, filter: ResultsFilter): Promise<QuizResponse[]> {
  const { api, timeZone, call } = context;
  const isOfMentioned = filter.mention === undefined ? () => true : await attemptsOfMentioned(context, filter.mention, 'filter');
  const responses = await api.responses.list(quiz.quiz_id, call);
  return responses.filter(fitsFilter(filter, timeZone)).filter(isOfMentioned);
}

function submittedMs({ date_submitted }: QuizResponse): number {
  return date_submitted?.getTime() ?? 0;
}

/** The letters, digits and signs that every system accepts in the name of a file. */
function fileNameOf({ name }: Quiz): string {
  return name.replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ').replaceAll(/\s+/g, ' ').slice(0, 80).trim() || 'quiz';
}
