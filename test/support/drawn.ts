import { basename } from 'node:path';

/** CI runs everything. Elsewhere, `npm test` leaves out what takes long and breaks seldom. */
const isWhole = process.env['CI'] === 'true';

/** The reason why tests that take long do not run here, or null. */
export const leftToCi: string | null = isWhole ? null : 'set CI=true to include them';

/** Of a random test, everything in CI and a third elsewhere. */
export const runs = (whole: number): number => (isWhole ? whole : Math.ceil(whole / 3));

/** `FACES=all npm test` runs the scenarios on both accounts, and over both stores. */
export const areAllFacesRun = process.env['FACES'] === 'all';

/** Whether a scenario runs on the rough account, one in two, drawn from its name: a new file changes nothing for the others. */
export const isDrawnForRough = (file: string): boolean =>
  Buffer.from(basename(file)).reduce((before, letter) => before + letter, 0) % 2 === 1;
