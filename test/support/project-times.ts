import type { Reporter, TestModule } from 'vitest/node';
import { linesOfLeftOut } from './left-out.ts';
import { cpuOfAllMs } from './process-cost.ts';

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
