/**
 * Gives equal texts as the same string, so that memory holds a name, a zone or the ID of a quiz once. Meant for the reading
 * of a single list, and for fields that repeat: the texts are kept for as long as the function.
 */
export type ShareText = (text: string) => string;

export function createShareText(): ShareText {
  const known = new Map<string, string>();
  return (text) => {
    const same = known.get(text);
    if (same === undefined) known.set(text, text);
    return same ?? text;
  };
}

/** The list itself, or for an empty list one that all records share. */
export function sharedIfEmpty<Item>(items: Item[]): Item[] {
  // Nobody changes the lists of a record in place, and a frozen list keeps it that way.
  return items.length === 0 ? none : items;
}

const none: never[] = [];
Object.freeze(none);
