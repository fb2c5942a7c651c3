import { formatMention, parseMention, unquote } from '../typed-text.ts';
import { wordAt } from '../clauses/clause.ts';
import { meaningAmong, meansOneOf } from '../other-words/meanings.ts';
import { channelTarget, type Channel } from './channel.ts';
import { invalid, unknownText, valueOf, type FieldBase, type FieldKind } from './field-kind.ts';
import { say } from '../../domain/said.ts';

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
