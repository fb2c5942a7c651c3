import { configureGlobal } from 'fast-check';
import { runs } from './drawn.ts';

/** Properties run with the same values everywhere, so that a failure comes from the change. Set another seed to try other values. */
export const seed = Number(process.env['FAST_CHECK_SEED'] ?? 20_261_120);

configureGlobal({ seed, numRuns: runs(100) });
