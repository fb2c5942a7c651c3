import { isSameAddress } from '../domain/address.ts';
import type { NewUser, User, UserType } from '../quiz-api/users.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError } from './errors.ts';
import { createAndRead } from './new-record.ts';
import { parseNewUser } from './new-user-line.ts';
import { nextSteps } from './next-steps.ts';
import type { OperationResult } from './operation-result.ts';
import { defineOperation } from './operation.ts';
import { refuseTakenAddress, refuseTakenAddressNow } from './taken-address.ts';
import { userFlags, userTypes } from './user-options.ts';
import { actions } from './wording/actions.ts';
import { outcomes } from './wording/outcomes.ts';
import { proposals } from './wording/proposals.ts';

export const createUser = defineOperation({
  name: 'create-user',
  command: '/quiz-user create <user_name> <first_name> <last_name> [as trainer]',
  summary: 'Create a user; the bot generates the password',
  access: 'write',
  right: 'manage_users',
  submit: 'Create user',
  makesNew: true,
  parse: parseNewUser,
  fields: {
    user_name: {
      kind: 'text',
      label: 'User name',
      hint: 'They sign in with it. Usually their e-mail address.',
      maxLength: 250,
    },
    user_type: { kind: 'choice', label: 'Type', options: userTypes, usual: 'respondent' },
    first_name: { kind: 'text', label: 'First name', maxLength: 100, optional: true },
    last_name: { kind: 'text', label: 'Last name', maxLength: 100, optional: true },
    email_address: {
      kind: 'email',
      label: 'E-mail address',
      hint: 'If it’s different from the user name.',
      optional: true,
    },
    flags: {
      kind: 'flags',
      label: 'Rights',
      hint: 'For trainers and administrators only.',
      options: userFlags,
      optional: true,
    },
    welcome: {
      kind: 'flags',
      label: 'Password',
      options: [
        {
          value: 'send',
          label: 'Send it in a welcome e-mail',
          hint: 'Otherwise you get a button that shows it to you.',
        },
      ],
      optional: true,
    },
    suspended: {
      kind: 'flags',
      label: 'Sign-in',
      options: [
        { value: 'true', label: 'Suspend them for now', hint: 'They can’t sign in until someone reinstates them.' },
      ],
      optional: true,
    },
  },
  check(input) {
    if (input.welcome?.includes('send') && !input.email_address && !input.user_name.includes('@')) {
      throw new InvalidInputError(
        'email_address',
        'The welcome e-mail needs an address. Enter one here, or use it as the user name.',
      );
    }
    if (input.user_type === 'respondent' && input.flags?.length) {
      throw new InvalidInputError('flags', 'Respondents can’t have rights. Choose another type, or no rights.');
    }
  },
  action: actions['create-user'],
  async effect(context, input) {
    await refuseTakenAddress(context, input);
    return proposals['create-user'](input);
  },
  async run(context, input) {
    await refuseTakenAddressNow(context, input);
    const sendsMail = input.welcome?.includes('send') ?? false;
    const asked: NewUser = {
      user_name: input.user_name,
      // Unless it is mailed, nobody ever sees this password. The first that a person knows is set when they press the button.
      password: context.makePassword(),
      user_type: input.user_type as UserType,
      first_name: input.first_name,
      last_name: input.last_name,
      email_address: input.email_address,
      ...(input.suspended?.length && { suspended: true }),
      send_welcome_email: sendsMail,
      ...Object.fromEntries((input.flags ?? []).map((flag) => [flag, true])),
    };
    return create(context, asked);
  },
});

async function create(context: OperationContext, asked: NewUser): Promise<OperationResult> {
  const { api, directory, call } = context;
  const created = await createAndRead<User>({
    create: () => api.users.create(asked, call),
    read: (userId) => api.users.get(userId, call),
    async find() {
      const userId = await api.users.find(asked.user_name, call);
      return userId === null ? undefined : api.users.get(userId, call);
    },
    isOurs: (user) => isAsAsked(user, asked),
  });
  const { record: user, isCertain } = created;
  if (user) directory.users.put(user);
  const password = asked.send_welcome_email ? 'mailed' : user ? 'offered' : 'unknown';
  const { user_name, first_name = '', last_name = '', user_type = 'respondent' } = asked;
  const message = outcomes['create-user']({
    user: user ?? { user_name, first_name, last_name, user_type },
    suspended: asked.suspended ?? false,
    password,
  });
  return {
    kind: 'done',
    message,
    ...(user && { next: nextSteps['create-user']({ user }) }),
    ...(user && password === 'offered' && { passwordOf: { user, isNew: isCertain } }),
  };
}

function isAsAsked(user: User, asked: NewUser): boolean {
  const isSameText = (field: 'first_name' | 'last_name' | 'email_address') => user[field] === (asked[field] ?? '');
  return (
    isSameAddress(user.user_name, asked.user_name) &&
    user.user_type === asked.user_type &&
    isSameText('first_name') &&
    isSameText('last_name') &&
    isSameText('email_address') &&
    userFlags.every(({ value }) => user[value] === (asked[value] ?? false))
  );
}
