import { z } from 'zod';
import { limits } from '../limits.ts';
import { richText } from './rich-text.ts';
import { characters } from './composition-objects.ts';

const rawText = z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) });
const rawNumber = z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) });
const cell = z.discriminatedUnion('type', [rawText, rawNumber, richText]);
const blockId = { block_id: characters(limits.blockId).optional() };

export type Cell = z.infer<typeof cell>;

const columnSettings = z
  .array(
    z
      .strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() })
      .nullable(),
  )
  .max(limits.tableColumnSettings.max);

export const table = z.strictObject({
  type: z.literal('table'),
  ...blockId,
  rows: z
    .array(z.array(cell).min(limits.tableColumns.min).max(limits.tableColumns.max))
    .min(limits.tableRows.min)
    .max(limits.tableRows.max),
  column_settings: columnSettings.optional(),
});

export const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    ...blockId,
    caption: z.string().min(1),
    rows: z
      .array(z.array(cell).min(limits.dataTableColumns.min).max(limits.dataTableColumns.max))
      .min(limits.dataTableRows.min)
      .max(limits.dataTableRows.max),
    page_size: z.number().int().min(limits.dataTablePageSize.min).max(limits.dataTablePageSize.max).optional(),
    row_header_column_index: z.number().int().min(0).optional(),
  })
  .superRefine((value, context) => {
    const header = value.rows[0] ?? [];
    if (header.some(({ type }) => type === 'rich_text'))
      context.addIssue({ code: 'custom', message: 'header cells must not be rich_text', path: ['rows', 0] });
    if (value.rows.some((row) => row.length !== header.length))
      context.addIssue({ code: 'custom', message: 'all rows must have the same number of cells', path: ['rows'] });
    if ((value.row_header_column_index ?? 0) >= header.length)
      context.addIssue({ code: 'custom', message: 'must be the index of a column', path: ['row_header_column_index'] });
  });
