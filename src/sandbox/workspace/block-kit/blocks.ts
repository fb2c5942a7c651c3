import { z } from 'zod';
import { limits } from '../limits.ts';
import { actionsElement, anyText, characters, inputElement, mrkdwn, plainText, sectionAccessory } from './elements.ts';

// Blocks: https://docs.slack.dev/reference/block-kit/blocks. Those that the bot does not send have no schema.

const base = { block_id: characters(limits.blockId).optional() };

const section = z
  .strictObject({
    type: z.literal('section'),
    ...base,
    text: anyText(limits.sectionText).optional(),
    fields: z
      .array(anyText(limits.sectionFieldText))
      .min(limits.sectionFields.min)
      .max(limits.sectionFields.max)
      .optional(),
    accessory: sectionAccessory.optional(),
  })
  .refine((block) => block.text !== undefined || block.fields !== undefined, 'must define either `text` or `fields`');

const header = z.strictObject({ type: z.literal('header'), ...base, text: plainText(limits.headerText) });

const divider = z.strictObject({ type: z.literal('divider'), ...base });

const context = z.strictObject({
  type: z.literal('context'),
  ...base,
  elements: z
    .array(z.discriminatedUnion('type', [plainText(limits.textObject), mrkdwn(limits.textObject)]))
    .min(limits.contextElements.min)
    .max(limits.contextElements.max),
});

const actions = z.strictObject({
  type: z.literal('actions'),
  ...base,
  elements: z.array(actionsElement).min(limits.actionsElements.min).max(limits.actionsElements.max),
});

const input = z.strictObject({
  type: z.literal('input'),
  ...base,
  label: plainText(limits.inputLabel),
  hint: plainText(limits.inputHint).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
  element: inputElement,
});

const richText = z.strictObject({
  type: z.literal('rich_text'),
  ...base,
  elements: z.array(
    z.strictObject({
      type: z.literal('rich_text_preformatted'),
      elements: z.array(z.strictObject({ type: z.literal('text'), text: z.string().min(1) })),
    }),
  ),
});

const cell = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) }),
]);

const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    ...base,
    caption: z.string().min(1),
    rows: z
      .array(z.array(cell).min(limits.dataTableColumns.min).max(limits.dataTableColumns.max))
      .min(limits.dataTableRows.min)
      .max(limits.dataTableRows.max),
    page_size: z.number().int().min(limits.dataTablePageSize.min).max(limits.dataTablePageSize.max).optional(),
  })
  .refine((table) => table.rows.every((row) => row.length === table.rows[0]?.length), {
    error: 'all rows must have the same number of cells',
    path: ['rows'],
  });

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
  z.strictObject({ type: z.literal('bar'), ...plotted }),
  z.strictObject({ type: z.literal('line'), ...plotted }),
]);

const sorted = (labels: readonly string[]): string => labels.toSorted().join('\n');

const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  ...base,
  title: characters(limits.chartTitle),
  chart: chart
    .refine((value) => new Set(value.series.map(({ name }) => name)).size === value.series.length, {
      error: 'series names must be unique',
      path: ['series'],
    })
    .refine(
      ({ series: all, axis_config: { categories } }) =>
        all.every(({ data }) => sorted(data.map((point) => point.label)) === sorted(categories)),
      { error: 'every series must have exactly one point for each category', path: ['series'] },
    ),
});

export const block = z.discriminatedUnion('type', [
  section,
  header,
  divider,
  context,
  actions,
  input,
  richText,
  dataTable,
  dataVisualization,
]);

export type Block = z.infer<typeof block>;
export type BlockType = Block['type'];
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>;
export type Cell = z.infer<typeof cell>;

export type Surface = 'message' | 'modal' | 'home';

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];

/** The surfaces that allow each block, from the "Surfaces" line of its page. */
export const surfaces: Readonly<Record<BlockType, readonly Surface[]>> = {
  section: everywhere,
  header: everywhere,
  divider: everywhere,
  context: everywhere,
  actions: everywhere,
  input: everywhere,
  rich_text: everywhere,
  data_table: ['message', 'home'],
  data_visualization: ['message'],
};
