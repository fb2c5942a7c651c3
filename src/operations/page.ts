import type { AuditEntry } from '../domain/audit-chain.ts';
import type { Campaign } from '../domain/campaign.ts';
import type { Step, Texts } from '../domain/note.ts';
import type { PlanContent } from '../domain/plan.ts';
import { amount, inEnglish, joinSaid, lengthInEnglish, say } from '../domain/said.ts';
import type { Quiz, Group, User } from '../quiz-api/records.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';
import { moment } from '../time/date-words.ts';
import type { Fields } from './fields/fields.ts';
import type { TextInput } from './text-input.ts';

/** What an operation returns, for a view to show. */
export type OperationResult =
  /** `attempts`: the newest, of the results of a quiz. `data`: what the page says, for programs. */
  | ({ kind: 'page'; attempts?: readonly QuizResponse[]; data?: Readonly<Record<string, string | number>> } & Page)
  | Preview
  | DoneResult;

/** A stored plan, and what it would do, for its maker to start or change it. */
export interface Preview {
  kind: 'preview';
  /** Of the plan. */
  id: string;
  plan: PlanContent;
  /** False where nothing would change. */
  canStart: boolean;
  page: Page;
}

/** The page of a result that is no confirmation. */
export function pageIn(result: Exclude<OperationResult, DoneResult>): Page {
  return result.kind === 'page' ? result : result.page;
}

/** A change that was made, or had been made before. Sentences as in `domain/said.ts`. */
export interface DoneResult {
  kind: 'done';
  message: string;
  problems?: readonly string[];
  /** What was done, as an imperative for the record, where the input doesn’t say it. */
  change?: string;
  passwordOf?: PasswordTarget;
  /** The user that was created, where the service shows them. */
  created?: User;
  /** What was made, where it surely is this: the record names it beside what the input says. */
  targets?: AuditEntry['targets'];
  /** The users who got the quiz, and had not had it before: they get a message. */
  assigned?: { quizId: string; quizName: string; users: readonly NewAssignee[] };
  /** What people often do next, the likeliest first. The view offers only what the reader may do. */
  next?: readonly Step[];
  /** Nothing was changed: things already were as asked. */
  isNoChange?: true;
  /** It goes on in the background, which puts its beginning and its end on the record. */
  isStarted?: true;
}

/** Says that a change was made. */
export function made(message: string, next?: readonly Step[]): DoneResult {
  return { kind: 'done', message, next };
}

/** Says that things already were as asked. */
export function unchanged(message: string, next?: readonly Step[]): DoneResult {
  return { kind: 'done', message, isNoChange: true, next };
}

/** A user who got a quiz. `groupId`: through this group; undefined: directly. */
export interface NewAssignee {
  userId: string;
  groupId?: string;
}

/** A user whose password nobody knows: the person who asked for it can have another one set, and see it. */
export interface PasswordTarget {
  user: User;
  /** The user was created just now, and an answer of the service says so. */
  isNew: boolean;
}

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

/** An operation, as a button names it. */
interface Named {
  name: string;
}

/** A button that runs an operation. The input names things by ID, so that a new name changes nothing. */
export function runStep(label: string, { name }: Named, input: TextInput): Step {
  return { label, operation: name, input };
}

/** A button for the inputs of a list’s filter. A list that is short by itself has none. @param count how many are listed */
export function filterStep(
  operation: Named,
  filter: Readonly<Record<string, string | undefined>>,
  count: number,
): Step[] {
  const given = Object.entries(filter).flatMap(([field, text]) => (text ? [[field, [text]]] : []));
  return given.length === 0 && count < shortList ? [] : [formStep(say`Filter…`, operation, Object.fromEntries(given))];
}

/** Shorter lists need no filter. */
const shortList = 10;

/** As `runStep`, for a button whose answer opens somewhere else. */
function stepThatOpens(opens: Step['opens']): typeof runStep {
  return (label, operation, input) => ({ ...runStep(label, operation, input), opens });
}

/** A button that opens the form of an operation with what is known. */
export const formStep = stepThatOpens('form');

/** A button whose answer takes the place of the page. */
export const replaceStep = stepThatOpens('replace');

/** A button whose answer opens in a modal. */
export const modalStep = stepThatOpens('modal');

/** A button that opens the form in which the operation asks, whose answer takes the place of the page. */
export const questionStep = stepThatOpens('question');

/** Lines on a page; a message and a modal hold them. */
const linesOnPage = 40;

