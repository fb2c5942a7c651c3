import { runJudge } from '../judges/kit.ts';
import { campaigns } from './run-worlds.ts';

/**
 * `npm run campaigns` runs 2,000 random campaigns through 60 days with the whole bot, and compares what the stand-ins of Slack
 * and the quiz service saw with docs/campaigns.md. `npm run campaigns -- world 7` runs the world with seed 7 again, and
 * `npm run campaigns -- world 7 3` its campaign 3 alone, with all that was seen of it.
 */
await runJudge(campaigns);
