/** What a canary stands for, and the record whose visibility decides who may read it. */
export interface Canary {
  kind: 'quiz' | 'group' | 'user' | 'address' | 'notes' | 'attempt';
  /** The quiz, group or user. For an attempt, its quiz. */
  recordId: string;
  /** For an attempt: the user who made it. */
  userId?: string;
}

/**
 * Unusual words that stand in one field of the account each. A word in what a person reads proves that the person read the
 * field. The bot prints names and addresses whole, so every canary is one word without spaces.
 */
export interface Canaries {
  /** Makes a word and remembers what it stands for. */
  plant(canary: Canary): string;
  /** The canaries in a text, each once. */
  in(text: string): { word: string; canary: Canary }[];
}

export function createCanaries(): Canaries {
  const planted: Canary[] = [];
  return {
    plant: (canary) => `zq${planted.push(canary) - 1}qz`,
    in(text) {
      const numbers = new Set([...text.matchAll(/zq(\d+)qz/gi)].map(([, number]) => Number(number)));
      return [...numbers].flatMap((number) => {
        const canary = planted[number];
        return canary ? [{ word: `zq${number}qz`, canary }] : [];
      });
    },
  };
}
