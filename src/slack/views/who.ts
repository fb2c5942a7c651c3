import { fullName } from '../../directory/names.ts';
import type { OperationResult } from '../../operations/operation-result.ts';
import type { Message } from './message.ts';
import { md, section, shortName } from './mrkdwn.ts';

const rightWords = {
  staff: 'see every quiz',
  edit_quizzes: 'edit quizzes',
  manage_users: 'manage users',
  manage_groups: 'manage groups',
  administrator: 'do everything an administrator may',
} as const;

/** Who the person is in the quiz account, and what they may do. */
export function whoMessage({ actor, rights }: Extract<OperationResult, { kind: 'who' }>): Message {
  const may = Object.entries(rightWords).filter(([right]) => rights.some((held) => held === right)).map(([, words]) => words);
  const who = actor.user
    ? md`You are *${shortName(fullName(actor.user))}*, ${actor.user.user_type} in the quiz account, as \`${shortName(actor.user.user_name)}\`.`
    : md`You are an *owner* of this bot, and so an administrator of the quiz account.`;
  const what = may.length === 0 ? md`You can see what is assigned to you, and what you scored.` : md`You may ${new Intl.ListFormat('en').format(may)}.`;
  return { text: who.mrkdwn, blocks: [section(who), section(what)] };
}
