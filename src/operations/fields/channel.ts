import type { Target } from '../../domain/approval-request.ts';
import { formatMention, parseMention, wordAt, type Token, type Taken } from '../typed-text.ts';
import { invalid, usualKind, unknownText, valueOf } from './field-kind.ts';
import type { FieldBase, FieldKind, ResolvedValue } from './field-kind.ts';
import type { PlatformWords } from '../services/platform.ts';
import { say } from '../../domain/said.ts';
import { meaningAmong, meansOneOf } from '../other-words/meanings.ts';

/** A channel; left empty, the channel the person is in. */
interface ChannelField extends FieldBase {
  kind: 'channel';
}

export interface Channel {
  channel_id: string;
  /** Without the `#`; undefined when it is not known. */
  channel_name: string | undefined;
}

/** What channels have in common, whatever an empty field means. */
const namedChannel = {
  ...usualKind,
  take(tokens: readonly Token[], from: number): Taken | undefined {
    const token = tokens[from];
    const isChannel = token?.kind === 'mention' && parseMention(token.text)?.kind === 'channel';
    return isChannel ? { texts: [token.text], end: from + 1 } : undefined;
  },
  describe: (channel: Channel) => channelTarget(channel).name,
  targets: (channel: Channel) => [channelTarget(channel)],
};

function channelIn(text: string): ResolvedValue<Channel> | undefined {
  const mention = parseMention(text);
  return mention?.kind === 'channel' ? valueOf({ channel_id: mention.id, channel_name: mention.name }) : undefined;
}

const channelHint = ({ name }: PlatformWords) =>
  say`Type # and choose a channel from the list that ${name} offers, for example #training.`;

export const channelKind: FieldKind<ChannelField, Channel> = {
  ...namedChannel,
  followsFromPlace: true,
  resolve([text], _field, { channelId, platform }) {
    if (text !== undefined) return channelIn(text) ?? invalid(channelHint(platform));
    if (channelId === undefined)
      return invalid(
        say`Alerts go to channels, not to direct messages. Type this in a channel, or name one, for example #training.`,
      );
    return valueOf({ channel_id: channelId, channel_name: undefined });
  },
  identify: ({ channel_id }) => [formatMention({ kind: 'channel', id: channel_id })],
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
interface BoardField extends FieldBase {
  kind: 'board';
}

export const boardKind: FieldKind<BoardField, Channel> = {
  ...namedChannel,
  take(tokens, from) {
    const channel = namedChannel.take(tokens, from);
    if (channel) return channel;
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
    return channelIn(text) ?? unknownText(channelHint(platform));
  },
  identify: ({ channel_id, channel_name }) => [formatMention({ kind: 'channel', id: channel_id, name: channel_name })],
};
