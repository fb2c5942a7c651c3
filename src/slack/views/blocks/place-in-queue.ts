import type { ListPlace } from '../../../quiz-api/list-turns.ts';

const smallNumbers = ['No', 'One', 'Two', 'Three', 'Four'];

/** “Two others are reading large results; yours is next.” */
export function placeInWords({ reading, ahead }: ListPlace): string {
  const others = `${smallNumbers[reading] ?? reading} ${reading === 1 ? 'other is' : 'others are'} reading large results`;
  return ahead === 0
    ? `${others}; yours is next.`
    : `${others}, and ${ahead} more ${ahead === 1 ? 'comes' : 'come'} before yours.`;
}