export interface Paged<Listed> {
  shown: readonly Listed[];
  /** From 1; the last page where a higher number was asked for. */
  page: number;
  pages: number;
}

/** @param size how many items a page has */
export function pageOf<Listed>(items: readonly Listed[], wanted: number, size = linesOnPage): Paged<Listed> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(wanted, pages);
  return { shown: items.slice((page - 1) * size, page * size), page, pages };
}

/** Buttons to the pages before and after, which replace the page; none for a single page. @param words the field with the number of the page, and what the buttons say */
export function pageSteps(
  operation: Named,
  input: TextInput,
  { page, pages }: Pick<Paged<unknown>, 'page' | 'pages'>,
  words = { field: 'page', previous: say`← Previous`, next: say`Next →` },
): Step[] {
  const to = (label: string, target: number) =>
    replaceStep(label, operation, { ...input, [words.field]: [String(target)] });
  return [...(page > 1 ? [to(words.previous, page - 1)] : []), ...(page < pages ? [to(words.next, page + 1)] : [])];
}

/** A page of a list, a line for each item, with these buttons and which page it is. @param list.wanted its number, from 1 */
export function pagedPart<Listed>(
  operation: Named,
  input: TextInput,
  { items, wanted, line }: { items: readonly Listed[]; wanted: number; line: (item: Listed) => string },
): Part {
  const { shown, page, pages } = pageOf(items, wanted);
  return {
    lines: shown.map(line),
    steps: pageSteps(operation, input, { page, pages }),
    notes: [pages > 1 && say`Page ${page} of ${pages}`],
  };
}

/** Says when the service gave a list. @param readAt undefined unless that is more than a minute ago */
export function ageOfList(readAt: number | undefined): string | undefined {
  return readAt === undefined
    ? undefined
    : say`As of ${moment(readAt)}. Run the command again in a moment to see later changes.`;
}

/** A list shows no more items than these; a message has room for no more. */
export const listedAtMost = 100;

/** What a page says, without what only buttons do. Each text can be several lines. */
export function linesOf({ heading, parts = [], notes = [] }: Page): string[] {
  return [heading, ...parts.flatMap(linesOfPart), ...notes].flatMap((line) => line || []);
}

function linesOfPart(part: Part): (string | false | undefined)[] {
  const { title, lines = [], facts = [], chart, table, items = [], most = listedAtMost, notes = [] } = part;
  const list = [...lines.filter((line) => line), ...items.map(({ line }) => line)];
  const rows = table?.lines ?? [];
  const shown = [...list.slice(0, most), ...rows.slice(0, most)];
  return [
    title,
    ...facts.map(([label, fact = '']) => fact.trim() !== '' && say`${label}: ${fact}`),
    ...(chart === undefined ? [] : chartLines(chart)),
    ...shown,
    leftWords((part.count ?? list.length + rows.length) - shown.length, part),
    ...notes,
  ];
}

/** Says that a list goes on, and where. */
export function leftWords(left: number, { narrow, rest }: Pick<Part, 'narrow' | 'rest'>): string | undefined {
  if (left <= 0) return undefined;
  if (narrow !== undefined)
    return say`…and ${amount(left)} more. To narrow the list, type \`${narrow}\` and part of a name.`;
  if (rest === undefined) return say`…and ${amount(left)} more`;
  return inEnglish(rest).startsWith('/')
    ? say`…and ${amount(left)} more: \`${rest}\``
    : joinSaid([say`…and ${amount(left)} more.`, rest], ' ');
}

const longestBar = 20;

/** A chart as text. */
export function chartLines({ title, name, xLabel, points, beside }: Chart): string[] {
  const labelWidth = Math.max(...points.map(({ label }) => lengthInEnglish(label)));
  const most = Math.max(1, ...(beside?.values ?? []), ...points.map(({ value }) => value));
  return [
    beside === undefined ? say`*${title}* · ${xLabel}` : say`*${title}* · ${xLabel} · ${name} · ${beside.name}`,
    ...points.map(({ label, value }, place) => {
      const bar = '█'.repeat(Math.ceil((longestBar * value) / most));
      const line = say`\`${' '.repeat(labelWidth - lengthInEnglish(label))}${label}\` ${bar}${bar && ' '}${value}`;
      return beside === undefined ? line : joinSaid([line, amount(beside.values[place] ?? 0)], ' · ');
    }),
  ];
}
