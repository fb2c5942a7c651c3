import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';
import { longestTimerMs } from '../time/clock.ts';

/** For `collectDefaultMetrics`, whose own histogram wakes the process a hundred times a second: it is never to take a sample. */
export const noSamples = { eventLoopMonitoringPrecision: longestTimerMs };

/** The gauges of prom-client's own histogram. */
const withoutSamples = ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'];

const nameOf = (part: string) => `nodejs_eventloop_lag${part}_seconds`;

/**
 * Measures how long turns of the event loop take, since the metrics were asked for last. An idle process is not woken for it,
 * except on Node 24, which does not know `samplePerIteration` and looks every 10 ms.
 */
export function addEventLoopLag(registry: Registry): void {
  for (const part of withoutSamples) registry.removeSingleMetric(nameOf(part));
  const histogram = monitorEventLoopDelay({ samplePerIteration: true });
  histogram.enable();
  const help = 'Time that a turn of the event loop took, during which everything else waited';
  const gauges = { _p50: 50, _p99: 99, _max: 100 };
  for (const [part, percentile] of Object.entries(gauges)) {
    const gauge = new Gauge({
      name: nameOf(part),
      help,
      registers: [],
      collect() {
        this.set(histogram.percentile(percentile) / 1e9);
        // The last one that is asked.
        if (part === '_max') histogram.reset();
      },
    });
    registry.registerMetric(gauge);
  }
}
