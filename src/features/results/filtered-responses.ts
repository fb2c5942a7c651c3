import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { OperationContext } from '../../operations/context.ts';
import { zoneOf } from '../../operations/dates/person-zone.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import { attemptsOfMentioned } from './attempt.ts';
import { filterFields, spreadFilter, type ChosenFilter } from './filter-fields.ts';
import { fitsFilter, parseFilter, resolveSince, filterParts, type FilterPart } from './filter.ts';
import { membersOf, resolveName } from './named-in-filter.ts';
import { isAttemptOf } from './respondents.ts';
import { filterInSlices } from './slices.ts';
import type { TextInput } from '../../operations/text-input.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';
import { meansOneOf } from '../../operations/other-words/meanings.ts';

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

/** Each reading is looked up in the directory. */
const readingsAtMost = 20;

/** What people type between a quiz and the people. */
const betweenNames: ReadonlySet<string> = new Set(['for', 'of', 'in', 'by', 'from']);

type Other = Extract<FilterPart, { kind: 'other' }>;

/**
 * Reads `food passed since 7d kitchen` as a quiz and a filter, in every way that is possible, the likeliest first. Only names
 * are in doubt: the more of their words belong to the quiz, the likelier. “for”, “of” or “in” parts the quiz from the rest; before a word of
 * the filter or a quoted text, it surely does. A quoted text at the beginning is the whole name of the quiz.
 */
export function parseResultsLine(line: string): [TextInput, ...TextInput[]] {
  const parts = filterParts(line);
  const names = parts.filter((part) => part.kind === 'other');
  const keywords = parts.filter((part) => part.kind !== 'other').map(({ start, end }) => line.slice(start, end));

  const read = (quiz: readonly Other[], rest: readonly Other[]): TextInput => {
    const filter = [...keywords, ...rest.map(({ start, end }) => line.slice(start, end))].join(' ');
    return {
      quiz: [quiz.map(({ token }) => (token.kind === 'mention' ? mentionsInWords(token.text) : token.text)).join(' ')],
      ...(filter !== '' && { filter: [filter] }),
    };
  };

  const wordOf = ({ token }: Other) => (token.kind === 'word' ? token.text.toLowerCase() : '');
  const isBetween = (part: Other) => betweenNames.has(wordOf(part)) || meansOneOf(wordOf(part), [...betweenNames]);
  const isSurely = (part: Other) => {
    const next = parts[parts.indexOf(part) + 1];
    return (
      (wordOf(part) === 'for' || meansOneOf(wordOf(part), ['for'])) &&
      next !== undefined &&
      (next.kind !== 'other' || next.token.kind === 'quoted')
    );
  };
  const fors = [...names.entries()]
    .filter(([index, part]) => index > 0 && isBetween(part))
    .slice(-readingsAtMost)
    .toReversed();
  const { sure = [], perhaps = [] } = Object.groupBy(fors, ([, part]) => (isSurely(part) ? 'sure' : 'perhaps'));
  const readAt = ([index]: [number, Other]) => read(names.slice(0, index), names.slice(index + 1));
  const longest = names[0]?.token.kind === 'quoted' ? 1 : names.length;
  const ends = Array.from({ length: Math.min(longest, readingsAtMost) }, (_, index) => longest - index);
  const [likeliest, ...others] = [
    ...sure.map(readAt),
    ...ends.slice(0, 1).map((end) => read(names.slice(0, end), names.slice(end))),
    ...perhaps.map(readAt),
    ...ends.slice(1).map((end) => read(names.slice(0, end), names.slice(end))),
  ];
  return [likeliest ?? read([], []), ...others.slice(0, readingsAtMost - 1)];
}
