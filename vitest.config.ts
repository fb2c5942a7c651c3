import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: 'test/support/seeded-random.ts',
    globalSetup: 'test/support/report-left-out.ts',
    testTimeout: 15_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Runs in a browser.
      exclude: ['src/sandbox/workspace/page/**'],
      reporter: ['json-summary'],
      reportOnFailure: true,
    },
  },
});
