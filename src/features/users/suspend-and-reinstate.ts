import { namedUser, recordName } from '../../directory/names.ts';
import type { User } from '../../quiz-api/users.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { formStep, runStep } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import { aType } from '../../operations/wording/words.ts';
import { departureWords } from '../departures/operations/departure-words.ts';
import { changeUser } from './update-user.ts';
import { isOfStaff } from './user-options.ts';
import { say } from '../../domain/said.ts';

export const suspendUser = defineOperation({
  name: 'suspend-user',
  command: '/quiz-user suspend <user>',
  synonyms: ['deactivate', 'disable', 'block', 'unreinstate', 'lock'],
  summary: 'Suspend a user, so that they can’t sign in',
  isCommon: true,
  buttons: {
    user: [
      {
        label: 'Suspend…',
        in: ['list', 'page'],
        position: 3,
        opens: 'form',
        when: (user) => !user.suspended,
        input: ({ user_id }) => ({ user: [user_id] }),
      },
    ],
  },
  access: 'write',
  right: 'manage_users',
  rules: [{ name: 'suspending a user' }],
  submit: 'Suspend user',
  onUser: ({ user }) => ({ user, to: { suspended: true } }),
  takesTurn: true,
  fields: {
    user: {
      kind: 'user',
      label: 'User',
      hint: 'They can’t sign in until someone reinstates them.',
      accepts: (user: User) => !user.suspended,
    },
    left: { kind: 'departure', label: 'Has left', optional: true, typedOnly: true },
  },
  check({ left }) {
    if (left?.isGone === false) throw new InvalidInputError('left', departureWords.back);
  },
  action: ({ user }) => say`suspend ${namedUser(user, recordName)}`,
  effect: () => say`They couldn’t sign in until someone reinstates them.`,
  isDone: ({ user }) => user.suspended,
  done: suspended,
  noChange: ({ user }) => say`${namedUser(user)} was suspended already. Nothing changed.`,
  async run(context, input) {
    // What the bot knows can be a day old: the platform loses events.
    if (input.left && !(await context.departures.isGone(input.user)))
      throw new InvalidInputError('left', departureWords.back);
    await changeUser(context, input.user, { suspended: true });
    return suspended(input);
  },
});

function suspended({ user }: { user: User }): DoneResult {
  return {
    kind: 'done',
    message: say`Suspended ${namedUser(user)}. They can’t sign in until someone reinstates them.`,
    next: [runStep(say`Reinstate`, reinstateUser, { user: [user.user_id] })],
  };
}

export const reinstateUser = defineOperation({
  name: 'reinstate-user',
  command: '/quiz-user reinstate <user>',
  synonyms: ['unsuspend', 'un-suspend', 'activate', 'reactivate', 'enable', 'unblock', 'restore', 'unlock'],
  summary: 'Let a suspended user sign in again',
  isCommon: true,
  buttons: {
    user: [
      {
        label: 'Reinstate',
        in: ['list', 'page'],
        position: 3,
        when: (user) => user.suspended,
        input: ({ user_id }) => ({ user: [user_id] }),
      },
    ],
  },
  access: 'write',
  right: 'manage_users',
  rules: [{ name: 'reinstating a trainer or administrator', when: ({ user }) => isOfStaff(user) }],
  submit: 'Reinstate user',
  onUser: ({ user }) => ({ user, to: { suspended: false } }),
  fields: { user: { kind: 'user', label: 'User', accepts: (user: User) => user.suspended } },
  action: ({ user }) => say`reinstate ${namedUser(user, recordName)}`,
  effect: (_, { user }) => say`They could sign in again, as ${aType(user.user_type)}.`,
  isDone: ({ user }) => !user.suspended,
  done: reinstated,
  noChange: ({ user }) => say`${namedUser(user)} wasn’t suspended. Nothing changed.`,
  async run(context, input) {
    await changeUser(context, input.user, { suspended: false });
    return reinstated(input);
  },
});

function reinstated({ user }: { user: User }): DoneResult {
  return {
    kind: 'done',
    message: say`Reinstated ${namedUser(user)}. They can sign in again.`,
    next: [formStep(say`Suspend…`, suspendUser, { user: [user.user_id] })],
  };
}
