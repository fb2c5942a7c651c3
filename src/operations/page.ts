import type { Campaign } from '../domain/campaign.ts';
import type { Step, Texts } from '../domain/note.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { Group, User } from '../quiz-api/users.ts';
import type { Fields } from './fields/fields.ts';
import type { TextInput } from './text-input.ts';

/**
 * What people read: plain data, which one function draws for the workspace (`drawPage`). All texts are said
 * (`domain/said.ts`).
 */
export interface Page {
  heading: string;
  /** What a notification says; undefined: the heading. */
  notification?: string | undefined;
  /** A button beside the heading. */
  beside?: Step;
  parts?: readonly Part[];
  /** Buttons, the likeliest first. Only those that the reader may run are shown. */
  steps?: readonly (Step | Link)[];
  /** What the page is about has its buttons after those. */
  about?: Thing;
  notes?: Texts;
  /** It isn’t whole yet: how long until it probably is, in milliseconds. The workspace shows it anew meanwhile, in its place. */
  growsForMs?: number;
  /** The workspace must not keep it. */
  isSecret?: true;
  /**
   * What the operation asks before it goes on, in a form of these fields. What is entered there is sent with what was entered
   * before; the name of such a field begins with that of the operation's field that takes it, as in `columns 3`. `submit`: what its
   * button says.
   */
  ask?: { fields: Fields; entered: TextInput; submit: string };
}

export type { Step, Texts };

/** A part of a page. What it has is drawn in the order of these properties. */
export interface Part {
  /** A line above it. */
  isApart?: true;
  /** A large heading. */
  title?: string;
  /** Lines under one another: a paragraph, or a list without buttons. */
  lines?: Texts;
  /** A button or a menu beside the first line. */
  beside?: Step | Picker;
  /** Labels with what stands below each, side by side. Those without a text are left out. */
  facts?: readonly Fact[];
  chart?: Chart | undefined;
  table?: Table | undefined;
  items?: readonly Item[];
  /** The steps of each item are a row of buttons below it. */
  buttonsBelow?: true;
  /** No more lines and items than these; undefined: as many as the page has room for. */
  most?: number;
  /** How many there are in all, where these are the beginning. */
  count?: number;
  /** The command that narrows a list. */
  narrow?: string;
  /** Where the rest of a list is: a command, or a sentence. */
  rest?: string;
  steps?: readonly (Step | Link)[];
  picker?: Picker;
  notes?: Texts;
}

/** Steps to choose from, in a menu with this label. */
interface Picker {
  label: string;
  steps: readonly Step[];
  /** The place of the step that was chosen before. */
  chosen?: number;
}

/** A label and the text below it. */
export type Fact = readonly [label: string, fact: string | undefined];

/**
 * One number per category, as bars or as a line. The workspace takes 20 categories, of 20 characters each. `beside`: other numbers of
 * the same categories.
 */
export interface Chart {
  title: string;
  name: string;
  points: readonly { label: string; value: number }[];
  beside?: { name: string; values: readonly number[] };
  xLabel: string;
  yLabel: string;
  isLine?: true;
}

/** As many of its rows as the workspace takes. Columns that are empty in each row are left out. */
export interface Table {
  caption: string;
  columns: readonly { title: string; cells: readonly Cell[] }[];
  /** The same rows as lines, for surfaces without tables. */
  lines: readonly string[];
}

/** Text, or a number by which people sort; undefined: not known. */
export type Cell = string | { value: number; shown: string } | undefined;

/** A line with what can be done with it. */
export interface Item {
  line: string;
  /** Has the buttons that operations put beside such a thing. */
  about?: Thing;
  /** One is a button beside the line, more are a menu, unless the part has them below. A menu has no links. */
  steps?: readonly (Step | Link)[];
}

/** A thing of the account or a campaign, which operations put buttons beside. */
export type Thing = {
  [Kind in keyof ThingsWithButtons]: { kind: Kind; of: ThingsWithButtons[Kind]; name: string; in: ButtonPlace };
}[keyof ThingsWithButtons];

/** A button that opens an address; none without one. */
export interface Link {
  label: string;
  url: string | null | undefined;
  style?: 'primary';
  /** As of a step. */
  spoken?: string;
}

/** The things that lists and pages offer operations beside, as far as their buttons depend on them. */
export interface ThingsWithButtons {
  quiz: Pick<Quiz, 'quiz_id' | 'status'>;
  user: Pick<User, 'user_id' | 'suspended'>;
  group: Pick<Group, 'group_id'>;
  campaign: Campaign;
}

/** In a list of such things, on the page of one, or on the Home tab. */
export type ButtonPlace = 'list' | 'page' | 'home';
