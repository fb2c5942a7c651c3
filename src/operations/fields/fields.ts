import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { Group, User } from '../../quiz-api/users.ts';
import type { BatchProgress } from '../../domain/batch.ts';
import type { Campaign, Validity } from '../../domain/campaign.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Right } from '../context.ts';
import type { SubscriptionState } from '../services/alerts.ts';
import { assigneesKind, type Assignee, type AssigneesField } from './assignees.ts';
import { audienceKind, type AudienceField, type AudiencePart } from './audience.ts';
import {
  batchKind,
  type BatchField,
  departureKind,
  type Departure,
  type DepartureField,
  planKind,
  type PlanField,
} from './kept.ts';
import { boardKind, type BoardField, channelKind, type Channel, type ChannelField } from './channel.ts';
import { campaignKind, type CampaignField } from './campaign.ts';
import { choiceKind, type ChoiceField, flagsKind, type FlagsField } from './choice.ts';
import { columnsKind, type ColumnsField, fileKind, type FileField, type FileSource } from './file.ts';
import { textKind, type TextField, emailKind, type EmailField } from './text.ts';
import { durationsKind, type DurationsField } from './durations.ts';
import type { FieldKind } from './field-kind.ts';
import { groupKind, type GroupField } from './group.ts';
import { periodKind, type Period, type PeriodField } from './period.ts';
import { peopleKind, type PeopleField, usersKind, type UsersField } from './users.ts';
import { quizKind, type QuizField } from './quiz.ts';
import { campaignsKind, groupsKind, quizzesKind, type SeveralField } from './several.ts';
import { subscriptionKind, type SubscriptionField } from './subscription.ts';
import { userKind, type UserField } from './user.ts';
import { validityKind, type ValidityField } from './validity.ts';

/** The kinds of fields, each with its definition and its value. */
interface Kinds {
  text: [TextField, string];
  email: [EmailField, string];
  period: [PeriodField, Period];
  choice: [ChoiceField, string];
  flags: [FlagsField, string[]];
  quiz: [QuizField, Quiz];
  user: [UserField, User];
  users: [UsersField, User[]];
  group: [GroupField, Group];
  groups: [SeveralField<'groups'>, Group[]];
  quizzes: [SeveralField<'quizzes'>, Quiz[]];
  assignees: [AssigneesField, Assignee[]];
  people: [PeopleField, Assignee[]];
  channel: [ChannelField, Channel];
  subscription: [SubscriptionField, SubscriptionState];
  file: [FileField, FileSource];
  audience: [AudienceField, AudiencePart[]];
  campaign: [CampaignField, Campaign];
  campaigns: [SeveralField<'campaigns'>, Campaign[]];
  plan: [PlanField, Plan];
  batch: [BatchField, BatchProgress];
  durations: [DurationsField, number[]];
  validity: [ValidityField, Validity];
  board: [BoardField, Channel];
  columns: [ColumnsField, string[]];
  departure: [DepartureField, Departure];
}

export type FieldOf<K extends keyof Kinds> = Kinds[K][0];
export type ValueOf<K extends keyof Kinds> = Kinds[K][1];
export type Field = FieldOf<keyof Kinds>;
export type Value = ValueOf<keyof Kinds>;
export type Fields = Readonly<Record<string, Field>>;

/** The parsed input: every required field is there. */
export type Input<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { optional: true }
    ? ValueOf<F[Name]['kind']> | undefined
    : ValueOf<F[Name]['kind']>;
};

const fieldKinds: { readonly [K in Field['kind']]: FieldKind<FieldOf<K>, ValueOf<K>> } = {
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
  assignees: assigneesKind,
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

/** What the core knows of the kind of a field. Its values belong to the same field. */
export function kindOf({ kind }: Field): FieldKind<Field, Value> {
  return fieldKinds[kind];
}

/** Whether forms leave a field out for a person with these rights: they could choose nothing in it, and need not. */
export function isLeftOut(field: Field, rights: ReadonlySet<Right>): boolean {
  const isOfOwn = field.kind === 'group' || field.kind === 'groups' || field.kind === 'quizzes';
  return field.optional === true && isOfOwn && !kindOf(field).canName(rights, field);
}
