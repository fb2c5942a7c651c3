import { existsSync, globSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { areAllFacesRun, isDrawnForRough } from './test/support/drawn.ts';
import { testTimeoutMs, watchdogMs } from './test/support/watchdog.ts';

interface Project {
  include: string[];
  exclude?: string[];
  /** What the tests read with `inject`. */
  provide?: { account?: 'rough'; installation?: 'organization' };
}

const overRedis = [
  'test/governance/approvals/at-once.test.ts',
  'test/governance/approvals/once.test.ts',
  'test/health/shown-alike.test.ts',
  'test/quiz-api/budget/ledgers.test.ts',
];
const inBrowserOfSandbox = 'test/sandbox/quiz-service/pages/in-a-browser.test.ts';
/** Scenarios that never run on the rough account, by the reason. */
const onOneFaceBecause: Readonly<Record<string, readonly string[]>> = {
  'they ask everything in the name of everyone: the pages of its lists take minutes at the bot’s 60 requests a minute':
    ['same-by-every-way', 'personal-canaries'],
  'they start services of their own, one for each tenant': ['tenants', 'tenants-apart'],
  'they start a smooth service of their own': ['alert-bursts', 'closed-network', 'doctor', 'set-up'],
  'they are about the store, the time or the traces of the bot': [
    'campaign-changes',
    'campaign-counts',
    'campaign-delivery',
    'campaign-joiners',
    'campaign-managers',
    'campaign-matrix',
    'campaign-previews',
    'departures',
    'erasing',
    'evidence',
    'required-quizzes',
    'away',
  ],
  'they look for English words, which names of the rough account have': ['read-in-one-language'],
  'they are about what Slack does and who sends, and write their webhooks themselves': [
    'organizations',
    'own-names',
    'unopened-modals',
  ],
};
const onOneFace = Object.values(onOneFaceBecause)
  .flat()
  .map((name) => `test/scenarios/${name}.test.ts`);
const killed = 'test/scenarios/*-killed.test.ts';
const onEitherFace = globSync('test/scenarios/**/*.test.ts', { exclude: [killed, ...onOneFace] });
/** Half of the scenarios that an account can change. */
const drawnForRough = onEitherFace.filter(isDrawnForRough);

/** `npx vitest run --project unit` runs one of them. Every test file is in exactly one: test/projects.test.ts checks it. */
export const projects: Readonly<Record<string, Project>> = {
  unit: {
    include: [
      'test/{bench,directory,domain,durable,features,governance,health,http,obligations,observability,operations,quiz-api,slack,support,tenants,time,typed-lines}/**/*.test.ts',
      'test/*.test.ts',
    ],
    exclude: [...overRedis, 'test/{alarms,contributing,documents,import-rules,main,manifest,projects}.test.ts'],
  },
  // Slack is stricter with the token of an organization; the scenarios of `rough` run with that of a workspace.
  scenarios: {
    include: ['test/scenarios/**/*.test.ts', 'test/main.test.ts'],
    exclude: [killed, ...(areAllFacesRun ? [] : drawnForRough)],
    provide: { installation: 'organization' },
  },
  rough: {
    include: areAllFacesRun ? onEitherFace : drawnForRough,
    provide: { account: 'rough' },
  },
  store: { include: ['test/storage/**/*.test.ts', ...overRedis] },
  browser: { include: ['test/browser/**/*.test.ts', inBrowserOfSandbox] },
  sandbox: { include: ['test/sandbox/**/*.test.ts'], exclude: [inBrowserOfSandbox] },
  contract: { include: ['test/contract/**/*.test.ts'] },
  faults: { include: ['test/faults/**/*.test.ts', killed] },
  fuzz: { include: ['test/fuzz/**/*.test.ts'] },
  hostile: { include: ['test/{hostile,campaign-worlds}/**/*.test.ts'] },
  documents: {
    include: [
      'test/{alarms,contributing,documents,import-rules,manifest,projects}.test.ts',
      'test/{count,deployment,documents,lint,packages,words}/**/*.test.ts',
    ],
  },
};

/**
 * Stores of tests commit thousands of times. A disk takes milliseconds for each, and more where others write to it, so their
 * folders are in memory where the machine has room for them.
 */
function folderForTests(): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > 2 ** 30 ? inMemory : tmpdir();
}

/**
 * What waits longest comes first: the end then has only what is short, also in a fresh clone, which knows no times. Killed bots are
 * over when `.ci/run` still has the benchmarks beside them.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- This sorts no array in place.
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      /-killed|upgrade-17|durable\/model|\/(?:browser|faults)\//.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    // A process for each file would take twice the time. No module that the tests import keeps state of a test.
    isolate: false,
    projects: Object.entries(projects).map(([name, options]) => ({ extends: true, test: { name, ...options } })),
    sequence: { sequencer: LongestFirst },
    // Node loads the sources as the bot does. Vite's own loader takes a sixth more time of processors, for mocks that nobody uses.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Most tests wait for another process much of the time: four workers leave two cores idle for a sixth of it.
    maxWorkers: availableParallelism() * 2 + 1,
    env: { TMPDIR: folderForTests() },
    // Workers make and forget many bots, workspaces and accounts: with more room for what is new, less of it is ever copied.
    execArgv: ['--max-semi-space-size=64'],
    reporters: ['default', './test/support/project-times.ts'],
    setupFiles: ['test/support/seeded-random.ts', 'test/support/in-english.ts'],
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    teardownTimeout: testTimeoutMs,
    expect: { poll: { timeout: watchdogMs, interval: 50 } },
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
