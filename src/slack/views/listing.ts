import type { Message } from './message.ts';
import { context, md, section, sections, type Mrkdwn } from './mrkdwn.ts';

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

/** `1 quiz`, `2 quizzes`. */
export function countOf(count: number, one: string, many: string): string {
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en')} ${many}`;
}
