import type { Sentence } from './collect-sentences.ts';

/** Sentences of a catalogue file, by their key, in the order of the sources. */
export type Area = Map<string, Sentence>;

/** What several areas say. */
const shared = 'shared';

/**
 * The files of a catalogue: one for each feature, with what its views say, too. A sentence of several features is in `shared`.
 */
export function areasOf(sentences: readonly Sentence[]): Map<string, Area> {
  const areaOfKey = new Map<string, string>();
  for (const { key, file } of sentences) {
    const area = areaOf(file);
    areaOfKey.set(key, (areaOfKey.get(key) ?? area) === area ? area : shared);
  }
  const areas = new Map<string, Area>();
  for (const sentence of sentences) {
    const name = areaOfKey.get(sentence.key) ?? shared;
    const area = areas.get(name) ?? new Map<string, Sentence>();
    areas.set(name, area);
    const known = area.get(sentence.key);
    area.set(sentence.key, known === undefined ? sentence : merged(known, sentence));
  }
  return areas;
}

function areaOf(file: string): string {
  const [, name = shared] = /^src\/(?:features|slack\/views)\/([a-z-]+)\//.exec(file) ?? [];
  return name === 'blocks' ? shared : name;
}

/** The same sentence at another place: a part has the words of both. */
function merged(one: Sentence, other: Sentence): Sentence {
  return {
    ...one,
    parts: one.parts.map(({ source, words }, index) => ({
      source,
      words: [...new Set([...words, ...(other.parts[index]?.words ?? [])])],
    })),
  };
}
