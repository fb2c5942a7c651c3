import { parse } from 'csv-parse/sync';
import type { ReportRow } from './journal.ts';

/** The rows of a report by the titles of its columns. */
export function parseReport(text: string): ReportRow[] {
  return parse(text, { bom: true, columns: true });
}
