import type { Right } from '../context.ts';
import { assigneesKind, audienceKind, peopleKind, usersKind, type Assignee, type AssigneesField } from './people.ts';
import { batchKind, departureKind, planKind } from './kept.ts';
import { boardKind, channelKind } from './channel.ts';
import { campaignKind } from './campaign.ts';
import { choiceKind, flagsKind } from './choice.ts';
import { columnsKind, fileKind } from './file.ts';
import { emailKind, textKind } from './text.ts';
import { durationsKind, validityKind } from './times.ts';
import type { FieldKind } from './field-kind.ts';
import { groupKind, quizKind, campaignsKind, groupsKind, quizzesKind } from './things.ts';
import { periodKind } from './period.ts';
import { subscriptionKind } from './subscription.ts';
import { userKind } from './user.ts';

/** The kinds of fields. */
const fieldKinds = {
  text: textKind,
  email: emailKind,
  period: periodKind,
  choice: choiceKind,
  flags: flagsKind,
  quiz: quizKind,
  user: userKind,
  users: usersKind,
  group: groupKind,
  groups: groupsKind,
  quizzes: quizzesKind,
  assignees: assigneesKind as FieldKind<AssigneesField, Assignee[]>,
  people: peopleKind,
  channel: channelKind,
  subscription: subscriptionKind,
  file: fileKind,
  audience: audienceKind,
  campaign: campaignKind,
  campaigns: campaignsKind,
  plan: planKind,
  batch: batchKind,
  durations: durationsKind,
  validity: validityKind,
  board: boardKind,
  columns: columnsKind,
  departure: departureKind,
};

type Kinds = typeof fieldKinds;
type FieldIn<Kind> = Kind extends FieldKind<infer F, infer _> ? F : never;
type ValueIn<Kind> = Kind extends FieldKind<infer _, infer V> ? V : never;
export type FieldOf<K extends keyof Kinds> = FieldIn<Kinds[K]>;
export type ValueOf<K extends keyof Kinds> = ValueIn<Kinds[K]>;
export type Field = FieldOf<keyof Kinds>;
export type Value = ValueOf<keyof Kinds>;
export type Fields = Readonly<Record<string, Field>>;

/** The parsed input: every required field is there. */
export type Input<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { optional: true }
    ? ValueOf<F[Name]['kind']> | undefined
    : ValueOf<F[Name]['kind']>;
};

/** What the core knows of the kind of a field. Its values belong to the same field. */
export function kindOf({ kind }: Field): FieldKind<Field, Value> {
  return fieldKinds[kind];
}

/** Whether forms leave a field out for a person with these rights: they could choose nothing in it, and need not. */
export function isLeftOut(field: Field, rights: ReadonlySet<Right>): boolean {
  const isOfOwn = field.kind === 'group' || field.kind === 'groups' || field.kind === 'quizzes';
  return field.optional === true && isOfOwn && !kindOf(field).canName(rights, field);
}
