import { runJudge } from '../judges/kit.ts';
import { obligations } from './compare.ts';

/**
 * `npm run obligations` compares the rule of obligations with the oracle on 1,000,000 days of people. `npm run obligations -- screens
 * 2000` draws every screen of so many random campaigns, in every language, and compares whom they name and count.
 */
await runJudge(obligations);
