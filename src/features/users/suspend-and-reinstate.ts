import { namedUser, recordName } from '../../directory/names.ts';
import type { User } from '../../quiz-api/users.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { formStep, runStep } from '../../operations/next-step.ts';
import type { DepartureField } from '../../operations/fields/kept.ts';
import type { Fields } from '../../operations/fields/fields.ts';
import type { UserField } from '../../operations/fields/user.ts';
import { defineOpposites } from '../../operations/operation.ts';
import type { DoneResult } from '../../operations/operation-result.ts';
import { aType } from '../../operations/wording/words.ts';
import { departureWords } from '../departures/operations/departure-words.ts';
import { changeUser } from './update-user.ts';
import { isOfStaff } from './user-options.ts';
import { say } from '../../domain/said.ts';

interface SuspendFields extends Fields {
  user: UserField;
  left: DepartureField;
}

export const [suspendUser, reinstateUser] = defineOpposites<SuspendFields>((isSuspended) => {
  const done = isSuspended ? suspended : reinstated;
  const fields = {
    user: {
      kind: 'user',
      label: 'User',
      ...(isSuspended && { hint: 'They can’t sign in until someone reinstates them.' }),
      accepts: (user: User) => user.suspended !== isSuspended,
    },
    ...(isSuspended && { left: { kind: 'departure', label: 'Has left', optional: true, typedOnly: true } }),
  } as SuspendFields;
  return {
    name: isSuspended ? 'suspend-user' : 'reinstate-user',
    command: isSuspended ? '/quiz-user suspend <user>' : '/quiz-user reinstate <user>',
    synonyms: isSuspended
      ? ['deactivate', 'disable', 'block', 'unreinstate', 'lock']
      : ['unsuspend', 'un-suspend', 'activate', 'reactivate', 'enable', 'unblock', 'restore', 'unlock'],
    summary: isSuspended ? 'Suspend a user, so that they can’t sign in' : 'Let a suspended user sign in again',
    isCommon: true,
    buttons: {
      user: [
        {
          label: isSuspended ? 'Suspend…' : 'Reinstate',
          in: ['list', 'page'],
          position: 3,
          opens: isSuspended ? 'form' : undefined,
          when: (user) => user.suspended !== isSuspended,
          input: ({ user_id }) => ({ user: [user_id] }),
        },
      ],
    },
    access: 'write',
    right: 'manage_users',
    rules: isSuspended
      ? [{ name: 'suspending a user' }]
      : [{ name: 'reinstating a trainer or administrator', when: ({ user }) => isOfStaff(user) }],
    submit: isSuspended ? 'Suspend user' : 'Reinstate user',
    onUser: ({ user }) => ({ user, to: { suspended: isSuspended } }),
    ...(isSuspended && { takesTurn: true }),
    fields,
    check({ left }) {
      if (left?.isGone === false) throw new InvalidInputError('left', departureWords.back);
    },
    action: ({ user }) =>
      isSuspended ? say`suspend ${namedUser(user, recordName)}` : say`reinstate ${namedUser(user, recordName)}`,
    effect: (_, { user }) =>
      isSuspended
        ? say`They couldn’t sign in until someone reinstates them.`
        : say`They could sign in again, as ${aType(user.user_type)}.`,
    isDone: ({ user }) => user.suspended === isSuspended,
    done,
    noChange: ({ user }) =>
      isSuspended
        ? say`${namedUser(user)} was suspended already. Nothing changed.`
        : say`${namedUser(user)} wasn’t suspended. Nothing changed.`,
    async run(context, input) {
      // What the bot knows can be a day old: the platform loses events.
      if (input.left && !(await context.departures.isGone(input.user)))
        throw new InvalidInputError('left', departureWords.back);
      await changeUser(context, input.user, { suspended: isSuspended });
      return done(input);
    },
  };
});

function suspended({ user }: { user: User }): DoneResult {
  return {
    kind: 'done',
    message: say`Suspended ${namedUser(user)}. They can’t sign in until someone reinstates them.`,
    next: [runStep(say`Reinstate`, reinstateUser, { user: [user.user_id] })],
  };
}

function reinstated({ user }: { user: User }): DoneResult {
  return {
    kind: 'done',
    message: say`Reinstated ${namedUser(user)}. They can sign in again.`,
    next: [formStep(say`Suspend…`, suspendUser, { user: [user.user_id] })],
  };
}
