import { shortName } from '../../../domain/short-name.ts';
import type { KnownBlock } from '@slack/types';
import { assignQuiz } from '../../../features/quizzes/assign-and-unassign.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import type { Progress } from '../../../features/results/progress.ts';
import { missingSteps } from '../../../features/results/missing-steps.ts';
import { showResults } from '../../../features/results/show-results.ts';
import { actionButtons } from '../blocks/item-actions.ts';
import { amount, countOf, say } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import type { Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';

/** In lines; a message holds them in a few sections. */
const shownAtMost = 100;
const longestName = 60;
export const progressWords: Partial<Record<Progress, string>> = {
  begun: say`started, not submitted`,
  failed: say`not passed`,
};

/** Who has not taken a quiz yet, of the people who have it. */
export function missingMessage(
  result: Extract<OperationResult, { kind: 'missing' }>,
  offered: ReadonlySet<string>,
): Message {
  const { quiz, missing, suspended } = result;
  const heading = headingOf(result);
  const left = missing.length - shownAtMost;
  const lines = missing.slice(0, shownAtMost).map(({ name, progress }) => {
    const words = progressWords[progress];
    return say`• ${shortName(name, longestName)}${words === undefined ? '' : ` · ${words}`}`;
  });
  return {
    text: heading,
    blocks: [
      section(heading),
      ...sections(lines),
      ...(left > 0
        ? [
            context(
              say`…and ${left} more. Name a group to narrow the list: \`/quiz missing ${shortName(quiz.name, 60)} in …\``,
            ),
          ]
        : []),
      ...(suspended > 0
        ? [
            context(
              say`${amount(suspended)} ${suspended === 1 ? 'suspended user is' : 'suspended users are'} left out.`,
            ),
          ]
        : []),
      ...actions(result, offered),
    ],
  };
}

function headingOf({ quiz, group, assigned, missing }: Extract<OperationResult, { kind: 'missing' }>): string {
  const name = say`*${shortName(quiz.name)}*`;
  const failed = missing.filter(({ progress }) => progress === 'failed').length;
  const open = missing.length - failed;
  const people = countOf(assigned, 'person', 'people');
  const hasNot = open === 1 ? 'hasn’t' : 'haven’t';
  if (group === undefined) {
    if (assigned === 0) return say`📭 ${name} isn’t assigned to anyone.`;
    if (open > 0 && failed > 0)
      return say`⏳ ${amount(open)} of ${people} ${hasNot} taken ${name} yet, and ${amount(failed)} didn’t pass.`;
    if (open > 0) return say`⏳ ${amount(open)} of ${people} ${hasNot} taken ${name} yet.`;
    if (failed > 0) return say`⏳ ${amount(failed)} of ${people} took ${name} and didn’t pass.`;
    if (assigned === 1) return say`✅ The only person who has ${name} has taken it.`;
    return say`✅ All ${amount(assigned)} people who have ${name} have taken it.`;
  }
  const where = say`*${shortName(group.group_name)}*`;
  if (assigned === 0) return say`📭 ${name} isn’t assigned to anyone in ${where}.`;
  if (open > 0 && failed > 0)
    return say`⏳ ${amount(open)} of ${people} in ${where} ${hasNot} taken ${name} yet, and ${amount(failed)} didn’t pass.`;
  if (open > 0) return say`⏳ ${amount(open)} of ${people} in ${where} ${hasNot} taken ${name} yet.`;
  if (failed > 0) return say`⏳ ${amount(failed)} of ${people} in ${where} took ${name} and didn’t pass.`;
  if (assigned === 1) return say`✅ The only person in ${where} who has ${name} has taken it.`;
  return say`✅ All ${amount(assigned)} people in ${where} who have ${name} have taken it.`;
}

function actions(result: Extract<OperationResult, { kind: 'missing' }>, offered: ReadonlySet<string>): KnownBlock[] {
  const { quiz } = result;
  const raw = { quiz: [quiz.quiz_id] };
  const elements = [
    ...operationButton('results', { text: say`Results`, doing: 'beside', operation: showResults, raw }),
    ...operationButton('assign', { text: say`Assign…`, doing: 'form', operation: assignQuiz, raw }),
  ];
  return [{ type: 'actions', elements: [...actionButtons(quiz.name, missingSteps(result), offered), ...elements] }];
}
