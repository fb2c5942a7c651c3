import { shortName } from '../../../domain/short-name.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { operationButton } from '../blocks/buttons.ts';
import type { Message } from '../blocks/message.ts';
import { section } from '../blocks/mrkdwn.ts';
import { asSaid, listed, say, channelMention } from '../../../domain/said.ts';

/** Asks before an operation involves a channel that other companies read. The button runs it. */
export function sharedChannelQuestion(
  operation: Operation,
  raw: TextInput,
  { channelId, companies }: { channelId: string; companies: readonly string[] },
): Message {
  const names = companies.map((name) => say`*${shortName(name)}*`);
  const others = listed(names);
  const question = say`⚠️ ${channelMention(channelId)} is shared with ${others}. Everyone in it would see the results.`;
  return {
    text: question,
    blocks: [
      section(question),
      {
        type: 'actions',
        elements: operationButton('shared', {
          text: say`${asSaid(operation.submit)} anyway`,
          doing: 'replace',
          operation,
          raw,
          style: 'danger',
        }),
      },
    ],
  };
}
