/** The sign before the second, and the third, part of an element. */
const signs: Readonly<Record<string, readonly string[]>> = {
  mfrac: ['/'],
  mover: ['^'],
  msub: ['_'],
  msubsup: ['_', '^'],
  msup: ['^'],
  munder: ['_'],
  munderover: ['_', '^'],
};

/** The elements of MathML: https://www.w3.org/TR/mathml-core/ */
export const mathElements = [
  ...Object.keys(signs),
  'annotation',
  'annotation-xml',
  'math',
  'menclose',
  'merror',
  'mfenced',
  'mi',
  'mmultiscripts',
  'mn',
  'mo',
  'mpadded',
  'mphantom',
  'mprescripts',
  'mroot',
  'mrow',
  'ms',
  'mspace',
  'msqrt',
  'mstyle',
  'mtable',
  'mtd',
  'mtext',
  'mtr',
  'semantics',
];

/** A formula while its MathML is read. */
export interface Formula {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  write(text: string): void;
  close(): void;
  isClosed(): boolean;
  /** On one line, such as `x^2+(a+b)/2`; the TeX source where the formula has one. */
  text(): string;
}

/** Begins with the `<math>` element itself. */
export function createFormula(): Formula {
  const path: { name: string; parts: number; end: string }[] = [];
  let [alternative, tex, written] = ['', '', ''];

  return {
    open(name, attributes) {
      if (name === 'math') alternative = attributes['alttext'] ?? '';
      const parent = path.at(-1);
      const parentSigns = parent && signs[parent.name];
      if (parentSigns && parent.parts > 0) written += parentSigns[parent.parts - 1] ?? '';
      if (parent) parent.parts += 1;
      const [begin, end] =
        name === 'msqrt' || name === 'mroot' ? ['√(', ')'] : name === 'mrow' && parentSigns ? ['(', ')'] : ['', ''];
      written += begin;
      path.push({ name, parts: 0, end });
    },
    write(text) {
      const name = path.at(-1)?.name;
      if (name === 'annotation') tex += text;
      else if (name !== 'annotation-xml') written += text.trim();
    },
    close() {
      written += path.pop()?.end ?? '';
    },
    isClosed: () => path.length === 0,
    text: () => (tex.trim() || alternative.trim() || written).replaceAll(/\s+/g, ' '),
  };
}
