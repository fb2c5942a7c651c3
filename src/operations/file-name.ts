/** A name from outside in the letters, digits and signs that every system accepts in the name of a file. */
export function fileName(name: string): string {
  return (
    name
      .replaceAll(/[^\p{L}\p{M}\p{N} ._-]+/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .slice(0, 80)
      .trim() || 'quiz'
  );
}
