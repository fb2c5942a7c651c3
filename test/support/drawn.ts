import { basename } from 'node:path';

/** CI runs everything. Elsewhere, `npm test` leaves out what takes long and breaks seldom. */
const isWhole = process.env['CI'] === 'true';

/** The reason why tests that take long do not run here, or null. */
export const leftToCi: string | null = isWhole ? null : 'set CI=true to include them';

/** Of a random test, everything in CI and a third elsewhere. */
export const runs = (whole: number): number => (isWhole ? whole : Math.ceil(whole / 3));

/** `FACES=all npm test` runs the scenarios on both accounts, and over both stores. */
export const areAllFacesRun = process.env['FACES'] === 'all';

const draws = { account: (sum: number) => sum % 2 === 1, store: (sum: number) => Math.floor(sum / 2) % 4 === 1 };

/** Whether a test file is drawn from its name, one in two or in four: a new file changes nothing for the others. */
export function isDrawn(file: string, draw: keyof typeof draws): boolean {
  return draws[draw](Buffer.from(basename(file)).reduce((before, letter) => before + letter, 0));
}
