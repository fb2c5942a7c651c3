import { expect, test } from 'vitest';
import { seed } from '../support/seeded-random.ts';
import { fuzzForgedAgents, fuzzSignedAgents } from './agents.ts';
import { isFlat } from './run.ts';

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
