/** Drops what was put in first, as long as it is over. */
export function dropFirst<K, V>(entries: Map<K, V>, isOver: (value: V) => boolean): void {
  for (const [key, value] of entries) {
    if (!isOver(value)) return;
    entries.delete(key);
  }
}
