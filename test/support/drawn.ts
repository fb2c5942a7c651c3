import { basename } from 'node:path';

/** `FACES=all npm test` runs the scenarios on both accounts, and over both stores. */
export const areAllFacesRun = process.env['FACES'] === 'all';

const draws = { account: (sum: number) => sum % 2 === 1, store: (sum: number) => Math.floor(sum / 2) % 4 === 1 };

/** Whether a test file is drawn from its name, one in two or in four: a new file changes nothing for the others. */
export function isDrawn(file: string, draw: keyof typeof draws): boolean {
  return draws[draw](Buffer.from(basename(file)).reduce((before, letter) => before + letter, 0));
}
