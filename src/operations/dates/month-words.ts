import type { Month } from '../../domain/evidence-order.ts';
import { dateInWords } from '../../time/date-words.ts';

/** “February 2030”. */
export function monthInWords(month: Month): string {
  return dateInWords(Date.UTC(Math.floor(month / 12), month % 12, 1), 'month', 'UTC');
}
