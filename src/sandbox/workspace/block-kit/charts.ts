import { z } from 'zod';
import { limits } from '../limits.ts';
import { characters } from './composition-objects.ts';

const label = characters(limits.chartLabel);

const series = z.strictObject({
  name: characters(limits.chartSeriesName),
  data: z
    .array(z.strictObject({ label, value: z.number() }))
    .min(limits.chartPoints.min)
    .max(limits.chartPoints.max),
});

const plotted = {
  series: z.array(series).min(limits.chartSeries.min).max(limits.chartSeries.max),
  axis_config: z.strictObject({
    categories: z.array(label).min(limits.chartPoints.min).max(limits.chartPoints.max),
    x_label: characters(limits.chartAxisTitle).optional(),
    y_label: characters(limits.chartAxisTitle).optional(),
  }),
};

const chart = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('pie'),
    segments: z
      .array(z.strictObject({ label, value: z.number().gt(0, 'must be greater than 0') }))
      .min(limits.chartSegments.min)
      .max(limits.chartSegments.max),
  }),
  z.strictObject({ type: z.literal('bar'), ...plotted }),
  z.strictObject({ type: z.literal('line'), ...plotted }),
  z.strictObject({ type: z.literal('area'), ...plotted }),
]);

export type Chart = z.infer<typeof chart>;
export type PlottedChart = Exclude<Chart, { type: 'pie' }>;

const hasUniqueNames = (value: PlottedChart): boolean =>
  new Set(value.series.map(({ name }) => name)).size === value.series.length;

const coversCategories = (value: PlottedChart): boolean => {
  const categories = value.axis_config.categories.toSorted().join('\n');
  return value.series.every(
    ({ data }) =>
      data
        .map((point) => point.label)
        .toSorted()
        .join('\n') === categories,
  );
};

export const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: characters(limits.blockId).optional(),
  title: characters(limits.chartTitle),
  chart: chart.superRefine((value, context) => {
    if (value.type === 'pie') return;
    if (!hasUniqueNames(value))
      context.addIssue({ code: 'custom', message: 'series names must be unique', path: ['series'] });
    if (!coversCategories(value))
      context.addIssue({
        code: 'custom',
        message: 'every series must have exactly one point for each category',
        path: ['series'],
      });
  }),
});

export type DataVisualization = z.infer<typeof dataVisualization>;
