import { publicName } from '../../directory/names.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { QuizResponse } from '../../quiz-api/responses.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import type { OperationContext } from '../../operations/context.ts';
import { UnclearInputError } from '../../operations/errors.ts';
import { choosable, isOneself, nameFor } from '../../operations/fields/user.ts';
import { filterInput, fitsFilter, type ResultsFilter } from './filter.ts';
import { isAttemptOf } from './respondents.ts';

/** A filter whose name is understood, and a predicate for what it narrows by name. */
interface NamedFilter {
  filter: ResultsFilter;
  fits: (response: QuizResponse) => boolean;
}

/**
 * Finds out whether the name in a filter is a group’s or a person’s: a group’s if it is its whole name, else that of a
 * person who took the quiz or has a user, else a part of a group’s name. Of a group, those members count whom the reader may
 * choose by name.
 *
 * @throws {UnclearInputError} with the nearest names of users and groups
 */
export async function resolveName(
  context: OperationContext,
  quiz: Quiz,
  filter: ResultsFilter,
  responses: readonly QuizResponse[],
): Promise<NamedFilter> {
  const { person } = filter;
  if (person === undefined) return { filter, fits: () => true };
  const { actor, directory, visibility, call, timeZone } = context;
  if (actor.user && (await isOneself(person, context)))
    return { filter: { ...filter, person: publicName(actor.user) }, fits: await isAttemptOf(context, actor.user) };
  const [users, groups] = await Promise.all([directory.users.names(call), directory.groups.names(call)]);
  const accepts = { users: choosable(visibility), groups: visibility.groupByName };

  const exactly = groups.named(person).find(accepts.groups);
  if (exactly) return ofGroup(exactly);
  const byPerson = fitsFilter({ person }, timeZone);
  if (responses.some(byPerson)) return { filter, fits: byPerson };
  const matchingUsers = users.match(person, { accepts: accepts.users });
  if (matchingUsers.kind !== 'none') return { filter, fits: byPerson };
  const matchingGroups = groups.match(person, { accepts: accepts.groups });
  if (matchingGroups.kind === 'one') return ofGroup(matchingGroups.item);

  const named = (label: string) => ({ label, value: label });
  const ofGroups = (matchingGroups.kind === 'several' ? matchingGroups.items : matchingGroups.nearest).map(
    ({ group_name }) => named(group_name),
  );
  const ofUsers = matchingUsers.nearest.map((user) => named(nameFor(user, visibility)));
  const isAlike = matchingGroups.kind === 'several';
  const candidates = isAlike ? ofGroups : [...ofUsers, ...ofGroups];
  throw new UnclearInputError('person', {
    kind: 'unclear',
    index: 0,
    typed: person,
    noun: isAlike ? 'group' : 'user or group',
    candidates,
    count: isAlike ? matchingGroups.count : candidates.length,
    isAlike,
    input: { quiz: [quiz.quiz_id], ...filterInput(filter) },
  });

  async function ofGroup(group: Group): Promise<NamedFilter> {
    return {
      filter: { ...filter, person: group.group_name },
      fits: await isAttemptOf(context, ...(await membersOf(context, group))),
    };
  }
}

/** The members of a group whom the reader may choose by name. */
export async function membersOf({ directory, visibility, call }: OperationContext, group: Group): Promise<User[]> {
  const accepts = choosable(visibility);
  const isMember = ({ groups }: User) => groups.some(({ group_id }) => group_id === group.group_id);
  return (await directory.users.get(call)).filter((user) => isMember(user) && accepts(user) !== false);
}
