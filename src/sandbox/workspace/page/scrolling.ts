const stuckWithinPx = 80;
const lastHeights = new WeakMap<Element, { height: number; last: string }>();

/** Lists that were at their end stay there when something is added; what is active in a list box is in sight. */
export function keepInView(root: ParentNode): void {
  for (const list of root.querySelectorAll('.messages')) {
    const last = list.querySelector(':scope > ol > li:last-child')?.getAttribute('data-ts') ?? '';
    const before = lastHeights.get(list);
    const wasAtEnd = before === undefined || list.scrollTop + list.clientHeight >= before.height - stuckWithinPx;
    if (before?.last !== last && wasAtEnd) list.scrollTop = list.scrollHeight;
    lastHeights.set(list, { height: list.scrollHeight, last });
  }
  for (const active of root.querySelectorAll('[role=option][aria-selected=true]'))
    active.scrollIntoView({ block: 'nearest' });
}
