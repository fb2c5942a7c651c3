import type { Button } from '@slack/types';
import type { Operation } from '../../../operations/operation.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { operationButton } from './buttons.ts';

/** Lines on a page; a message and a modal hold them. */
const linesOnPage = 40;

export interface Page<Item> {
  shown: readonly Item[];
  /** From 1; the last page where a higher number was asked for. */
  page: number;
  pages: number;
}

export function pageOf<Item>(items: readonly Item[], wanted: number): Page<Item> {
  const pages = Math.max(1, Math.ceil(items.length / linesOnPage));
  const page = Math.min(wanted, pages);
  return { shown: items.slice((page - 1) * linesOnPage, page * linesOnPage), page, pages };
}

/** Buttons to the pages before and after, which replace the page; none for a single page. */
export function pageButtons(
  operation: Operation,
  raw: TextInput,
  { page, pages }: Pick<Page<unknown>, 'page' | 'pages'>,
): Button[] {
  const to = (name: string, text: string, target: number) =>
    operationButton(name, { text, doing: 'replace', operation, raw: { ...raw, page: [String(target)] } });
  return [
    ...(page > 1 ? to('previous', '← Previous', page - 1) : []),
    ...(page < pages ? to('next', 'Next →', page + 1) : []),
  ];
}
