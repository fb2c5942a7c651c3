import type { Obligation, ObligationState } from '../../../domain/campaign.ts';
import { say } from '../../../domain/said.ts';
import { shownQuizName } from '../../../operations/wording/shown-name.ts';

/**
 * An obligation in a few words, such as `overdue since 3 May`. A pass counts until the end of a day, so it is valid until the moment
 * before.
 *
 * @param dayOf the day of a moment in milliseconds since the epoch
 */
export function obligationWords(
  { state, dueAt, validUntil, excusedUntil }: Obligation,
  dayOf: (moment: number) => string,
): string {
  const dueDay = dueAt === undefined ? undefined : dayOf(dueAt);
  const lastDay = validUntil === undefined ? undefined : dayOf(validUntil - 1);
  switch (state) {
    case 'overdue':
      return dueDay === undefined ? '' : say`overdue since ${dueDay}`;
    case 'expired':
      return lastDay === undefined ? '' : say`expired ${lastDay}`;
    case 'due':
      return dueDay === undefined ? say`to take` : say`due ${dueDay}`;
    case 'expiring':
      return lastDay === undefined ? '' : say`renew by ${lastDay}`;
    case 'done':
      return lastDay === undefined ? say`done` : say`valid until ${lastDay}`;
    case 'excused':
      return excusedUntil === undefined ? say`excused` : say`excused until ${dayOf(excusedUntil)}`;
    case 'marking':
      return say`to be marked`;
    case 'not me':
      return say`says it isn’t for them`;
    case 'not yet due':
      return say`not yet due`;
    case 'not required':
      return say`not required`;
  }
}

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
