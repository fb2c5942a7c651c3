import { expect, test } from 'vitest';
import { seed } from '../support/seeded-random.ts';
import { isFlat, type FuzzOptions, type FuzzRow } from './run.ts';
import { fuzzOddFields } from './odd-fields.ts';
import { fuzzPages } from './pages.ts';
import { fuzzService } from './service.ts';
import { fuzzSlack } from './slack.ts';
import { fuzzTyped } from './typed.ts';
import { fuzzWebhooks, schemes } from './webhooks.ts';
import { fuzzForgedAgents, fuzzSignedAgents } from './agents.ts';

/** The input, its fuzzer, the number of tries and outcomes that must occur. Each run is a short version of `npm run fuzz`. */
type Run = [string, (options: FuzzOptions) => Promise<FuzzRow>, number, string[]];

test.each<Run>([
  ...schemes.map((scheme): Run => [
    `mutated webhooks signed by the scheme ${scheme}`,
    (options) => fuzzWebhooks(scheme, options),
    500,
    ['signed 200', 'signed 400', 'not signed 401', 'raw, refused'],
  ]),
  ['any pages', fuzzPages, 200, ['whole', 'shortened']],
  ['mutated payloads of Slack', fuzzSlack, 400, ['signed 200', 'signed 400', 'not signed 401']],
  ['typed lines of any words', fuzzTyped, 200, ['answered', 'replied', 'form']],
  ['mutated fields of the account', fuzzOddFields, 60, ['show: answered', 'close: answered']],
  [
    'mutated answers of the quiz service',
    fuzzService,
    1_000,
    ['a value', 'InvalidResponseError', 'NotJsonError', 'ConnectionError', 'RateLimitedError'],
  ],
])(
  '%s cause no crash and no hang, and do only what they may',
  async (_, run, count, reached) => {
    const row = await run({ count, seed });
    expect(Object.keys(row.outcomes)).toEqual(expect.arrayContaining(reached));
    expect(row).toSatisfy(isFlat);
  },
  60_000,
);

test('no forged, stale, unsigned or malformed call reaches an operation', async () => {
  const row = await fuzzForgedAgents({ count: 500, seed });
  expect(Object.keys(row.outcomes)).toEqual(
    expect.arrayContaining(['not signed 401', 'misused 400', 'misused 403', 'misused 200']),
  );
  expect(row).toSatisfy(isFlat);
});

test('a signed message with any content is answered', async () => {
  const row = await fuzzSignedAgents({ count: 300, seed });
  expect(Object.keys(row.outcomes)).toEqual(expect.arrayContaining(['signed 200', 'signed 400']));
});
