import type { KnownBlock } from '@slack/types';
import type { NewPassword, OperationResult } from '../../operations/operation-result.ts';
import type { Message } from './message.ts';
import { context, md, section, sections, shortName } from './mrkdwn.ts';
import { textMessage } from './text-message.ts';

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
