import type { RandomJudge } from '../judges/kit.ts';
import { fuzzForgedAgents, fuzzSignedAgents } from './agents.ts';
import { isFlat, summaryOf, type FuzzRow } from './run.ts';
import { fuzzOddFields } from './odd-fields.ts';
import { fuzzPages } from './pages.ts';
import { fuzzService } from './service.ts';
import { fuzzSlack } from './slack.ts';
import { fuzzTyped } from './typed.ts';
import { fuzzWebhooks, schemes } from './webhooks.ts';

const runsOf = (share: number, seed: number): [string, () => Promise<FuzzRow>][] => [
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

/** Mutated input and any pages. Its count is the share of all that is tried. */
export const fuzz: RandomJudge = {
  count: 1,
  async run({ count, seed, words }, { found }) {
    const all = runsOf(count, seed);
    const named = all.filter(([name]) => words.includes(name));
    const rows: string[] = [];
    for (const [, run] of named.length > 0 ? named : all)
      try {
        const row = await run();
        if (isFlat(row)) rows.push(summaryOf(row));
        else found(summaryOf(row));
      } catch (error) {
        found(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    return rows.join('\n');
  },
};
