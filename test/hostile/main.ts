import { runJudge } from '../judges/kit.ts';
import { hostile } from './run.ts';

/**
 * `npm run hostile` runs 20,000 sequences, `npm run hostile -- 200` runs 200, and `npm run hostile -- 200 kills` runs batches of
 * that kind alone (`crowded`, `kills`, `alone`, `many`, `'many kills'`, `leaps`; over two tenants `tenants`, `'tenants kills'`, and
 * `departments`, which are in one workspace).
 *
 * To run the sequence of a failure alone, set its seed, and give 1 and its kind. A failure that needs what the bot kept of earlier
 * sequences comes back from the first of them on: set that seed, and give a count that reaches the failure.
 */
await runJudge(hostile);
