import { say, asSaid } from '../../domain/said.ts';
import { listRequests } from '../../features/administration/list-requests.ts';
import { whoAmI } from '../../features/administration/who-am-i.ts';
import { listCampaigns } from '../../features/campaigns/operations/list-and-show.ts';
import { listQuizzes } from '../../features/quizzes/list-quizzes.ts';
import { myQuizzes } from '../../features/quizzes/my-quizzes.ts';
import { showMissing } from '../../features/results/show-missing.ts';
import { showResults } from '../../features/results/show-results.ts';
import { findUser } from '../../features/users/find-user.ts';
import type { Operation } from '../../operations/operation.ts';

const examplesAtMost = 3;
/** Longer names make no good example. */
const longestName = 40;

/** What shows most of what the bot does, first. */
const examples: readonly Operation[] = [
  showMissing,
  showResults,
  listCampaigns,
  findUser,
  listRequests,
  myQuizzes,
  listQuizzes,
  whoAmI,
];

/**
 * Three lines that a person can type, by their rights.
 *
 * @param quizName of a quiz that they see, for lines about one; without it, these open a form
 */
export function exampleLines(offered: ReadonlySet<string>, quizName: string | undefined): string[] {
  const isFit = quizName !== undefined && quizName.length <= longestName && !/[`\n]/.test(quizName);
  return examples
    .filter(({ name }) => offered.has(name))
    .slice(0, examplesAtMost)
    .map((operation) => {
      const line = asSaid(operation.command.split(' ').slice(0, 2).join(' '));
      return 'quiz' in operation.fields && isFit ? say`${line} ${quizName}` : line;
    });
}
