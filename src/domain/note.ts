/**
 * What the bot has to say by itself: written where the news arises, kept as plain data, and drawn when it is sent. All texts are
 * said (`said.ts`). An operation’s page (`operations/page.ts`) can have more.
 */
export interface Note {
  heading: string;
  parts?: readonly { lines: Texts; steps?: readonly Step[] }[];
  steps?: readonly Step[];
  notes?: Texts;
}

/** Those that are empty are left out. */
export type Texts = readonly (string | false | undefined)[];

/** A button: it runs an operation, or opens its form with what is known. */
export interface Step {
  label: string;
  /** The name of an operation in the catalog. */
  operation: string;
  input: Readonly<Record<string, readonly string[]>>;
  /**
   * The form of the operation, or the answer in a modal or in the place of the page, or as a note in that of the button or of its
   * row, or the form in which it asks, with the answer to that in the place of the page; undefined: the answer beside the page.
   */
  opens?: 'form' | 'modal' | 'replace' | 'row' | 'button' | 'question' | undefined;
  style?: 'primary' | 'danger';
  /** What the page is for: the answer to a form has it as the button of its modal. */
  isMain?: true;
  /** What a screen reader says in the place of the label. */
  spoken?: string;
  /** What tells it apart in a menu. */
  hint?: string;
}
