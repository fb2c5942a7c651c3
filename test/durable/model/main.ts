import { runJudge } from '../../judges/kit.ts';
import { model } from './run.ts';

/** `npm run model` runs 100,000 scenarios, `npm run model -- 500` runs 500. */
await runJudge(model);
