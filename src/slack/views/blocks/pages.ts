import type { Button } from '@slack/types';
import { say } from '../../../domain/said.ts';
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

/** @param size how many items a page has */
export function pageOf<Item>(items: readonly Item[], wanted: number, size = linesOnPage): Page<Item> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(wanted, pages);
  return { shown: items.slice((page - 1) * size, page * size), page, pages };
}

/** The field with the number of the page, and what its buttons say. */
interface PageWords {
  field: string;
  previous: string;
  next: string;
}

const usualPages: PageWords = { field: 'page', previous: say`← Previous`, next: say`Next →` };

/** Buttons to the pages before and after, which replace the page; none for a single page. */
export function pageButtons(
  operation: Operation,
  raw: TextInput,
  { page, pages }: Pick<Page<unknown>, 'page' | 'pages'>,
  { field, previous, next } = usualPages,
): Button[] {
  const to = (name: string, text: string, target: number) =>
    operationButton(field === usualPages.field ? name : `${name}-${field}`, {
      text,
      doing: 'replace',
      operation,
      raw: { ...raw, [field]: [String(target)] },
    });
  return [...(page > 1 ? to('previous', previous, page - 1) : []), ...(page < pages ? to('next', next, page + 1) : [])];
}
