import type { Reporter, TestModule } from 'vitest/node';

/** A Vitest reporter that prints the total time of the files of each project. */
export default class ProjectTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timesMs = new Map<string, number>();
    for (const module of modules) {
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      timesMs.set(
        module.project.name,
        (timesMs.get(module.project.name) ?? 0) + duration + collectDuration + setupDuration,
      );
    }
    const shown = [...timesMs].map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)} s`);
    process.stdout.write(`\nTime of each project, its files added up: ${shown.join(', ')}\n`);
  }
}
