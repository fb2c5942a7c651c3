import type { IncomingMessage, ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import type { Scrape } from './scrape.ts';

/** `GET /metrics`: the metrics of the process and of each bot in it. */
export function createMetricsRoute(scrapes: () => readonly Scrape[]) {
  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const texts = await Promise.all(scrapes().map((scrape) => scrape()));
    response.setHeader('content-type', Registry.PROMETHEUS_CONTENT_TYPE);
    response.end(joinFamilies(texts));
  };
}

/**
 * Joins texts whose metrics may have the same names: the series of a name stand together, below one description.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#grouping-and-sorting
 */
export function joinFamilies(texts: readonly string[]): string {
  const families = new Map<string, { head: string; series: string[] }>();
  for (const text of texts) {
    for (const family of text.split(/^(?=# HELP )/m)) {
      const [, head = '', series = ''] = /^(# HELP .*\n# TYPE .*\n)([^]*)$/.exec(family.trimEnd() + '\n') ?? [];
      if (head === '') continue;
      const known = families.get(head);
      if (known) known.series.push(series);
      else families.set(head, { head, series: [series] });
    }
  }
  return [...families.values()].map(({ head, series }) => head + series.join('')).join('\n');
}
