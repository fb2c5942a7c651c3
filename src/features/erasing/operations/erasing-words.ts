import { say } from '../../../domain/said.ts';
const deletion = say`Their user would be deleted for good in the quiz account, with their results there.`;
const unreadable = say`What the bot keeps about them, in campaigns, requests, files to import and on the audit trail, couldn’t be read any more.`;
const stays = say`What stays: the IDs that they have in the quiz account and in the workspace, with times and scores; that they were erased, and by whom; reasons and comments that are about other people, too, since the bot doesn’t search what people wrote; messages and files that were sent; and backups.`;

/** The sentences about erasing a person. */
export const erasingWords = {
  effect: [deletion, unreadable, stays].join(' '),
  effectOnRecord: [unreadable, stays].join(' '),
  begun: (name: string) =>
    say`Deleted the user ${name}. Erasing what the bot knows about them takes about a quarter of an hour; the audit trail says when it’s finished.`,
  begunOnRecord: (name: string) =>
    say`Started to erase ${name}. It takes about a quarter of an hour; the audit trail says when it’s finished.`,
  /** On the audit trail, as an imperative. It names nobody, so nothing of it is sealed. */
  finished(texts: number, isCompact: boolean): string {
    const done = `finish erasing a person from ${texts.toLocaleString('en')} ${texts === 1 ? 'text' : 'texts'}`;
    return isCompact ? done : `${done}; Redis still has to write its files anew (BGREWRITEAOF, BGSAVE)`;
  },
};
