import { createEngine } from '../../../src/durable/engine.ts';
import { createMail } from '../../../src/durable/mail.ts';
import { createSharedState } from '../../../src/durable/shared-state.ts';
import { seed } from '../../support/seeded-random.ts';
import { runModel, summaryOf } from './run.ts';

/** `npm run model` runs 100,000 scenarios, `npm run model -- 500` runs 500. FAST_CHECK_SEED sets another seed. */
const count = Number(process.argv[2] ?? 100_000);
const printEvery = 10_000;

const report = await runModel(
  { createEngine, createMail, createSharedState },
  {
    count,
    seed,
    shrinks: true,
    onProgress(runs) {
      if (runs % printEvery === 0) process.stdout.write(`${runs.toLocaleString('en')} runs\n`);
    },
  },
);
process.stdout.write(`${summaryOf(report)}\n`);
process.exit(report.failure ? 1 : 0);
