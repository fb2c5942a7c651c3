import { shortName } from '../../../domain/short-name.ts';
import { say } from '../../../domain/said.ts';
import { context } from '../blocks/mrkdwn.ts';
import type { Message } from '../blocks/message.ts';

/** A message with what a person has to press, below a line that says which agent asked. `tokenName`: undefined for Slackbot. */
export function askedByMessage({ text, blocks, plain = blocks }: Message, tokenName: string | undefined): Message {
  const line =
    tokenName === undefined
      ? say`🤖 Slackbot asked for this in your name.`
      : say`🤖 The agent with your access token *${shortName(tokenName)}* asked for this in your name.`;
  return { text, blocks: [context(line), ...plain] };
}
