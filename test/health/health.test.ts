import { expect, test } from 'vitest';
import type { Finding } from '../../src/domain/finding.ts';
import { createHealth } from '../../src/health/health.ts';
import { serviceMeaning } from '../../src/quiz-api/observed-quiz-api.ts';
import { slackMeaning } from '../../src/slack/slack-finding.ts';
import { contentMeaning, ownerMeaning, storeMeaning, trailMeaning } from '../../src/storage/checks.ts';
import { trailCut } from '../support/builders/findings.ts';

/** What a check that cannot be made means for readiness. */
const meanings = [
  [storeMeaning, 'stops'],
  [contentMeaning, 'unknown'],
  [ownerMeaning, 'unknown'],
  [trailMeaning, 'unknown'],
  [slackMeaning, 'stops'],
  [serviceMeaning, 'unknown'],
] as const;

test.each(meanings)(
  'a check of $name that throws or hangs is a finding, and the others are asked',
  async (meaning, effect) => {
    const other = meaning === storeMeaning ? slackMeaning : storeMeaning;
    const failures = [
      () => {
        throw new Error('at once');
      },
      () => Promise.reject(new Error('later')),
      () => new Promise<never>(() => {}),
    ];
    for (const look of failures) {
      const health = createHealth({
        checks: [
          { ...meaning, look },
          { ...other, look: async () => undefined },
        ],
        timeoutMs: 20,
        now: () => 0,
      });
      const [result, well] = await health.look();
      expect(result).toMatchObject({ check: meaning, finding: { effect } });
      expect(well).toMatchObject({ check: other, finding: undefined });
    }
  },
);

test('a finding says when all was last known to be well', async () => {
  let [time, isWell] = [1_000, true];
  const look = async () => {
    if (!isWell) throw new Error('away');
    return undefined;
  };
  const health = createHealth({ checks: [{ ...storeMeaning, look }], timeoutMs: 20, now: () => time });
  await health.look();
  [time, isWell] = [5_000, false];
  expect((await health.look())[0]!.finding!.since).toBe(1_000);
});

test('an occurrence is reported once, however often it is asked for, and the next one again', async () => {
  const found: string[] = [];
  let finding: Finding | undefined = trailCut;
  const health = createHealth({
    checks: [{ ...trailMeaning, look: async () => finding }],
    timeoutMs: 20,
    now: () => 0,
    onFound: (check, { occurrence }) => found.push(`${check.name} ${occurrence}`),
  });
  await Promise.all([health.look(), health.look()]);
  await health.look();
  expect(found).toEqual(['auditTrail T1:120']);
  finding = { ...trailCut, occurrence: 'T1:130' };
  await health.look();
  expect(found).toEqual(['auditTrail T1:120', 'auditTrail T1:130']);
});
