import type { SectionBlock } from '@slack/types';
import type { Operation } from '../../operations/operation.ts';
import type { Message } from './message.ts';
import { context, md, section, sections, shortName } from './mrkdwn.ts';

/** What a person can type after a command. `unknownVerb` is what they typed instead. */
export function helpMessage(command: string, operations: readonly Operation[], unknownVerb?: string): Message {
  const heading =
    unknownVerb === undefined
      ? md`*What you can do with \`${command}\`*`
      : md`There is no \`${command} ${shortName(unknownVerb, 50)}\`. This is what you can do with \`${command}\`:`;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...commandList(operations),
      context(md`Names can be typed in part, and what you leave out is asked for in a form. [What is in brackets] need not be given.`),
    ],
  };
}

/** Operations as people type them, with what they do. */
export function commandList(operations: readonly Operation[]): SectionBlock[] {
  return sections(operations.map((operation) => md`\`${operation.command}\`  ${operation.summary}`));
}
