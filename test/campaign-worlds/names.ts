/** The IDs of a world’s people, quizzes and boards, by their numbers. */
export const userIdOf = (who: number) => `u-${who}`;
export const personIdOf = (who: number) => `U0PERSON${String(who).padStart(3, '0')}`;
export const quizIdOf = (campaign: number) => `20000000-0000-4000-8000-${String(campaign).padStart(12, '0')}`;
export const boardOf = (campaign: number) => ({
  id: `C0BOARD${String(campaign).padStart(4, '0')}`,
  name: `board-${campaign}`,
});

/** Names that stay in all names that a campaign’s quiz and its people get. */
export const quizToken = (campaign: number) => `Drill${String(campaign).padStart(3, '0')}`;
export const personToken = (who: number) => `Person${String(who).padStart(3, '0')}`;
export const numbersOf = (prefix: 'Drill' | 'Person', text: string): number[] => [
  ...new Set([...text.matchAll(new RegExp(`${prefix}(\\d{3})`, 'g'))].map(([, number]) => Number(number))),
];
