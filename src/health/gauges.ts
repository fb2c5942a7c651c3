import { Gauge, type Registry } from 'prom-client';
import type { Health } from './health.ts';

/**
 * Registers a gauge for each check.
 * @returns looks; what it gives sets the gauges, and says which checks could be looked at
 */
export function createHealthGauges(
  registry: Registry,
  health: Health,
): () => Promise<() => Readonly<Record<string, boolean>>> {
  const gauges = new Map(
    health.checks.map(({ name, gauge }) => [name, new Gauge({ ...gauge, registers: [registry] })]),
  );

  return async () => {
    const results = await health.look();
    return () => {
      for (const { check, finding } of results) {
        // 0 would not be the same as unknown.
        if (finding?.effect === 'unknown') gauges.get(check.name)?.remove();
        else gauges.get(check.name)?.set(finding ? 0 : 1);
      }
      return Object.fromEntries(results.map(({ check, finding }) => [check.name, finding?.effect !== 'unknown']));
    };
  };
}
