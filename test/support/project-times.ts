import type { Reporter, TestModule } from 'vitest/node';
import { cpuOfAllMs } from './process-cost.ts';
import { noBrowser } from '../browser/support/chromium.ts';
import { opensslMissing } from './closed-network.ts';
import { haproxyMissing } from './balancer.ts';
import { ownDiskMissing, promtoolMissing, systemdMissing } from './programs.ts';
import { leftToCi } from './drawn.ts';
import { redisMissing } from './redis.ts';

const leftOut: readonly { projects: readonly string[]; tests: string; reason: string | null }[] = [
  {
    projects: ['browser'],
    tests: 'all tests',
    reason:
      noBrowser === undefined ? null : `${noBrowser}: install Debian’s chromium-headless-shell, or set CHROMIUM_PATH`,
  },
  { projects: ['unit'], tests: 'tests of disks', reason: ownDiskMissing },
  { projects: ['documents'], tests: 'the steps of CONTRIBUTING.md', reason: leftToCi },
  { projects: ['faults'], tests: 'bots that are killed at random moments', reason: leftToCi },
  { projects: ['store'], tests: 'the upgrade from 1.7', reason: leftToCi },
  { projects: ['fuzz'], tests: 'all tests', reason: leftToCi },
  { projects: ['unit'], tests: 'faults planted in the runtime', reason: leftToCi },
  { projects: ['hostile'], tests: 'random worlds of campaigns', reason: leftToCi },
  { projects: ['unit', 'sandbox', 'store', 'hostile'], tests: 'two thirds of the random runs', reason: leftToCi },
  { projects: ['documents'], tests: 'tests with promtool', reason: promtoolMissing },
  { projects: ['documents'], tests: 'tests with systemd-analyze', reason: systemdMissing },
  { projects: ['scenarios'], tests: 'tests behind a proxy', reason: opensslMissing },
  { projects: ['faults', 'documents'], tests: 'tests with HAProxy', reason: haproxyMissing },
  { projects: ['scenarios', 'store', 'faults', 'documents'], tests: 'tests over Redis', reason: redisMissing },
];

/** A line for what cannot run on this machine, of each of these projects, with how to include it. */
function linesOfLeftOut(names: ReadonlySet<string>): string[] {
  return leftOut.flatMap(({ projects, tests, reason }) =>
    projects
      .filter((name) => reason !== null && names.has(name))
      .map((name) => `Left out of ${name}: ${tests} (${reason}).`),
  );
}

const longestShown = 15;

/**
 * A Vitest reporter that prints the total time of the files of each project, the files that took longest, which tests this machine
 * leaves out, and the time of processors: machines differ less in it.
 */
export default class ProjectTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timesMs = new Map<string, number>();
    for (const module of modules) {
      const name = module.project.name;
      timesMs.set(name, (timesMs.get(name) ?? 0) + timeMsOf(module));
    }
    const longest = modules.toSorted((a, b) => timeMsOf(b) - timeMsOf(a)).slice(0, longestShown);
    process.stdout.write(
      `\nTime of each project, its files added up: ${[...timesMs].map(([name, ms]) => `${name} ${seconds(ms)}`).join(', ')}\n` +
        `The files that took longest: ${longest.map((module) => `${module.relativeModuleId} (${module.project.name}) ${seconds(timeMsOf(module))}`).join(', ')}\n` +
        linesOfLeftOut(new Set(timesMs.keys()))
          .map((line) => `${line}\n`)
          .join(''),
    );
    // Its workers end later.
    process.once('exit', () => {
      const cpuMs = cpuOfAllMs();
      if (cpuMs !== undefined) process.stdout.write(`Time of processors: ${seconds(cpuMs)}\n`);
    });
  }
}

function timeMsOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
