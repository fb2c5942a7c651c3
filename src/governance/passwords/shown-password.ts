/** Messages are sentences of `domain/sentence.ts`. */
export type ShownPassword =
  | {
      kind: 'shown';
      name: string;
      userName: string;
      password: string;
      /** The approval was for this one: another one needs another approval. */
      isOnce?: true;
    }
  | { kind: 'refused' | 'failed'; message: string };
