/** Reads the number of a page, from 1; the first for anything else. A view shows the last page where the number is too high. */
export function readPage(typed: string | undefined): number {
  return Math.max(1, Math.trunc(Number(typed ?? 1)) || 1);
}
