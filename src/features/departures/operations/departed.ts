import { say, amount, namedList } from '../../../domain/said.ts';
import { markedName, publicName } from '../../../directory/names.ts';
import type { BatchRow, ChangeRow } from '../../../domain/batch.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { defineOperation, ofPreview } from '../../../operations/operation.ts';
import { judgedPlan, rowOf, sameRow, skippedRow, previewOf } from '../../../operations/define-plan.ts';
import { batchWords } from '../../batches/operations/batch-words.ts';
import type { User } from '../../../quiz-api/records.ts';
import { reinstateUser, suspendUser } from '../../users/state.ts';
import { runStep, made, unchanged } from '../../../operations/page.ts';

/** Shows what the suspension of people who left the platform would do: of those on a list, or of all. */
export const suspendDeparted = defineOperation({
  name: 'suspend-departed',
  command: '/quiz-user suspend-departed',
  synonyms: ['suspend-leavers', 'deactivate-departed'],
  summary: 'Suspend everyone who has left the workspace; shows what would happen first',
  title: say`Suspend who has left`,
  ...ofPreview,
  right: 'manage_users',
  forPeopleOnly: true,
  fields: { list: { kind: 'text', label: 'List', maxLength: 60, optional: true, typedOnly: true } },
  async run(context, { list }) {
    const { departures, directory, visibility, platform, actor } = context;
    const left = await departures.left(list);
    if (left === undefined) throw new InvalidInputError('list', departureWords.over);
    await directory.users.fresh(context.call);
    const users = await directory.users.names(context.call);
    const rows = left.flatMap(({ userId, isProtected }): BatchRow[] => {
      const user = users.byId(userId);
      if (user === undefined || !visibility.user(user)) return [];
      if (user.suspended) return [sameRow(user)];
      if (isProtected) return [skippedRow(publicName(user), departureWords.protected)];
      return user.user_id === actor.user?.user_id
        ? [skippedRow(publicName(user), batchWords.ownSuspension)]
        : [suspensionOf(user)];
    });
    const changed = rows.filter(({ kind }) => kind !== 'none').length;
    if (rows.every((row) => row.kind === 'none' && row.outcome.kind === 'same'))
      return unchanged(departureWords.nobody(platform.name));
    const privileged = rows.flatMap((row) => {
      const user = row.kind === 'change' ? users.byId(row.userId ?? '') : undefined;
      return user === undefined || user.user_type === 'respondent' ? [] : [markedName(user)];
    });
    const plan = await judgedPlan(context, {
      operation: 'suspend-departed',
      ...departureWords.suspend(changed, platform.name),
      rows,
      privileged,
      // As of a group: more is lost by it than by a single suspension.
      needsApproval: changed > 1,
    });
    return previewOf(context, plan, undefined);
  },
});

/** Is made only while the person is still gone. */
function suspensionOf(user: User): ChangeRow {
  const { user_id: userId } = user;
  return rowOf(
    suspendUser.name,
    { user: [userId], left: [userId] },
    {
      name: publicName(user),
      words: say`suspended`,
      undo: { operation: reinstateUser.name, words: say`reinstated` },
      userId,
    },
  );
}

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
    return made(departureWords.dismissed(namedList(dismissed.map(markedName)), dismissed.length), [
      runStep(say`Suspend after all…`, suspendDeparted, {}),
    ]);
  },
});

/** What people read about who has left the platform. Sentences of `domain/said.ts`. */
export const departureWords = {
  suspend: (count: number, platform: string) =>
    count === 1
      ? {
          action: say`suspend 1 person who has left ${platform}`,
          done: say`suspended 1 person who has left ${platform}`,
        }
      : {
          action: say`suspend ${amount(count)} people who have left ${platform}`,
          done: say`suspended ${amount(count)} people who have left ${platform}`,
        },
  nobody: (platform: string) => say`Nobody whom you manage has left ${platform} and is active in the quiz account.`,
  over: say`Nobody on this list is left to decide on.`,
  protected: say`They’re named in OWNERS, so they count as an administrator. Take them out there first.`,
  dismissed: (names: string, count: number) =>
    say`Dismissed. ${names} ${count === 1 ? 'stays' : 'stay'} active in the quiz account, and won’t be listed again unless they come back and leave again.`,
};
