import { expect, test } from 'vitest';
import { isFlat, type FuzzOptions, type FuzzRow } from './run.ts';
import { fuzzService } from './service.ts';
import { fuzzSlack } from './slack.ts';
import { fuzzWebhooks, schemes } from './webhooks.ts';

/** A short share of `npm run fuzz`, by the same code. */
const seed = Number(process.env['FAST_CHECK_SEED'] ?? 20_261_120);

test.each<[string, (options: FuzzOptions) => Promise<FuzzRow>, number, string[]]>([
  ...schemes.map((scheme): [string, (options: FuzzOptions) => Promise<FuzzRow>, number, string[]] => [
    `webhooks signed by the scheme ${scheme}`,
    (options) => fuzzWebhooks(scheme, options),
    500,
    ['signed 200', 'signed 400', 'not signed 401', 'raw, refused'],
  ]),
  ['payloads of Slack', fuzzSlack, 400, ['signed 200', 'signed 400', 'not signed 401']],
  ['answers of the quiz service', fuzzService, 1_000, ['a value', 'InvalidResponseError', 'NotJsonError', 'ConnectionError', 'RateLimitedError']],
])('%s, mutated, crash nothing, hang nowhere, and get in only where they are verified', async (_, run, count, reached) => {
  const row = await run({ count, seed });
  expect(Object.keys(row.outcomes)).toEqual(expect.arrayContaining(reached));
  expect(row).toSatisfy(isFlat);
}, 60_000);
