import type { RandomJudge } from '../judges/judge.ts';
import { fuzzForgedAgents, fuzzSignedAgents } from './agents.ts';
import { fuzzOddFields } from './odd-fields.ts';
import { fuzzPages } from './pages.ts';
import { isFlat, summaryOf, type FuzzOptions, type FuzzRow } from './run.ts';
import { fuzzService } from './service.ts';
import { fuzzSlack } from './slack.ts';
import { fuzzTyped } from './typed.ts';
import { fuzzWebhooks, schemes } from './webhooks.ts';

interface FuzzRun {
  name: string;
  /** What cause no crash and no hang, and do only what they may. */
  what: string;
  run: (options: FuzzOptions) => Promise<FuzzRow>;
  /** How many are tried, and how many in CI. */
  count: number;
  short: number;
  /** The outcomes that must occur in a short run. */
  reached: readonly string[];
}

export const fuzzRuns: readonly FuzzRun[] = [
  ...schemes.map((scheme): FuzzRun => ({
    name: 'webhooks',
    what: `mutated webhooks signed by the scheme ${scheme}`,
    run: (options) => fuzzWebhooks(scheme, options),
    count: 50_000,
    short: 250,
    reached: ['signed 200', 'signed 400', 'not signed 401', 'raw, refused'],
  })),
  {
    name: 'slack',
    what: 'mutated payloads of Slack',
    run: fuzzSlack,
    count: 100_000,
    short: 200,
    reached: ['signed 200', 'signed 400', 'not signed 401'],
  },
  {
    name: 'agents',
    what: 'forged, stale, unsigned and malformed calls of agents',
    run: fuzzForgedAgents,
    count: 50_000,
    short: 250,
    reached: ['not signed 401', 'misused 400', 'misused 403', 'misused 200'],
  },
  {
    name: 'agents',
    what: 'signed messages of agents with any content',
    run: fuzzSignedAgents,
    count: 10_000,
    short: 150,
    reached: ['signed 200', 'signed 400'],
  },
  {
    name: 'odd-fields',
    what: 'mutated fields of the account',
    run: fuzzOddFields,
    count: 10_000,
    short: 60,
    reached: ['show: answered', 'close: answered'],
  },
  {
    name: 'typed',
    what: 'typed lines of any words',
    run: fuzzTyped,
    count: 20_000,
    short: 200,
    reached: ['answered', 'replied', 'form'],
  },
  { name: 'pages', what: 'any pages', run: fuzzPages, count: 10_000, short: 100, reached: ['whole', 'shortened'] },
  {
    name: 'service',
    what: 'mutated answers of the quiz service',
    run: fuzzService,
    count: 50_000,
    short: 500,
    reached: ['a value', 'InvalidResponseError', 'NotJsonError', 'ConnectionError', 'RateLimitedError'],
  },
];

/** Mutated input and any pages: all runs, or those that are named. */
export const fuzz: RandomJudge = {
  // Each run has its own.
  count: 0,
  async run({ count, seed, words }, { found }) {
    const named = fuzzRuns.filter(({ name }) => words.includes(name));
    const rows: string[] = [];
    for (const { run, count: usual } of named.length > 0 ? named : fuzzRuns)
      try {
        const row = await run({ count: count || usual, seed });
        if (isFlat(row)) rows.push(summaryOf(row));
        else found(summaryOf(row));
      } catch (error) {
        found(error instanceof Error ? (error.stack ?? error.message) : String(error));
      }
    return rows.join('\n');
  },
};
