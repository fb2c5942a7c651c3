import type { Campaign } from '../domain/campaign.ts';
import type { Quiz } from '../quiz-api/quizzes.ts';
import type { Group, User } from '../quiz-api/users.ts';
import type { TextInput } from './text-input.ts';

/**
 * What people read: plain data, which one function draws for the workspace (`drawPage`). All texts are said
 * (`domain/said.ts`).
 */
export interface Page {
  /** Also what a notification says. */
  heading: string;
  parts?: readonly Part[];
  /** Buttons, the likeliest first. Only those that the reader may run are shown. */
  steps?: readonly Step[];
  /** What the page is about has its buttons after those. */
  about?: Thing;
  notes?: readonly string[];
  /** When the service gave a list, in milliseconds since the epoch; undefined unless that is more than a minute ago. */
  readAt?: number | undefined;
  /** The workspace must not keep it. */
  isSecret?: true;
}

/** A part of a page, such as a list. */
export interface Part {
  lines?: readonly string[];
  items?: readonly Item[];
  /** No more lines than these; undefined: as many as a list has room for. */
  most?: number;
  /** How many there are in all, where these are the beginning. */
  count?: number;
  /** The command that narrows a list. */
  narrow?: string;
}

/** A line with what can be done with it. */
export interface Item {
  line: string;
  /** Has the buttons that operations put beside such a thing. */
  about?: Thing;
  steps?: readonly Step[];
}

/** A thing of the account or a campaign, which operations put buttons beside. */
export type Thing = {
  [Kind in keyof ThingsWithButtons]: { kind: Kind; of: ThingsWithButtons[Kind]; name: string; in: ButtonPlace };
}[keyof ThingsWithButtons];

/** A button: it runs an operation, or opens its form with what is known. */
export interface Step {
  label: string;
  /** The name of an operation in the catalog. */
  operation: string;
  input: TextInput;
  opensForm?: true;
  /** The answer replaces the page. */
  replaces?: true;
  style?: 'primary' | 'danger';
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
