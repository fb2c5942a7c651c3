import type { KnownBlock } from '@slack/types';
import { context, md, section, sections, shortName, type Mrkdwn } from './mrkdwn.ts';

/** A message. `text` is the notification and the text for screen readers. Both parts are escaped. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
  /**
   * The same facts in blocks that every surface supports. Set if `blocks` contains charts or tables: modals
   * don't support them, and neither do older workspaces.
   */
  plain?: KnownBlock[];
}

/** In characters; fits a sentence with the longest name, or a list of names. */
const longestSentence = 600;

/** A message of one sentence in plain text. */
export function textMessage(icon: string, sentence: string): Message {
  const text = md`${icon} ${shortName(sentence, longestSentence)}`;
  return { text: text.mrkdwn, blocks: [section(text)] };
}

/** After this many lines, a list says how to narrow it. */
const shownAtMost = 100;

/** A list with a heading. `narrow` is the command that narrows the list. */
export function listing(heading: Mrkdwn, lines: readonly Mrkdwn[], narrow: string): Message {
  const left = lines.length - shownAtMost;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...sections(lines.slice(0, shownAtMost)),
      ...(left > 0 ? [context(md`…and ${left} more. \`${narrow} part of a name\` narrows the list.`)] : []),
    ],
  };
}
