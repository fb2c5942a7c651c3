import { say } from '../../../domain/said.ts';
import { markedName } from '../../../directory/names.ts';
import { namedList } from '../../../domain/sentence.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { runStep } from '../../../operations/next-step.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { departureWords } from './departure-words.ts';
import { suspendDeparted } from './suspend-departed.ts';

/** Leaves the people of a list active, as far as the person manages them. */
export const dismissDeparted = defineOperation({
  name: 'dismiss-departed',
  command: '/quiz-user dismiss-departed <list>',
  summary: 'Leave people active who have left the workspace',
  title: say`Dismiss`,
  access: 'write',
  right: 'manage_users',
  rules: [{ name: 'dismissing a list of people who have left the workspace' }],
  submit: 'Dismiss',
  isTyped: false,
  forPeopleOnly: true,
  fields: { list: { kind: 'text', label: 'List', maxLength: 60 } },
  action: () => say`leave people active in the quiz account who have left the workspace`,
  effect: () => say`They could still sign in, and wouldn’t be listed again.`,
  async run({ departures, directory, visibility, call }, { list }) {
    const left = await departures.left(list);
    const users = await directory.users.names(call);
    const dismissed = (left ?? []).flatMap(({ userId }) => {
      const user = users.byId(userId);
      return user && visibility.user(user) ? [user] : [];
    });
    if (dismissed.length === 0) throw new InvalidInputError('list', departureWords.over);
    await departures.dismiss(
      list,
      dismissed.map(({ user_id }) => user_id),
    );
    return {
      kind: 'done',
      message: departureWords.dismissed(namedList(dismissed.map(markedName)), dismissed.length),
      next: [runStep(say`Suspend after all…`, suspendDeparted, {})],
    };
  },
});
