import type { Field, FieldOf, Value, ValueOf } from '../../operations/fields/fields.ts';
import {
  slackAudience,
  slackBatch,
  slackCampaign,
  slackDurations,
  slackPlan,
  slackValidity,
} from './plans-and-campaigns.ts';
import { slackChoice, slackFlags } from './choice.ts';
import { slackColumns } from './columns.ts';
import { slackBoard, slackChannel, slackPeople } from './conversations.ts';
import { slackDeparture } from './departure.ts';
import type { SlackFieldKind } from './field-kind.ts';
import { slackFile } from './file.ts';
import { slackAssignees, slackGroup, slackGroups, slackQuiz, slackQuizzes, slackUser, slackUsers } from './picker.ts';
import { slackDay, slackEmail, slackSubscription, slackText } from './text.ts';

const slackFieldKinds: { readonly [K in Field['kind']]: SlackFieldKind<FieldOf<K>, ValueOf<K>> } = {
  text: slackText,
  email: slackEmail,
  day: slackDay,
  choice: slackChoice,
  flags: slackFlags,
  quiz: slackQuiz,
  user: slackUser,
  users: slackUsers,
  group: slackGroup,
  groups: slackGroups,
  quizzes: slackQuizzes,
  assignees: slackAssignees,
  people: slackPeople,
  channel: slackChannel,
  subscription: slackSubscription,
  file: slackFile,
  audience: slackAudience,
  campaign: slackCampaign,
  plan: slackPlan,
  batch: slackBatch,
  durations: slackDurations,
  validity: slackValidity,
  board: slackBoard,
  columns: slackColumns,
  departure: slackDeparture,
};

/** What Slack's forms know of the kind of a field. Its values belong to the same field. */
export function slackKindOf({ kind }: Field): SlackFieldKind<Field, Value> {
  return slackFieldKinds[kind];
}
