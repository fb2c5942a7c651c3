/** What a list of messages showed last. `height`: of all its messages, in pixels. */
interface Shown {
  label: string | null;
  height: number;
  last: string;
  /** Whether its newest message was taller than the window. */
  isTall: boolean;
}

const stuckWithinPx = 80;
const shownLists = new WeakMap<Element, Shown>();
/** The ID of the active option that each list box showed last. */
const shownActive = new WeakMap<Element, string>();

const isAtEnd = (list: Element, height = list.scrollHeight): boolean =>
  list.scrollTop + list.clientHeight >= height - stuckWithinPx;

/**
 * Opens message lists at the end, and keeps them there if they were there: else they say that there is a new message below. Keeps
 * the active option of a list box in view.
 */
export function keepInView(root: ParentNode): void {
  for (const list of root.querySelectorAll<HTMLElement>('.messages')) keepNewestInView(list);
  // Only a choice by key moves the list: a person may have scrolled it, and press an option of it.
  for (const active of root.querySelectorAll('[role=option][aria-selected=true]')) {
    const list = active.closest('[role=listbox]') ?? active;
    if (shownActive.get(list) !== active.id) active.scrollIntoView({ block: 'nearest' });
    shownActive.set(list, active.id);
  }
}

function keepNewestInView(list: HTMLElement): void {
  const newest = list.querySelector(':scope > ol > li:last-child');
  const last = newest?.getAttribute('data-ts') ?? '';
  const label = list.getAttribute('aria-label');
  const shown = shownLists.get(list);
  const before = shown?.label === label ? shown : undefined;
  const isNew = before?.last !== last;
  const isTall = newest !== null && newest.clientHeight > list.clientHeight;
  if (before === undefined || isAtEnd(list, before.height)) {
    // A message that is taller than the window, or has become so, is read from its beginning.
    if (isTall && (isNew || !before.isTall)) newest.scrollIntoView({ block: 'start' });
    else if (!isTall && (isNew || before.height < list.scrollHeight)) showNewest(list);
    delete list.dataset['below'];
  } else if (isNew && !isAtEnd(list)) list.dataset['below'] = 'true';
  shownLists.set(list, { label, height: list.scrollHeight, last, isTall });
}

/** Scrolls a list of messages to its newest one. */
export function showNewest(list: Element | null): void {
  list?.scrollTo({ top: list.scrollHeight });
}

/** Once the end of a list is seen, there is nothing new below any more. */
export function noticeScroll({ currentTarget: list }: Event): void {
  if (list instanceof HTMLElement && isAtEnd(list)) delete list.dataset['below'];
}
