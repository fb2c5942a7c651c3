import type { Target } from '../../domain/approval-request.ts';
import { formatMention, parseMention, unquote } from '../typed-text.ts';
import { invalid, valueOf, type FieldBase, type FieldKind, unknownText } from './field-kind.ts';
import { say } from '../../domain/said.ts';
import { wordAt } from '../clauses/clause.ts';
import { meaningAmong, meansOneOf } from '../other-words/meanings.ts';

/** A channel; left empty, the channel the person is in. */
export interface ChannelField extends FieldBase {
  kind: 'channel';
}

export interface Channel {
  channel_id: string;
  /** Without the `#`; undefined when it is not known. */
  channel_name: string | undefined;
}

export const channelKind: FieldKind<ChannelField, Channel> = {
  followsFromPlace: true,
  canName: () => true,
  split: (typed) => [unquote(typed)],
  take(tokens, from) {
    const token = tokens[from];
    const isChannel = token?.kind === 'mention' && parseMention(token.text)?.kind === 'channel';
    return isChannel ? { texts: [token.text], end: from + 1 } : undefined;
  },
  resolve([text], _field, { channelId, platform }) {
    if (text !== undefined) {
      const mention = parseMention(text);
      if (mention?.kind !== 'channel')
        return invalid(
          say`Type # and choose a channel from the list that ${platform.name} offers, for example #training.`,
        );
      return valueOf({ channel_id: mention.id, channel_name: mention.name });
    }
    if (channelId === undefined)
      return invalid(
        say`Alerts go to channels, not to direct messages. Type this in a channel, or name one, for example #training.`,
      );
    return valueOf({ channel_id: channelId, channel_name: undefined });
  },
  identify: ({ channel_id }) => [formatMention({ kind: 'channel', id: channel_id })],
  describe: (channel) => channelTarget(channel).name,
  targets: (channel) => [channelTarget(channel)],
  refetch: async (channel) => channel,
  // The platform has a picker of its own.
  narrow: async () => [],
};

export function channelTarget({ channel_id, channel_name }: Channel): Target {
  return {
    kind: 'channel',
    id: channel_id,
    name: channel_name === undefined ? `channel ${channel_id}` : `#${channel_name}`,
    facts: {},
  };
}

/** A channel that is named, or `here`: the channel the person is in. Left empty, there is none. */
export interface BoardField extends FieldBase {
  kind: 'board';
}

export const boardKind: FieldKind<BoardField, Channel> = {
  followsFromPlace: false,
  canName: () => true,
  split: (typed) => [unquote(typed)],
  take(tokens, from) {
    const token = tokens[from];
    if (token?.kind === 'mention' && parseMention(token.text)?.kind === 'channel')
      return { texts: [token.text], end: from + 1 };
    if (wordAt(tokens, from) === 'here') return { texts: ['here'], end: from + 1 };
    const here = meaningAmong(tokens, from, ['here']);
    return here && { texts: ['here'], end: from + here.length };
  },
  resolve([text = ''], _field, { channelId, platform }) {
    if (text.toLowerCase() === 'here' || meansOneOf(text, ['here'])) {
      return channelId === undefined
        ? invalid(say`This is a direct message. Name a channel, for example #training.`)
        : valueOf({ channel_id: channelId, channel_name: undefined });
    }
    const mention = parseMention(text);
    if (mention?.kind !== 'channel')
      return unknownText(
        say`Type # and choose a channel from the list that ${platform.name} offers, for example #training.`,
      );
    return valueOf({ channel_id: mention.id, channel_name: mention.name });
  },
  identify: ({ channel_id, channel_name }) => [formatMention({ kind: 'channel', id: channel_id, name: channel_name })],
  describe: (channel) => channelTarget(channel).name,
  targets: (channel) => [channelTarget(channel)],
  refetch: async (channel) => channel,
  // The platform has a picker of its own.
  narrow: async () => [],
};
