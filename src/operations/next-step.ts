import { say } from '../domain/said.ts';
import { moment } from '../time/date-words.ts';
import type { Operation } from './operation.ts';
import type { Part, Step } from './page.ts';
import type { TextInput } from './text-input.ts';

/** A button that runs an operation. The input names things by ID, so that a new name changes nothing. */
export function runStep(label: string, { name }: Pick<Operation, 'name'>, input: TextInput): Step {
  return { label, operation: name, input };
}

/** A button for the inputs of a list’s filter. A list that is short by itself has none. @param count how many are listed */
export function filterStep(
  operation: Pick<Operation, 'name'>,
  filter: Readonly<Record<string, string | undefined>>,
  count: number,
): Step[] {
  const given = Object.entries(filter).flatMap(([field, text]) => (text ? [[field, [text]]] : []));
  return given.length === 0 && count < shortList ? [] : [formStep(say`Filter…`, operation, Object.fromEntries(given))];
}

/** Shorter lists need no filter. */
const shortList = 10;

/** A button that opens the form of an operation with what is known. */
export function formStep(label: string, operation: Pick<Operation, 'name'>, input: TextInput): Step {
  return { ...runStep(label, operation, input), opens: 'form' };
}

/** A button whose answer takes the place of the page. */
export function replaceStep(label: string, operation: Pick<Operation, 'name'>, input: TextInput): Step {
  return { ...runStep(label, operation, input), opens: 'replace' };
}

/** A button whose answer opens in a modal. */
export function modalStep(label: string, operation: Pick<Operation, 'name'>, input: TextInput): Step {
  return { ...runStep(label, operation, input), opens: 'modal' };
}

/** A button that opens the form in which the operation asks, whose answer takes the place of the page. */
export function questionStep(label: string, operation: Pick<Operation, 'name'>, input: TextInput): Step {
  return { ...runStep(label, operation, input), opens: 'question' };
}

/** Lines on a page; a message and a modal hold them. */
const linesOnPage = 40;

export interface Paged<Item> {
  shown: readonly Item[];
  /** From 1; the last page where a higher number was asked for. */
  page: number;
  pages: number;
}

/** @param size how many items a page has */
export function pageOf<Item>(items: readonly Item[], wanted: number, size = linesOnPage): Paged<Item> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(wanted, pages);
  return { shown: items.slice((page - 1) * size, page * size), page, pages };
}

/** Buttons to the pages before and after, which replace the page; none for a single page. @param words the field with the number of the page, and what the buttons say */
export function pageSteps(
  operation: Pick<Operation, 'name'>,
  input: TextInput,
  { page, pages }: Pick<Paged<unknown>, 'page' | 'pages'>,
  words = { field: 'page', previous: say`← Previous`, next: say`Next →` },
): Step[] {
  const to = (label: string, target: number) =>
    replaceStep(label, operation, { ...input, [words.field]: [String(target)] });
  return [...(page > 1 ? [to(words.previous, page - 1)] : []), ...(page < pages ? [to(words.next, page + 1)] : [])];
}

/** A page of a list, a line for each item, with these buttons and which page it is. @param list.wanted its number, from 1 */
export function pagedPart<Item>(
  operation: Pick<Operation, 'name'>,
  input: TextInput,
  { items, wanted, line }: { items: readonly Item[]; wanted: number; line: (item: Item) => string },
): Part {
  const { shown, page, pages } = pageOf(items, wanted);
  return {
    lines: shown.map(line),
    steps: pageSteps(operation, input, { page, pages }),
    notes: [pages > 1 && say`Page ${page} of ${pages}`],
  };
}

/** Says when the service gave a list. @param readAt undefined unless that is more than a minute ago */
export function ageOfList(readAt: number | undefined): string | undefined {
  return readAt === undefined
    ? undefined
    : say`As of ${moment(readAt)}. Run the command again in a moment to see later changes.`;
}
