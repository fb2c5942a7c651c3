import { mkdtempSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../src/durable/runtime.ts';
import { createMail, createSharedState } from '../../src/durable/mail.ts';
import { seed } from '../support/seeded-random.ts';
import { durable } from '../mends/durable.ts';
import { withFault, type Mend } from '../mends/mend.ts';
import type { Durable } from './model/bot.ts';
import { runModel } from './model/simulate.ts';
import { leftToCi, runs } from '../support/drawn.ts';

/** A short version of `npm run judge -- model`. */
const count = runs(4_000);
/** The rarest of the planted faults shows once in about 3,000 runs. */
const runsForFault = 40_000;

test('machines keep their promises through crashes, frozen processes, failed calls and lost answers', async () => {
  const { counts, failure } = await runModel(
    { createEngine, createMail, createSharedState },
    { count, seed, shrinks: true },
  );
  expect(failure).toBeUndefined();
  for (const what of ['deeds', 'looks', 'crashes', 'freezes', 'takeovers'] as const)
    expect([what, counts[what]]).toEqual([what, expect.toSatisfy((times: number) => times > count / 10)]);
});

test('a copy without a fault keeps them as well', async () => {
  const copy = await durableWith({ promise: 'all', edits: [] });
  expect((await runModel(copy, { count: runs(400), seed })).failure).toBeUndefined();
});

describe.skipIf(leftToCi)('a fault that is planted', () => {
  test.each(durable)(
    'the model finds out where it is not so that $promise',
    async (mend) => {
      const { failure } = await runModel(await durableWith(mend), { count: runsForFault, seed });
      expect(failure?.broken).toEqual(expect.arrayContaining([expect.any(String)]));
    },
    120_000,
  );
});

/** The modules of `src/durable` with a fault. */
async function durableWith(mend: Pick<Mend, 'promise' | 'edits'>): Promise<Durable> {
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-planted-'));
  try {
    cpSync('src/durable', folder, { recursive: true });
    for (const [file, text] of withFault(mend, (name) => readFileSync(name, 'utf8')))
      writeFileSync(join(folder, basename(file)), text);
    for (const one of readdirSync(folder)) {
      const source = readFileSync(join(folder, one), 'utf8');
      writeFileSync(join(folder, one), source.replaceAll("'../", `'${pathToFileURL(resolve('src')).href}/`));
    }
    const from = async (one: string) => (await import(pathToFileURL(join(folder, one)).href)) as Partial<Durable>;
    return { ...(await from('runtime.ts')), ...(await from('mail.ts')) } as Durable;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
