import type { Quiz } from '../../quiz-api/quizzes.ts';
import { type QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';
import { zoneOf } from '../../operations/dates/person-zone.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { attemptsOfMentioned } from './attempt.ts';
import { filterFields, spreadFilter, type ChosenFilter } from './filter-fields.ts';
import { fitsFilter, parseFilter, resolveSince } from './filter.ts';
import { membersOf, resolveName } from './named-in-filter.ts';
import { isAttemptOf } from './respondents.ts';
import { filterInSlices } from './slices.ts';
import { parseResultsLine } from './typed-line.ts';

/** What the operations that read the responses to a quiz through a filter have in common. */
export const ofResults = {
  access: 'read',
  right: 'edit_quizzes',
  isAboutResults: true,
  fields: { quiz: { kind: 'quiz', label: 'Quiz' }, ...filterFields },
  parse: parseResultsLine,
  spread: spreadFilter,
  check: checkFilter,
} as const;

/** Before the service is asked for anything. */
function checkFilter({ filter = '' }: { filter: string | undefined }): void {
  parseFilter(filter);
}

/** Uses what fits a filter, and the filter as it was understood. */
export async function withResponses(
  context: OperationContext,
  quiz: Quiz,
  { filter: typed, user, group }: ChosenFilter,
  use: (found: { chosen: ChosenFilter; responses: QuizResponse[] }) => Promise<OperationResult>,
): Promise<OperationResult> {
  const { api, call } = context;
  const timeZone = zoneOf(context);
  const filter = resolveSince(typed, { nowMs: context.now(), timeZone });
  const ofPeople = [
    ...(filter.mention === undefined ? [] : [await attemptsOfMentioned(context, filter.mention, 'filter')]),
    ...(user ? [isAttemptOf(user)] : []),
    ...(group ? [isAttemptOf(...(await membersOf(context, group)))] : []),
  ];
  return api.responses.using(quiz.quiz_id, call, async (all) => {
    const byName = await resolveName(context, quiz, filter, all);
    const fits = [fitsFilter({ ...filter, person: '' }, timeZone), byName.fits, ...ofPeople];
    return use({
      chosen: { filter: byName.filter, user, group },
      responses: await filterInSlices(all, (response) => fits.every((fit) => fit(response))),
    });
  });
}
