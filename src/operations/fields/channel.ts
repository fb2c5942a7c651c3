import type { Target } from '../../domain/approval-request.ts';
import { formatMention, parseMention, unquote } from '../typed-text.ts';
import { invalid, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

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
