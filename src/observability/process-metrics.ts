import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { addEventLoopLag, noSamples } from './event-loop-lag.ts';

export type ProcessMetrics = ReturnType<typeof createProcessMetrics>;

/** The metrics of the process, however many bots it runs. */
export function createProcessMetrics(version: string) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, ...noSamples });
  addEventLoopLag(registry);
  // Anyone who reaches the port can read the metrics: they do not show which version of Node runs.
  registry.removeSingleMetric('nodejs_version_info');
  const registers = [registry];
  new Gauge({
    name: 'invigilator_build_info',
    help: 'Always 1; the label is the version of the bot',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  return {
    registry,
    heldUpSeconds: new Counter({
      name: 'invigilator_held_up_seconds_total',
      help: 'Time in which the process could do nothing for a second or longer, such as on a frozen host',
      registers,
    }),
  };
}
