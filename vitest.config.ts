import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/what-is-left-out.ts',
    testTimeout: 15_000,
  },
});
