import type { Reporter, TestModule } from 'vitest/node';

const longestShown = 15;

/** A Vitest reporter that prints the total time of the files of each project, and the files that took longest. */
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
        `The files that took longest: ${longest.map((module) => `${module.relativeModuleId} (${module.project.name}) ${seconds(timeMsOf(module))}`).join(', ')}\n`,
    );
  }
}

function timeMsOf(module: TestModule): number {
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return duration + collectDuration + setupDuration;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
