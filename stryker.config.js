/**
 * Mutation testing of what decides: `npm run mutation`, or a part of it with `-- --mutate src/governance/policy.ts`.
 * What survives and why stands in docs/mutation.md.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: ['src/governance/**/*.ts', 'src/alerts/signature.ts', 'src/quiz-api/budget/**/*.ts'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 20_000,
  // Stryker would rewrite tsconfig.json with the interface that TypeScript 7 no longer has; nothing here reads it.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  plugins: ['@stryker-mutator/vitest-runner'],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'test-output/mutation.json' },
  tempDirName: 'node_modules/.cache/stryker',
  ignorePatterns: ['data', 'coverage', 'test-output'],
};
