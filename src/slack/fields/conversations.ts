import type { ConversationsSelect } from '@slack/types';
import type { Assignee } from '../../operations/fields/assignees.ts';
import type { BoardField } from '../../operations/fields/board.ts';
import type { Channel, ChannelField } from '../../operations/fields/channel.ts';
import type { PeopleField } from '../../operations/fields/users.ts';
import { formatMention, parseMention } from '../../operations/typed-text.ts';
import { plain } from '../views/blocks/mrkdwn.ts';
import { offersNothing, type InputState, type SlackFieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

/** Slack's own picker of people. */
export const slackPeople: SlackFieldKind<PeopleField, Assignee[]> = {
  ...offersNothing,
  element(_field, state) {
    const people = idsIn(state);
    return {
      type: 'multi_users_select',
      placeholder: plain(say`Choose people`),
      ...(people.length > 0 && { initial_users: people }),
    };
  },
  read: ({ selected_users }) =>
    selected_users?.length ? { texts: selected_users.map((id) => formatMention({ kind: 'person', id })) } : undefined,
  // Users of the account do not say who they are in Slack.
  fill: () => ({ texts: [] }),
};

/** Slack's own picker of channels. */
export const slackChannel: SlackFieldKind<ChannelField, Channel> = {
  ...offersNothing,
  element: (_field, state) => channelPicker(state, { default_to_current_conversation: true }),
  read: ({ selected_conversation }) => (selected_conversation ? stateOfChannel(selected_conversation) : undefined),
  fill: ({ channel_id }) => stateOfChannel(channel_id),
  fillFromPlace: stateOfChannel,
};

/** Slack's own picker of channels, in which nothing is chosen at first. */
export const slackBoard: SlackFieldKind<BoardField, Channel> = {
  ...offersNothing,
  element: (_field, state) => channelPicker(state, {}),
  read: slackChannel.read,
  fill: ({ channel_id }) => stateOfChannel(channel_id),
};

/** Showing results in a channel that other companies read takes a command, which asks first. */
function channelPicker(
  state: InputState | undefined,
  whenNoneIsChosen: { default_to_current_conversation?: true },
): ConversationsSelect {
  const [channel] = idsIn(state);
  return {
    type: 'conversations_select',
    placeholder: plain(say`Choose a channel`),
    filter: { include: ['public', 'private'], exclude_external_shared_channels: true, exclude_bot_users: true },
    ...(channel === undefined ? whenNoneIsChosen : { initial_conversation: channel }),
  };
}

function stateOfChannel(id: string): InputState {
  return { texts: [formatMention({ kind: 'channel', id })] };
}

export function idsIn(state: InputState | undefined): string[] {
  return (state?.texts ?? []).flatMap((text) => parseMention(text)?.id ?? []);
}
