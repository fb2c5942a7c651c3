import { amount, say } from '../../../domain/said.ts';
import type { ListPlace } from '../../../quiz-api/list-turns.ts';

/** “Two others are reading large results; yours is next.” */
export function placeInWords({ reading, ahead }: ListPlace): string {
  const others = readingWords(reading);
  if (ahead === 0) return say`${others}; yours is next.`;
  return ahead === 1
    ? say`${others}, and 1 more comes before yours.`
    : say`${others}, and ${amount(ahead)} more come before yours.`;
}

function readingWords(reading: number): string {
  switch (reading) {
    case 0:
      return say`No others are reading large results`;
    case 1:
      return say`One other is reading large results`;
    case 2:
      return say`Two others are reading large results`;
    case 3:
      return say`Three others are reading large results`;
    case 4:
      return say`Four others are reading large results`;
    default:
      return say`${amount(reading)} others are reading large results`;
  }
}
