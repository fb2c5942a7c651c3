import { hasAddress } from '../../directory/identity.ts';
import { isSameAddress } from '../../domain/address.ts';
import type { User } from '../../quiz-api/users.ts';
import { userFlags } from '../users/user-options.ts';
import type { NamedThing, NamedThings } from './named-things.ts';
import type { PersonRow } from './read-person.ts';
import { fieldWords, type ImportedUser } from './user-rows.ts';

/** What holds for every row that does not say otherwise. */
export interface ImportDefaults {
  /** Of new users. */
  userType: ImportedUser['userType'];
  groups: readonly NamedThing[];
  quizzes: readonly NamedThing[];
  updatesExisting: boolean;
  sendsWelcome: boolean;
}

/** The user whom a row means, with what holds for every row. @throws {InvalidInputError} where it names a group or quiz that fits none or several */
export async function wantedUser(
  person: PersonRow,
  defaults: ImportDefaults,
  things: NamedThings,
): Promise<ImportedUser> {
  const { firstName, lastName, userName, emailAddress, flags } = person;
  const signIn = userName || emailAddress;
  return {
    firstName,
    lastName,
    userName: signIn,
    emailAddress: isSameAddress(signIn, emailAddress) ? '' : emailAddress,
    userType: (person.userType ?? defaults.userType) as ImportedUser['userType'],
    flags: userFlags.map(({ value }) => value).filter((flag) => flags.includes(flag)),
    groups: unique([...(await things.groups(person.groups)), ...defaults.groups]),
    quizzes: unique([...(await things.quizzes(person.quizzes)), ...defaults.quizzes]),
    // The service mails to the user name where it is an address.
    sendsWelcome: defaults.sendsWelcome && (emailAddress !== '' || signIn.includes('@')),
  };
}

function unique(things: readonly NamedThing[]): NamedThing[] {
  return [...new Map(things.map((thing) => [thing.id, thing])).values()];
}

/** The user with what the row says. What it leaves empty stays, and so do all rights. */
export function updatedUser(user: User, person: PersonRow, wanted: ImportedUser): ImportedUser {
  const { emailAddress } = person;
  return {
    firstName: person.firstName || user.first_name,
    lastName: person.lastName || user.last_name,
    userName:
      person.userName === '' || isSameAddress(person.userName, user.user_name) ? user.user_name : person.userName,
    emailAddress: emailAddress === '' || hasAddress(user, emailAddress) ? user.email_address : emailAddress,
    userType: (person.userType ?? user.user_type) as ImportedUser['userType'],
    flags: userFlags.map(({ value }) => value).filter((flag) => user[flag] || person.flags.includes(flag)),
    groups: wanted.groups.filter(({ id }) => !user.groups.some(({ group_id }) => group_id === id)),
    quizzes: wanted.quizzes.filter(({ id }) => !user.quizzes.some(({ quiz_id }) => quiz_id === id)),
    sendsWelcome: false,
  };
}

type ChangedField = keyof typeof fieldWords;

/** What of the user the row changes. */
export function changedFields(user: User, update: ImportedUser): ChangedField[] {
  const isChanged: Record<ChangedField, boolean> = {
    firstName: update.firstName !== user.first_name,
    lastName: update.lastName !== user.last_name,
    userName: update.userName !== user.user_name,
    emailAddress: update.emailAddress !== user.email_address,
    userType: update.userType !== user.user_type,
    flags: update.flags.some((flag) => !user[flag]),
    groups: update.groups.length > 0,
    quizzes: update.quizzes.length > 0,
  };
  return (Object.keys(fieldWords) as ChangedField[]).filter((field) => isChanged[field]);
}
