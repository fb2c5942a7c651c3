import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { include: ['test/quiz-api/budget/**/*.test.ts'], setupFiles: 'test/support/seeded-random.ts', testTimeout: 15_000 } });
