/** The longest name in a line of text, in UTF-16 units; the quiz service sets no limit. */
const longestName = 150;

/**
 * Puts a name from outside on one line of a readable length, without line breaks, control characters and characters
 * that turn the direction of what follows.
 */
export function shortName(name: string, most = longestName): string {
  const oneLine = name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ').trim();
  return clip(oneLine, most);
}

/** Cuts a text at `most` UTF-16 units, with an ellipsis and never through a character as a reader sees it. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = 0;
  for (const { index, segment } of new Intl.Segmenter().segment(text.slice(0, most + 64))) {
    if (index + segment.length > most - 1) break;
    end = index + segment.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}
