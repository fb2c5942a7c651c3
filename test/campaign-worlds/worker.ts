import { runWorld, type WorldReport } from './run.ts';

/** What a worker is asked to run: a world. */
export interface WorldOrder {
  seed: number;
  campaigns: number;
}

process.on('message', (order: WorldOrder) => {
  void runWorld(order.seed, order).then(({ facts: _, ...report }: WorldReport) => process.send?.(report));
});
process.on('disconnect', () => process.exit());
