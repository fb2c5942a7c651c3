import type { KnownBlock } from '@slack/types';
import type { NewPassword, OperationResult } from '../../operations/operation-result.ts';
import { context, md, section, sections, shortName, type Mrkdwn } from './mrkdwn.ts';

/** A message: `text` is its notification and what a screen reader reads. Both are escaped. */
export interface Message {
  text: string;
  blocks: KnownBlock[];
  /**
   * The same facts in blocks that stand everywhere, where `blocks` holds some that do not: modals know no
   * charts and tables, and a workspace can be older than a block.
   */
  plain?: KnownBlock[];
}

/** A sentence can hold the longest name, or a list of them. */
const longestSentence = 600;

/** One sentence, in plain text. */
export function textMessage(icon: string, sentence: string): Message {
  const text = md`${icon} ${shortName(sentence, longestSentence)}`;
  return { text: text.mrkdwn, blocks: [section(text)] };
}

/** Lines shown before a list says how to narrow it. */
const shownAtMost = 100;

/** A list under its heading, cut where it grows too long to read. `narrow` is the command that narrows it. */
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

/** Something was done. A password stands in it once; the message goes to nobody but the person who asked. */
export function doneMessage({ message, problems = [], password }: Extract<OperationResult, { kind: 'done' }>): Message {
  const done = textMessage('✅', message);
  return {
    text: done.text,
    blocks: [
      ...done.blocks,
      ...sections(problems.map((problem) => md`⚠️ ${shortName(problem, 300)}`)),
      ...(password ? passwordBlocks(password) : []),
    ],
  };
}

export function passwordBlocks({ userName, password }: NewPassword): KnownBlock[] {
  return [
    section(md`They sign in as \`${shortName(userName)}\` with the password \`${password}\``),
    context(md`This is the only time you see it: pass it on to them and nobody else.`),
  ];
}
