import { basename } from 'node:path';

/** `FACES=all npm test` runs the scenarios on both accounts, and over both stores. */
export const areAllFacesRun = process.env['FACES'] === 'all';

const draws = { account: 0, store: 1 };

/** Whether a test file is in the other half of all, drawn from its name: a new file changes nothing for the others. */
export function isDrawn(file: string, draw: keyof typeof draws): boolean {
  const sum = Buffer.from(basename(file)).reduce((before, letter) => before + letter, 0);
  return Math.floor(sum / 2 ** draws[draw]) % 2 === 1;
}
