import { named } from '../../domain/sentence.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { MentionedMembers } from '../../operations/fields/mentioned-members.ts';

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
export function membersQuestion(
  { quiz, members, count, hasGroups }: Change,
  { verb, preposition }: { verb: string; preposition: string },
): Question {
  const [only, ...others] = members;
  const isAllOfOne = only !== undefined && others.length === 0 && !hasGroups && count === only.users.length;
  const whom = hasGroups ? `${count} people and groups` : people(count);
  const found = members.map(({ name, users }) => `${named(name)} has ${people(users.length)}`).join(', and ');
  const withoutUser = members.reduce((sum, { withoutUser: some }) => sum + some.length, 0);
  const leftOut =
    ['', ' 1 more person has no user in the quiz account and is left out.'][withoutUser] ??
    ` ${withoutUser} more people have no user in the quiz account and are left out.`;
  return {
    question: `${found}. ${verb} ${named(quiz.name)} ${preposition} ${!isAllOfOne ? whom : count === 1 ? 'them' : 'all of them'}?${leftOut}`,
    label: `${verb} ${preposition} ${whom}`,
  };
}

function people(count: number): string {
  return count === 1 ? '1 person' : `${count} people`;
}
