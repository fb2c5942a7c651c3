/**
 * Mutation tests of the code that decides: `npm run mutation`, or one file with `-- --mutate src/governance/rights/policy.ts`.
 * With `--testFiles`, Stryker turns mutants on only when tests begin: what runs at import then survives. The report is in
 * test-output/mutation.json.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: [
    'src/governance/**/*.ts',
    'src/features/{alerts,webhooks,delivery}/**/*.ts',
    'src/obligations/**/*.ts',
    'src/quiz-api/budget/**/*.ts',
    // What pages say is in test/words/sentences.md, which these tests do not write.
    '!src/features/alerts/pages/**',
  ],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 30,
  // Stryker would rewrite tsconfig.json with an interface that TypeScript 7 removed. No test reads the file.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  plugins: ['@stryker-mutator/vitest-runner'],
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false },
  jsonReporter: { fileName: 'test-output/mutation.json' },
  tempDirName: 'test-output/stryker',
  ignorePatterns: ['data', 'coverage', 'test-output'],
};
