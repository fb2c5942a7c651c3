import { defineConfig } from 'vitest/config';

/** The tests of the mutated code, and no others: each of hundreds of mutants runs those that reach it. */
export default defineConfig({
  test: {
    include: [
      'test/governance/**/*.test.ts',
      '!test/governance/approvals/once.test.ts',
      'test/obligations/**/*.test.ts',
      'test/features/campaigns/{following-audience,next-step,standing}.test.ts',
      'test/features/{alerts,batches,webhooks,delivery}/**/*.test.ts',
      'test/quiz-api/budget/**/*.test.ts',
    ],
    setupFiles: ['test/support/seeded-random.ts', 'test/support/in-english.ts'],
    // A mutant that waits for ever is found by the first of its tests.
    testTimeout: 20_000,
  },
});
