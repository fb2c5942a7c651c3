import type { KnownBlock } from '@slack/types';
import type { NewPassword, Result } from '../../operations/operation-result.ts';
import type { Message } from './message.ts';
import { context, md, section, sections, shortName } from './mrkdwn.ts';
import { sentenceMessage } from './sentence.ts';

/** Something was done. A password stands in it once; the message goes to nobody but the person who asked. */
export function doneMessage({ sentence, problems = [], password }: Extract<Result, { kind: 'done' }>): Message {
  const done = sentenceMessage('✅', sentence);
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
