/** A question with the words of its latest version. What is chosen of it is kept by the place of the option. */
export interface KnownQuestion {
  id: string;
  version: number;
  text: string;
  categories: readonly string[];
  options: readonly { id: string; text: string; isRight: boolean }[];
}

/**
 * The answers of an attempt, as they are kept: one text, with a word for each question in the order in which they became known,
 * between spaces. Nothing that was typed is among them.
 *
 * | Word | Meaning |
 * |---|---|
 * | none | the attempt hasn’t the question |
 * | `+` | right |
 * | `-` | wrong, or right in part, and the options that were chosen: `-02` |
 * | `a`, `n` | answered, or not, where nobody is right or wrong: free text, uploads, surveys |
 */
export interface Answered {
  /** Those that are known then. */
  questions: readonly KnownQuestion[];
  answers: string;
}
