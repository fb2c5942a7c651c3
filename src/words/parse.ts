import { hiddenLetters, marks } from '../domain/said.ts';

/** A part of what the bot says: text, or what is between marks. */
export type Node = string | MarkedNode;

export interface MarkedNode {
  kind: keyof typeof marks;
  children: Node[];
}

const openings = new Map(
  Object.entries(marks).map(([kind, [opening]]) => [opening as string, kind as keyof typeof marks]),
);
const closings: ReadonlySet<string> = new Set(Object.values(marks).map(([, closing]) => closing));

/** Whether a text has marks, or names and moments within it. */
export const hasMarks = (text: string): boolean => /[\uFDD0-\uFDEF\u2066-\u2069]/.test(text);

/** What was said as a tree. Marks without their counterpart, as in a text that was cut, are left out. */
export function parseSaid(text: string): Node[] {
  const tokens = text.split(/([\uFDD0-\uFDEF\u2066-\u2069])/);
  const open: string[] = [];
  let at = 0;

  function readOn(): Node[] {
    const nodes: Node[] = [];
    for (; at < tokens.length; at += 1) {
      const token = tokens[at] ?? '';
      const kind = openings.get(token);
      if (kind !== undefined) {
        at += 1;
        open.push(marks[kind][1]);
        nodes.push({ kind, children: readOn() });
        open.pop();
        // What was cut ends with what it is in.
        if (tokens[at] !== marks[kind][1]) at -= 1;
      } else if (open.includes(token)) return nodes;
      else if (!closings.has(token) && token !== '') nodes.push(token);
    }
    return nodes;
  }

  return readOn();
}

/** The words of nodes as they are read in English. What stands hidden before the words of a date or a person isn’t read. */
export function englishOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return node;
      const words = englishOf(node.children);
      return node.kind === 'date' || node.kind === 'person' ? words.replace(hiddenLetters, '') : words;
    })
    .join('');
}

/** The parts of a sentence that were put into it, in order. */
export function partsOf(sentence: MarkedNode): Node[][] {
  return sentence.children.flatMap((node) => (typeof node === 'object' && node.kind === 'part' ? [node.children] : []));
}

/** A sentence with `{0}`, `{1}` and so on for its parts, or something counted with `#` for the number: what catalogues call it. */
export function keyOf(sentence: MarkedNode): string {
  let index = 0;
  return sentence.children
    .map((node) =>
      typeof node === 'object' && node.kind === 'part'
        ? sentence.kind === 'count'
          ? '#'
          : `{${index++}}`
        : englishOf([node]),
    )
    .join('');
}
