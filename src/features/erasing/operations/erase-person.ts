import { say } from '../../../domain/said.ts';
import { namedUser, recordName } from '../../../directory/names.ts';
import { unlessGone } from '../../../quiz-api/errors.ts';
import { isOnRecordOnly } from '../../../operations/fields/user.ts';
import { defineOperation } from '../../../operations/operation.ts';
import type { DoneResult } from '../../../operations/operation-result.ts';
import type { User } from '../../../quiz-api/users.ts';
import { erasingWords } from './erasing-words.ts';

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
  forPeopleOnly: true,
  uses: ['erasing', 'reach'],
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
      ...(reached && { personId: reached.personId }),
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
  return { kind: 'done', message: isOnRecordOnly(user) ? erasingWords.begunOnRecord(name) : erasingWords.begun(name) };
}
