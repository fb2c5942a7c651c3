import { fullName } from '../directory/names.ts';
import { isSameAddress } from '../domain/address.ts';
import type { NewUser, User, UserType } from '../quiz-api/users.ts';
import type { OperationContext } from './context.ts';
import { InvalidInputError } from './errors.ts';
import { createAndRead } from './new-record.ts';
import type { OperationResult } from './operation-result.ts';
import { defineOperation } from './operation.ts';
import { refuseTakenAddress, refuseTakenAddressNow } from './taken-address.ts';
import { userFlags, userTypes } from './user-options.ts';

export const createUser = defineOperation({
  name: 'create-user',
  command: '/quiz-user create <user_name> …',
  summary: 'Create a user; the bot makes the password',
  access: 'write',
  right: 'manage_users',
  submit: 'Create',
  makesNew: true,
  fields: {
    user_name: { kind: 'text', label: 'User name', hint: 'What they sign in with. Mostly their e-mail address.', maxLength: 250 },
    user_type: { kind: 'choice', label: 'Type', options: userTypes, usual: 'respondent' },
    first_name: { kind: 'text', label: 'First name', maxLength: 100, optional: true },
    last_name: { kind: 'text', label: 'Last name', maxLength: 100, optional: true },
    email_address: { kind: 'email', label: 'E-mail address', hint: 'If it is not the user name.', optional: true },
    flags: { kind: 'flags', label: 'Rights of a trainer', options: userFlags, optional: true },
    welcome: {
      kind: 'flags',
      label: 'Password',
      options: [{ value: 'send', label: 'Send a welcome e-mail with it', hint: 'Otherwise, you get a button that sets it and shows it to you.' }],
      optional: true,
    },
    suspended: {
      kind: 'flags',
      label: 'Sign-in',
      options: [{ value: 'true', label: 'Create them suspended', hint: 'They cannot sign in until they are reinstated.' }],
      optional: true,
    },
  },
  check(input) {
    if (input.welcome?.includes('send') && !input.email_address && !input.user_name.includes('@')) {
      throw new InvalidInputError('email_address', 'A welcome e-mail needs an address: give one here, or take it as user name.');
    }
    if (input.user_type === 'respondent' && input.flags?.length) {
      throw new InvalidInputError('flags', 'Respondents have no rights: choose another type, or none of these.');
    }
  },
  async effect(context, { user_name, email_address, user_type, flags: given = [], suspended }) {
    await refuseTakenAddress(context, { user_name, email_address });
    const rights = userFlags.filter(({ value }) => given.includes(value)).map(({ label }) => label.toLowerCase());
    const may = rights.length === 0 ? '' : `, who may ${new Intl.ListFormat('en').format(rights)}`;
    const state = suspended?.length ? ' They cannot sign in until they are reinstated.' : '';
    return `“${user_name}” becomes a user of the account: ${user_type}${may}.${state}`;
  },
  async run(context, input) {
    await refuseTakenAddressNow(context, input);
    const sendsMail = input.welcome?.includes('send') ?? false;
    const asked: NewUser = {
      user_name: input.user_name,
      // Unless it is mailed, nobody ever sees this password: the first one that anybody knows is set when somebody looks.
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
  const suspension = asked.suspended ? ', suspended' : '';
  const made = user ? `${fullName(user)} is created as ${user.user_type}${suspension}.` : `“${asked.user_name}” is created as ${asked.user_type}${suspension}.`;
  if (asked.send_welcome_email) return { kind: 'done', message: `${made} The welcome e-mail carries the password.` };
  if (user) return { kind: 'done', message: made, passwordOf: { user, isNew: isCertain } };
  return { kind: 'done', message: `${made} The quiz service does not show them yet. Nobody knows their password: set one with /quiz-user reset-password.` };
}

function isAsAsked(user: User, asked: NewUser): boolean {
  const isSameText = (field: 'first_name' | 'last_name' | 'email_address') => user[field] === (asked[field] ?? '');
  return (
    isSameAddress(user.user_name, asked.user_name) &&
    user.user_type === asked.user_type &&
    isSameText('first_name') && isSameText('last_name') && isSameText('email_address') &&
    userFlags.every(({ value }) => user[value] === (asked[value] ?? false))
  );
}
