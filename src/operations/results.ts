import { named, plainSentence } from '../domain/sentence.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';
import type { User } from '../quiz-api/users.ts';
import type { OperationContext } from './context.ts';
import { formatCsv } from './csv.ts';
import { defineOperation } from './operation.ts';
import { attemptsOfMentioned } from './results/attempt.ts';
import { exportTable } from './results/export.ts';
import { chosenFilter, filterFields, filterWords, spreadFilter, type ChosenFilter } from './results/filter-fields.ts';
import { fitsFilter } from './results/filter.ts';
import { withoutPersonalData } from './results/personal-data.ts';
import { isAttemptOf, isAttemptOfAny } from './results/respondents.ts';
import { isSubmitted, statisticsOf } from './results/statistics.ts';

export const showResults = defineOperation({
  name: 'show-results',
  command: '/quiz results <quiz> for [filter]',
  summary: 'How a quiz went: scores, chart and attempts; only passed, failed, ungraded, since 2026-11-01, or a person’s',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, ...filterFields },
  spread: spreadFilter,
  async run(context, { quiz, ...input }) {
    const chosen = chosenFilter(input);
    const responses = await fittingResponses(context, quiz, chosen);
    const submitted = responses.filter(isSubmitted).toSorted((a, b) => submittedMs(b) - submittedMs(a));
    return { kind: 'results', quiz, ...chosen, statistics: statisticsOf(responses), submitted: submitted.map(withoutPersonalData) };
  },
});

export const exportResults = defineOperation({
  name: 'export-results',
  command: '/quiz export <quiz> for [filter]',
  summary: 'Send you the responses to a quiz as a CSV file, in a direct message',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, ...filterFields },
  spread: spreadFilter,
  async run(context, { quiz, ...input }) {
    const chosen = chosenFilter(input);
    const responses = await fittingResponses(context, quiz, chosen);
    const only = filterWords(chosen);
    const what = `${responses.length.toLocaleString('en')} ${responses.length === 1 ? 'response' : 'responses'} to ${named(quiz.name)}${only && `, only ${only}`}`;
    await context.sendFile({
      name: `${fileNameOf(quiz)} results.csv`,
      comment: plainSentence(what),
      content: Buffer.from(formatCsv(exportTable(responses, { withPersonalData: context.visibility.addressesIn(quiz) }))),
    });
    return { kind: 'done', message: `Sent you ${what}. The CSV file is in your direct messages.` };
  },
});

async function fittingResponses(context: OperationContext, quiz: Quiz, { filter, user, group }: ChosenFilter): Promise<QuizResponse[]> {
  const { api, directory, timeZone, call } = context;
  const inGroup = ({ groups }: User) => groups.some(({ group_id }) => group_id === group?.group_id);
  const fits = [
    fitsFilter(filter, timeZone),
    ...(filter.mention === undefined ? [] : [await attemptsOfMentioned(context, filter.mention, 'filter')]),
    ...(user ? [isAttemptOf(user)] : []),
    ...(group ? [isAttemptOfAny((await directory.users.get(call)).filter(inGroup))] : []),
  ];
  const responses = await api.responses.list(quiz.quiz_id, call);
  return responses.filter((response) => fits.every((fit) => fit(response)));
}

function submittedMs({ date_submitted }: QuizResponse): number {
  return date_submitted?.getTime() ?? 0;
}

/** The letters, digits and signs that every system accepts in the name of a file. */
function fileNameOf({ name }: Quiz): string {
  return name.replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ').replaceAll(/\s+/g, ' ').slice(0, 80).trim() || 'quiz';
}
