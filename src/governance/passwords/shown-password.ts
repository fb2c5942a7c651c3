/** Messages are sentences of `domain/sentence.ts`. */
export type ShownPassword =
  { kind: 'shown'; name: string; userName: string; password: string } | { kind: 'refused' | 'failed'; message: string };
