import fc from 'fast-check';

const odd: unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  '',
  ' ',
  '__proto__',
  'constructor',
  'toString',
  '<!channel>',
  '<@U1|x>&<https://x|y>',
  '\u0000',
  '\u202e',
  '\ud800',
  '👩‍🚒'.repeat(60),
  '2026-13-45 99:99:99',
  [],
  {},
  [[]],
  [null],
  'x'.repeat(4_000),
  '%E0%A4%A',
  '../../..',
  '1e999',
  '-0',
  'null',
  'late:q:r',
  { toString: 1 },
  { length: -1 },
  JSON.parse('{"__proto__": {"pass": true}}'),
];

/** Any JSON value, mostly one that trips programs up. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...odd),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
);

const valueEdit = fc.record({
  /** Selects one of the nested values. */
  place: fc.nat(10_000),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'rename', 'wrap', 'nest', 'add'),
  value: oddValue,
});

/** A copy of one sample with some values replaced, removed, renamed, wrapped, nested or added. */
export function mutatedValue(samples: readonly unknown[], { maxEdits = 3 } = {}): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.nat(samples.length - 1), fc.array(valueEdit, { maxLength: maxEdits }))
    .map(([index, edits]) => edits.reduce(applyValueEdit, structuredClone(samples[index])));
}

type Holder = Record<string, unknown>;

function applyValueEdit(
  whole: unknown,
  { place, kind, value }: { place: number; kind: string; value: unknown },
): unknown {
  const places: [Holder, string][] = [];
  const collect = (holder: unknown) => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const key of Object.keys(holder)) {
      places.push([holder as Holder, key]);
      collect((holder as Holder)[key]);
    }
  };
  collect(whole);
  const [holder, key] = places[place % (places.length + 1)] ?? [];
  if (holder === undefined || key === undefined) return kind === 'wrap' ? [whole] : place % 7 === 0 ? value : whole;
  switch (kind) {
    case 'replace':
      holder[key] = structuredClone(value);
      break;
    case 'remove':
      delete holder[key];
      break;
    case 'rename':
      holder[`${key}_`] = holder[key];
      delete holder[key];
      break;
    case 'wrap':
      holder[key] = [holder[key]];
      break;
    case 'nest':
      for (let depth = 0; depth < 200; depth += 1) holder[key] = { a: holder[key] };
      break;
    default:
      Object.defineProperty(holder, (JSON.stringify(value) ?? '').slice(0, 40), {
        value: holder[key],
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return whole;
}

const textEdit = fc.record({
  from: fc.nat(20_000),
  length: fc.nat(30),
  kind: fc.constantFrom('cut', 'end', 'insert', 'flip', 'repeat'),
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('"', '\\', '{', '[', ',', '\u0000', '\n', '\ufeff', '<html>', '1e400', '[[[['.repeat(500)),
  ),
});

/** A text that is usually unchanged and sometimes cut, extended or overwritten. */
export function mutatedText(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edits = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(textEdit, { minLength: 1, maxLength: 3 }) },
  );
  return fc.tuple(texts, edits).map(([text, some]) => some.reduce(applyTextEdit, text));
}

function applyTextEdit(
  text: string,
  { from, length, kind, text: other }: { from: number; length: number; kind: string; text: string },
): string {
  const at = from % (text.length + 1);
  switch (kind) {
    case 'cut':
      return text.slice(0, at) + text.slice(at + length);
    case 'end':
      return text.slice(0, at);
    case 'insert':
      return text.slice(0, at) + other + text.slice(at);
    case 'flip':
      return (
        text.slice(0, at) + String.fromCodePoint((text.codePointAt(at) ?? 0) ^ (1 << (length % 7))) + text.slice(at + 1)
      );
    default:
      return text.slice(0, at) + text.slice(at, at + length).repeat(20) + text.slice(at + length);
  }
}
