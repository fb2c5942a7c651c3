import type { Quiz } from '../quiz-api/quizzes.ts';
import type { QuizResponse } from '../quiz-api/responses.ts';
import type { User } from '../quiz-api/users.ts';
import type { PlanContent } from '../domain/plan.ts';
import type { AuditEntry, ChainLink } from '../domain/audit-chain.ts';
import type { Page, Step, Chart, Part } from './page.ts';
import { amount, inEnglish, joinSaid, lengthInEnglish, say } from '../domain/said.ts';

/** A list shows no more items than these; a message has room for no more. */
export const listedAtMost = 100;

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

/** A change that was made, or had been made before. Sentences as in `domain/sentence.ts`. */
export interface DoneResult {
  kind: 'done';
  message: string;
  problems?: readonly string[];
  /** What was done, as an imperative for the record, where the input doesn’t say it. */
  change?: string;
  passwordOf?: PasswordTarget;
  /** The user that was created, where the service shows them. */
  created?: User;
  /** The quiz that was made, where the service surely shows it. */
  createdQuiz?: Quiz;
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

export interface AuditRecord {
  link: ChainLink;
  entry: AuditEntry;
}

/** A user whose password nobody knows: the person who asked for it can have another one set, and see it. */
export interface PasswordTarget {
  user: User;
  /** The user was created just now, and an answer of the service says so. */
  isNew: boolean;
}

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
