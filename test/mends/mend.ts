/** What keeps a promise of the documents, and a fault instead of it. Each text stands in its file exactly once. */
export interface Mend {
  promise: string;
  edits: readonly { file: string; text: string; instead: string }[];
  /** The test file that fails with the fault, or the judge that tells of it. */
  foundBy: string | Judge;
}

/** A random judge: its script, what it is given, and the line that it prints of the fault. */
export interface Judge {
  script: 'hostile' | 'campaigns' | 'obligations' | 'model';
  words: readonly string[];
  finding: RegExp;
}

/** What keeps promises in one file, and what breaks each, where one test finds it. */
export function mendsOf(
  file: string,
  foundBy: string | Judge,
  promises: Readonly<Record<string, readonly [text: string, instead: string]>>,
): Mend[] {
  return Object.entries(promises).map(([promise, [text, instead]]) => ({
    promise,
    edits: [{ file, text, instead }],
    foundBy,
  }));
}

/** Sequences of people who try more than they may. @param says what a violation says */
export function hostile(kind: string, says: string, count = 300): Judge {
  return { script: 'hostile', words: [String(count), kind, `until:${says}`], finding: new RegExp(`  ${says}`) };
}

/** Random campaigns. @param rule a part of the rule that is broken */
export function campaigns(rule: string): Judge {
  const finding = new RegExp(`^world \\d+[^:]*: [^:]*${rule}`);
  return { script: 'campaigns', words: ['400', `until:${rule}`], finding };
}

/** The files of a mend with its fault, by name. @param read gives the text of a file */
export function withFault(
  { promise, edits }: Pick<Mend, 'promise' | 'edits'>,
  read: (file: string) => string,
): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { file, text, instead } of edits) {
    const parts = (texts.get(file) ?? read(file)).split(text);
    if (parts.length !== 2) throw new Error(`${promise}: ${file} has this ${parts.length - 1} times: ${text}`);
    texts.set(file, parts.join(instead));
  }
  return texts;
}
