import { blankUser, type UserRecord, userTypes } from '../store/users.ts';
import type { Form } from './form.ts';
import { unprocessable } from '../http/http-error.ts';

const minPasswordLength = 6;
const emailAddressPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** @throws HttpError 422 when a parameter is missing or invalid (specification, section 4.3) */
export function newUser(form: Form, userId: string, dateCreated: string): UserRecord {
  const user_name = form.required('user_name');
  form.required('user_type');
  return changedUser({ ...blankUser, user_id: userId, user_name, date_created: dateCreated }, form);
}

/** Applies the form to a user. Absent parameters keep their values. */
export function changedUser(user: UserRecord, form: Form): UserRecord {
  const userType = form.optionalChoice('user_type', userTypes) ?? user.user_type;
  const flag = (name: 'manage_users' | 'manage_groups' | 'edit_quizzes') => {
    const value = form.optionalFlag(name) ?? user[name];
    return value && userType !== 'respondent';
  };
  return {
    ...user,
    user_name: form.optionalFilled('user_name') ?? user.user_name,
    user_type: userType,
    email_address: readEmailAddress(form) ?? user.email_address,
    first_name: form.optional('first_name') ?? user.first_name,
    last_name: form.optional('last_name') ?? user.last_name,
    suspended: form.optionalFlag('suspended') ?? user.suspended,
    manage_users: flag('manage_users'),
    manage_groups: flag('manage_groups'),
    edit_quizzes: flag('edit_quizzes'),
  };
}

/** @throws HttpError 422 when the password is too short */
export function readPassword(password: string): string {
  // Counts code points instead of UTF-16 units.
  if (Array.from(password).length < minPasswordLength) {
    throw unprocessable(`The password must have at least ${minPasswordLength} characters.`);
  }
  return password;
}

/** @throws HttpError 422 when the user has no e-mail address */
export function welcomeRecipient(user: UserRecord): string {
  const recipient = [user.email_address, user.user_name].find(isEmailAddress);
  if (recipient === undefined) {
    throw unprocessable('With send_welcome_email, user_name must be an e-mail address or email_address must be set.');
  }
  return recipient;
}

export function isEmailAddress(text: string): boolean {
  return emailAddressPattern.test(text);
}

function readEmailAddress(form: Form): string | undefined {
  const address = form.optional('email_address');
  if (address !== undefined && address !== '' && !isEmailAddress(address)) {
    throw unprocessable('The parameter email_address must be an e-mail address.');
  }
  return address;
}
