import { seed } from '../support/seeded-random.ts';
import { fuzzForgedAgents, fuzzSignedAgents } from './agents.ts';
import { isFlat, summaryOf, type FuzzRow } from './run.ts';
import { fuzzOddFields } from './odd-fields.ts';
import { fuzzPages } from './pages.ts';
import { fuzzService } from './service.ts';
import { fuzzSlack } from './slack.ts';
import { fuzzTyped } from './typed.ts';
import { fuzzWebhooks, schemes } from './webhooks.ts';

/** `npm run fuzz` tries the full counts; `npm run fuzz -- 0.1 slack` tries a tenth of one run. FAST_CHECK_SEED sets another seed. */
const share =
  process.argv
    .slice(2)
    .map(Number)
    .find((number) => number > 0) ?? 1;
const names = process.argv.slice(2).filter((word) => Number.isNaN(Number(word)));

const runs: [string, () => Promise<FuzzRow>][] = [
  ...schemes.map((scheme): [string, () => Promise<FuzzRow>] => [
    'webhooks',
    () => fuzzWebhooks(scheme, { count: 50_000 * share, seed }),
  ]),
  ['slack', () => fuzzSlack({ count: 100_000 * share, seed })],
  ['agents', () => fuzzForgedAgents({ count: 50_000 * share, seed })],
  ['agents', () => fuzzSignedAgents({ count: 10_000 * share, seed })],
  ['odd-fields', () => fuzzOddFields({ count: 10_000 * share, seed })],
  ['typed', () => fuzzTyped({ count: 20_000 * share, seed })],
  ['pages', () => fuzzPages({ count: 10_000 * share, seed })],
  ['service', () => fuzzService({ count: 50_000 * share, seed })],
];

let hasPassed = true;
for (const [name, run] of runs) {
  if (names.length > 0 && !names.includes(name)) continue;
  try {
    const row = await run();
    hasPassed &&= isFlat(row);
    process.stdout.write(`${summaryOf(row)}\n`);
  } catch (error) {
    hasPassed = false;
    process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
}
process.exit(hasPassed ? 0 : 1);
