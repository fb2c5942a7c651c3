import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { MentionedMembers } from '../../operations/fields/mentioned-members.ts';
import { say, countOf, listed } from '../../domain/said.ts';

interface Change {
  quiz: Pick<Quiz, 'name'>;
  members: readonly MentionedMembers[];
  /** How many people and groups get the quiz or lose it, each counted once. */
  count: number;
  hasGroups: boolean;
}

interface Question {
  question: string;
  label: string;
}

/** What people are asked before a quiz goes to many at once, or is taken from them. */
export function membersQuestion({ quiz, members, count, hasGroups }: Change, verb: 'assign' | 'unassign'): Question {
  const [only, ...others] = members;
  const isAllOfOne = only !== undefined && others.length === 0 && !hasGroups && count === only.users.length;
  const whom = hasGroups ? say`${count} people and groups` : people(count);
  const found = listed(members.map(({ name, users }) => say`${named(name)} has ${people(users.length)}`));
  const withoutUser = members.reduce((sum, { withoutUser: some }) => sum + some.length, 0);
  const leftOut =
    ['', ` ${say`1 more person has no user in the quiz account and is left out.`}`][withoutUser] ??
    ` ${say`${withoutUser} more people have no user in the quiz account and are left out.`}`;
  const isAssigned = verb === 'assign';
  return {
    question: `${found}. ${ask(named(quiz.name))}${leftOut}`,
    label: isAssigned ? say`Assign to ${whom}` : say`Unassign from ${whom}`,
  };

  function ask(name: string): string {
    if (!isAllOfOne) return isAssigned ? say`Assign ${name} to ${whom}?` : say`Unassign ${name} from ${whom}?`;
    if (count === 1) return isAssigned ? say`Assign ${name} to them?` : say`Unassign ${name} from them?`;
    return isAssigned ? say`Assign ${name} to all of them?` : say`Unassign ${name} from all of them?`;
  }
}

function people(count: number): string {
  return countOf(count, 'person', 'people');
}
