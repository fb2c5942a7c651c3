import { expect, test } from 'vitest';
import { createMetrics } from '../../src/observability/metrics.ts';
import { joinFamilies } from '../../src/observability/scrape.ts';

test('the series of several bots stand below one description of each metric', async () => {
  const bots = ['acme', 'globex'].map((tenant) => createMetrics({ tenant }));
  for (const { webhooks } of bots) webhooks.inc({ outcome: 'taken' });
  const text = joinFamilies(await Promise.all(bots.map(({ registry }) => registry.metrics())));
  const described = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(described).toContain('invigilator_webhooks_total');
  expect(new Set(described).size).toBe(described.length);
  const webhooks = text.split('\n').filter((line) => line.startsWith('invigilator_webhooks_total{outcome="taken"'));
  expect(webhooks).toEqual([
    'invigilator_webhooks_total{outcome="taken",tenant="acme"} 1',
    'invigilator_webhooks_total{outcome="taken",tenant="globex"} 1',
  ]);
});

test('the metrics of one bot are those of its registry', async () => {
  const { registry } = createMetrics();
  const text = await registry.metrics();
  expect(joinFamilies([text])).toBe(text);
});
