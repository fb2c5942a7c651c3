import type { Quiz } from '../quiz-api/quizzes.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';
import type { OperationContext } from './context.ts';
import { formatCsv } from './csv.ts';
import type { TextField } from './fields/text.ts';
import { defineOperation } from './operation.ts';
import { attemptsOfMentioned } from './results/attempt.ts';
import { exportTable } from './results/export.ts';
import { filterInWords, fitsFilter, parseFilter, resolveSince, type ResultsFilter } from './results/filter.ts';
import { resolveName } from './results/named-in-filter.ts';
import { withoutPersonalData } from './results/personal-data.ts';
import { isSubmitted, statisticsOf } from './results/statistics.ts';
import { parseResultsLine } from './results/typed-line.ts';
import { zoneOf } from './dates/person-zone.ts';

const filterField = {
  kind: 'text',
  label: 'Only',
  hint: 'Any of: passed, failed, ungraded, since monday, a person’s name, a group’s name. Leave it empty for all.',
  maxLength: 250,
  optional: true,
  isParsed: true,
} as const satisfies TextField;

export const showResults = defineOperation({
  name: 'show-results',
  command: '/quiz results <quiz> [filter]',
  summary: 'Show how a quiz went. Filter in any order: failed, since 7d, a person, a group',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, filter: filterField },
  parse: parseResultsLine,
  check: checkFilter,
  async run(context, { quiz, filter: typed = '' }) {
    const { filter, responses } = await findResponses(context, quiz, typed);
    const submitted = responses.filter(isSubmitted).toSorted((a, b) => submittedMs(b) - submittedMs(a));
    return { kind: 'results', quiz, filter, statistics: statisticsOf(responses), submitted: submitted.map(withoutPersonalData) };
  },
});

export const exportResults = defineOperation({
  name: 'export-results',
  command: '/quiz export <quiz> [filter]',
  summary: 'Get the responses to a quiz as a CSV file, in a direct message',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, filter: filterField },
  parse: parseResultsLine,
  check: checkFilter,
  async run(context, { quiz, filter: typed = '' }) {
    const { filter, responses } = await findResponses(context, quiz, typed);
    const only = filterInWords(filter, { nowMs: context.now() });
    const what = `${responses.length} ${responses.length === 1 ? 'response' : 'responses'} to “${quiz.name}”${only && `, only ${only}`}`;
    await context.sendFile({
      name: `${fileNameOf(quiz)} results.csv`,
      comment: what,
      content: Buffer.from(formatCsv(exportTable(responses, { withPersonalData: context.visibility.addressesIn(quiz) }))),
    });
    return { kind: 'done', message: `${what}: the CSV file is in our direct messages.` };
  },
});

/** Before the service is asked for anything. */
function checkFilter({ filter = '' }: { filter: string | undefined }): void {
  parseFilter(filter);
}

/** @returns the filter as it was understood, and what fits it */
async function findResponses(context: OperationContext, quiz: Quiz, typed: string): Promise<{ filter: ResultsFilter; responses: QuizResponse[] }> {
  const { api, call } = context;
  const timeZone = zoneOf(context);
  const filter = resolveSince(parseFilter(typed), { nowMs: context.now(), timeZone });
  const isOfMentioned = filter.mention === undefined ? () => true : await attemptsOfMentioned(context, filter.mention, 'filter');
  const all = await api.responses.list(quiz.quiz_id, call);
  const named = await resolveName(context, quiz, filter, all);
  const fits = fitsFilter({ ...filter, person: '' }, timeZone);
  return { filter: named.filter, responses: all.filter((response) => fits(response) && named.fits(response) && isOfMentioned(response)) };
}

function submittedMs({ date_submitted }: QuizResponse): number {
  return date_submitted?.getTime() ?? 0;
}

/** The letters, digits and signs that every system accepts in the name of a file. */
function fileNameOf({ name }: Quiz): string {
  return name.replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ').replaceAll(/\s+/g, ' ').slice(0, 80).trim() || 'quiz';
}
