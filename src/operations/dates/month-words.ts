import type { Month } from '../../domain/evidence-order.ts';

const names = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** “February 2030”. */
export function monthInWords(month: Month): string {
  return names.format(new Date(Date.UTC(Math.floor(month / 12), month % 12, 1)));
}
