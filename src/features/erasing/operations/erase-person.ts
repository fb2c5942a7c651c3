import { say } from '../../../domain/said.ts';
import { namedUser, recordName } from '../../../directory/names.ts';
import { unlessGone } from '../../../quiz-api/errors.ts';
import { isOnRecordOnly } from '../../../operations/fields/user.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { made, type DoneResult } from '../../../operations/page.ts';
import type { User } from '../../../quiz-api/records.ts';

/**
 * Deletes a user of the account, and has the bot erase what it keeps of the person. A user who was deleted before is named by the ID that
 * the record has.
 */
export const erasePerson = defineOperation({
  name: 'erase-person',
  command: '/quiz-admin erase <user>',
  synonyms: ['forget', 'erase-user'],
  summary: 'Delete a person’s user, and make unreadable what the bot keeps about them, also on the record',
  title: say`Erase a person`,
  access: 'destructive',
  right: 'manage_users',
  submit: 'Erase',
  onUser: ({ user }) => ({ user, to: 'deleted' }),
  takesTurn: true,
  forPeopleOnly: true,
  fields: {
    user: {
      kind: 'user',
      label: 'Person',
      hint: 'You can’t undo this. Of a user who is deleted already, type the ID that the audit trail has.',
      orOnRecord: true,
    },
  },
  action: ({ user }) => say`erase ${namedUser(user, recordName)}`,
  effect: (_, { user }) => (isOnRecordOnly(user) ? erasingWords.effectOnRecord : erasingWords.effect),
  done: begun,
  async run({ api, directory, erasing, reach, actor, call }, input) {
    const { user } = input;
    const reached = isOnRecordOnly(user) ? undefined : (await reach([user], { call })).get(user.user_id);
    await erasing.begin({
      userId: user.user_id,
      personId: reached?.personId,
      addresses: [user.user_name, user.email_address].filter((address) => address !== ''),
      by: actor.personId,
    });
    if (!isOnRecordOnly(user)) {
      await api.users.delete(user.user_id, call).catch(unlessGone);
      directory.users.remove(user);
    }
    await erasing.goOn(user.user_id);
    return begun(input);
  },
});

function begun({ user }: { user: User }): DoneResult {
  const name = namedUser(user);
  return made(isOnRecordOnly(user) ? erasingWords.begunOnRecord(name) : erasingWords.begun(name));
}

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
