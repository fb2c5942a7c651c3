import { setImmediate as nextTurn } from 'node:timers/promises';
import { lateOnly, startMatrix, type Matrix } from '../../../obligations/matrix.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { audienceKind, type AudienceField, type AudiencePart } from '../../../operations/fields/audience.ts';
import { takeOption, type ChoiceField } from '../../../operations/fields/choice.ts';
import { visibleRunning } from '../../../operations/fields/campaign.ts';
import { meaningAmong } from '../../../operations/other-words/meanings.ts';
import { tokenize } from '../../../operations/typed-text.ts';
import type { TextInput } from '../../../operations/text-input.ts';

/** For whom the matrix is shown. */
export const matrixPeople = {
  kind: 'audience',
  from: 'account',
  label: 'Users and groups',
  hint: 'Only these people. Leave empty for everyone.',
  optional: true,
} as const satisfies AudienceField;

/** Whom and what the matrix leaves out. */
export const onlyField = {
  kind: 'choice',
  label: 'Only',
  options: [{ value: 'overdue', label: 'Overdue' }],
  optional: true,
} as const satisfies ChoiceField;

/** The matrix of the campaigns that run and that the person sees. */
export interface SeenMatrix {
  matrix: Matrix;
  /** How many of the people who were named are in none of these campaigns. */
  absent: number;
}

/** Reads the store alone: the service is not asked for anything. */
export async function seenMatrix(
  context: OperationContext<'campaigns'>,
  people: readonly AudiencePart[] | undefined,
  only: string | undefined,
): Promise<SeenMatrix> {
  const named = people && new Set(people.flatMap((part) => part.people.map(({ userId }) => userId)));
  const building = startMatrix(context.now(), (userId) => named?.has(userId) ?? true);
  for (const campaign of await visibleRunning(context)) {
    building.add(campaign);
    await nextTurn();
  }
  const matrix = building.finish();
  const absent = named === undefined ? 0 : named.size - matrix.rows.length;
  return { matrix: only === 'overdue' ? lateOnly(matrix) : matrix, absent };
}

/** Reads `for Kitchen, Rosa`, `overdue for Kitchen` and `Kitchen overdue`; “overdue” can also be part of a name. */
export function parsePeople(line: string): [TextInput, ...TextInput[]] {
  const [likeliest, ...others] = namesIn(line);
  const tokens = tokenize(line);
  const last = tokens.length - 1;
  const first = takeOption(tokens, 0, onlyField);
  const taken = first ?? (last > 0 ? takeOption(tokens, last, onlyField) : undefined);
  if (taken === undefined) return [likeliest, ...others];
  const left =
    first === undefined ? line.slice(0, tokens[last]?.start) : line.slice(tokens[taken.end]?.start ?? line.length);
  const [likeliestLeft, ...othersLeft] = namesIn(left).map((input): TextInput => ({
    ...input,
    only: [...taken.texts],
  }));
  return [likeliestLeft!, ...othersLeft, likeliest, ...others];
}

function namesIn(line: string): [TextInput, ...TextInput[]] {
  const names = line.trim().replace(/^(?:for|of|in)(?:\s+|$)/i, '');
  const tokens = tokenize(names);
  const inOther = meaningAmong(tokens, 0, ['for', 'of', 'in'])?.length ?? 0;
  const others = inOther === 0 ? '' : names.slice(tokens[inOther]?.start ?? names.length);
  const input = { people: audienceKind.split(names, matrixPeople) };
  return [names === '' ? {} : input, ...(others === '' ? [] : [{ people: audienceKind.split(others, matrixPeople) }])];
}
