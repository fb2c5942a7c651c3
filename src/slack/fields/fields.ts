import type { Field, FieldOf, Value, ValueOf } from '../../operations/fields/fields.ts';
import {
  slackAudience,
  slackBatch,
  slackCampaign,
  slackCampaigns,
  slackDurations,
  slackPlan,
  slackValidity,
} from './plans-and-campaigns.ts';
import { slackBoard, slackChannel, slackPeople } from './conversations.ts';
import { type SlackFieldKind, offersNothing, stateOfOptions, type InputState } from './field-kind.ts';
import { slackAssignees, slackGroup, slackGroups, slackQuiz, slackQuizzes, slackUser, slackUsers } from './picker.ts';
import { slackDay, slackEmail, slackSubscription, slackText } from './text.ts';
import { labelOf, offeredOptions, type ChoiceField, type FlagsField } from '../../operations/fields/choice.ts';
import { fieldOption } from '../views/blocks/options.ts';
import {
  formatFile,
  sourceName,
  type FileField,
  type FileSource,
  type ColumnsField,
} from '../../operations/fields/file.ts';
import { formatMention } from '../../operations/typed-text.ts';
import { plain } from '../views/blocks/mrkdwn.ts';
import type { ViewStateValue } from '@slack/bolt';
import type { Departure, DepartureField } from '../../operations/fields/departure.ts';

/** Forms have none: rows of many changes alone are about people who have left. */
const slackDeparture: SlackFieldKind<DepartureField, Departure> = {
  ...offersNothing,
  element: () => undefined,
  read: () => undefined,
  fill: ({ userId }) => ({ texts: [userId] }),
};

/** A menu for each column, in a form of its own. The block ID of a menu ends with the place of its column. */
const slackColumns: SlackFieldKind<ColumnsField, string[]> = {
  ...offersNothing,
  element: () => undefined,
  read: () => undefined,
  readParts(menus) {
    const texts = [...menus].flatMap(([place, { selected_option: chosen }]: [string, ViewStateValue]) =>
      chosen ? [`${place}=${chosen.value}`] : [],
    );
    return texts.length > 0 ? { texts } : undefined;
  },
  fill: (texts) => ({ texts }),
};

/** Slack's limits for an option. */
const longestValue = 150;

/**
 * An upload. Slack cannot show a file that was chosen before in an upload, so a form that opens with a file, or with a
 * channel, has a menu with that alone.
 */
const slackFile: SlackFieldKind<FileField, FileSource> = {
  ...offersNothing,
  element({ extensions }, state) {
    const [chosen] = state?.options ?? [];
    if (chosen) return { type: 'static_select', options: [chosen], initial_option: chosen };
    return { type: 'file_input', filetypes: [...extensions], max_files: 1 };
  },
  read({ files, selected_option }) {
    if (selected_option) return stateOfOptions([selected_option]);
    const [file] = files ?? [];
    return file && stateOf({ kind: 'file', id: file.id, name: file.name ?? '' });
  },
  fill: stateOf,
};

function stateOf(source: FileSource): InputState {
  const value = source.kind === 'file' ? formatFile(source) : formatMention(source.mention);
  return {
    texts: [value],
    options: value.length > longestValue ? [] : [{ text: plain(sourceName(source)), value }],
  };
}

const slackChoice: SlackFieldKind<ChoiceField, string> = {
  ...offersNothing,
  element({ options, usual }, state, rights) {
    const offered = offeredOptions(options, rights).map(fieldOption);
    if (offered.length === 0) return undefined;
    const initial = state?.options?.[0] ?? offered.find(({ value }) => value === usual);
    return { type: 'static_select', options: offered, ...(initial && { initial_option: initial }) };
  },
  read: ({ selected_option }) => stateOfOptions(selected_option ? [selected_option] : []),
  fill: (value, { options }) => ({
    texts: [value],
    options: options.filter((option) => option.value === value).map(fieldOption),
  }),
};

/** Checkboxes. */
const slackFlags: SlackFieldKind<FlagsField, string[]> = {
  ...offersNothing,
  element({ options }, state, rights) {
    const offered = offeredOptions(options, rights).map(fieldOption);
    if (offered.length === 0) return undefined;
    return {
      type: 'checkboxes',
      options: offered,
      ...(state?.options?.length && { initial_options: [...state.options] }),
    };
  },
  read: ({ selected_options }) => stateOfOptions(selected_options),
  fill: (values, { options }) => ({
    texts: values,
    options: values.map((value) =>
      fieldOption(options.find((option) => option.value === value) ?? { value, label: labelOf(value, options) }),
    ),
  }),
};

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
  campaigns: slackCampaigns,
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
