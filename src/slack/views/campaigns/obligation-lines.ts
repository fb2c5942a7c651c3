import { shownQuizName } from '../../../operations/wording/shown-name.ts';
import { say } from '../../../domain/said.ts';
import { obligationWords } from '../../../features/campaigns/operations/obligation-words.ts';
import type { Obligation, ObligationState } from '../../../obligations/obligation.ts';

export const obligationIcons = {
  overdue: '⏰',
  expired: '⌛',
  due: '⏳',
  expiring: '🔁',
  done: '✅',
  excused: '➖',
  marking: '📝',
  'not me': '🙋',
  'not yet due': '🕓',
  'not required': '👋',
} as const satisfies Record<ObligationState, string>;

/** What somebody has to do about a quiz, in a line of its own. */
export function obligationLine(
  quiz: { name: string },
  obligation: Obligation,
  dayOf: (moment: number) => string,
): string {
  return say`${obligationIcons[obligation.state]} *${shownQuizName(quiz.name)}* · ${obligationWords(obligation, dayOf)}`;
}
