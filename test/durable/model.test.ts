import { expect, test } from 'vitest';
import { createEngine } from '../../src/durable/engine.ts';
import { createMail } from '../../src/durable/mail.ts';
import { createSharedState } from '../../src/durable/shared-state.ts';
import { seed } from '../support/seeded-random.ts';
import { durableWith, plantedFaults } from './model/planted.ts';
import { runModel } from './model/run.ts';

/** A short version of `npm run model`. */
const runs = 4_000;
/** The rarest of the planted faults shows once in about 3,000 runs. */
const runsForFault = 40_000;

test('machines keep their promises through crashes, frozen processes, failed calls and lost answers', async () => {
  const { counts, failure } = await runModel(
    { createEngine, createMail, createSharedState },
    { count: runs, seed, shrinks: true },
  );
  expect(failure).toBeUndefined();
  for (const what of ['deeds', 'looks', 'crashes', 'freezes', 'takeovers'] as const)
    expect([what, counts[what]]).toEqual([what, expect.toSatisfy((count: number) => count > runs / 10)]);
});

test('a copy without a fault keeps them as well', async () => {
  const text = 'version += 1;';
  const durable = await durableWith({ name: 'none', file: 'runtime.ts', text, instead: text });
  expect((await runModel(durable, { count: runs / 10, seed })).failure).toBeUndefined();
});

test.each(plantedFaults)(
  'the model finds out where $name',
  async (fault) => {
    const { failure } = await runModel(await durableWith(fault), { count: runsForFault, seed });
    expect(failure?.broken).toEqual(expect.arrayContaining([expect.any(String)]));
  },
  120_000,
);
