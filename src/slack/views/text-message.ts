import type { Message } from './message.ts';
import { md, section, shortName } from './mrkdwn.ts';

/** A sentence can hold the longest name, or a list of them. */
const longestSentence = 600;

/** One sentence, in plain text. */
export function textMessage(icon: string, sentence: string): Message {
  const text = md`${icon} ${shortName(sentence, longestSentence)}`;
  return { text: text.mrkdwn, blocks: [section(text)] };
}
