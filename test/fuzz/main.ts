import { runJudge } from '../judges/kit.ts';
import { fuzz } from './all.ts';

/** `npm run fuzz` tries the full counts; `npm run fuzz -- 0.1 slack` tries a tenth of one run. */
await runJudge(fuzz);
