import type { SubscriptionSpec } from '../../domain/subscription.ts';
import { named, channelMention, say, listed, shortName } from '../../domain/said.ts';
import type { Channel } from '../fields/channel.ts';
import type { FieldOption } from '../fields/choice.ts';
import { rightFlags, type User } from '../../quiz-api/records.ts';
import type { NoManagers } from '../../domain/managers.ts';

/** The types of the specification, section 2.4. */
export const userTypes = [
  { value: 'respondent', label: 'Respondent', hint: 'takes quizzes', also: ['respondents'] },
  {
    value: 'trainer',
    label: 'Trainer',
    hint: 'runs quizzes, depending on their rights',
    also: ['trainers'],
    needs: 'manage_users',
  },
  {
    value: 'administrator',
    label: 'Administrator',
    hint: 'gives rights and decides on requests',
    also: ['administrators', 'admin', 'admins'],
    needs: 'manage_users',
  },
] as const satisfies FieldOption[];

/** The rights of a trainer or administrator. */
export const userFlags = [
  {
    value: 'edit_quizzes',
    label: 'Edit quizzes',
    hint: 'create, edit, open, close and delete quizzes, see results',
    needs: 'manage_users',
  },
  {
    value: 'manage_users',
    label: 'Manage users',
    hint: 'see and suspend users, create respondents',
    needs: 'manage_users',
  },
  { value: 'manage_groups', label: 'Manage groups', hint: 'see and edit groups', needs: 'manage_users' },
] as const satisfies FieldOption[];

/** What a reviewer has to know about a new administrator. */
export const administratorsDecide = say`They could decide on what other people request.`;

/** Not where something else was given for a user. */
export function isOfStaff(user: Partial<User> | undefined): boolean {
  return user?.user_type !== undefined && user.user_type !== 'respondent';
}

const typesWithArticle: ReadonlyMap<string, string> = new Map([
  ['', say`a user`],
  ['respondent', say`a respondent`],
  ['trainer', say`a trainer`],
  ['administrator', say`an administrator`],
]);

/** A user type with its article: “a trainer”. One that the specification does not name is as the service writes it. */
export function aType(userType: string): string {
  const short = shortName(userType, longestType);
  return typesWithArticle.get(userType) ?? (/^[aeiou]/i.test(short) ? say`an ${short}` : say`a ${short}`);
}

/** In UTF-16 units. */
const longestType = 60;

const types: ReadonlyMap<string, string> = new Map([
  ['respondent', say`respondent`],
  ['trainer', say`trainer`],
  ['administrator', say`administrator`],
]);

/** A user type without an article: “trainer”. */
export function typeInWords(userType: string): string {
  return types.get(userType) ?? shortName(userType, longestType);
}

const statuses: ReadonlyMap<string, string> = new Map([
  ['open', say`open`],
  ['closed', say`closed`],
  ['in_design', say`in design`],
]);

/** The status of a quiz: “in design”. */
export function statusInWords(status: string): string {
  return statuses.get(status) ?? status.replace('_', ' ');
}

/** Rights as verbs: “edit quizzes and manage users”. */
export function rightsInWords(flags: readonly string[]): string {
  return listed(rightFlags.filter((flag) => flags.includes(flag)).map((flag) => flagWords[flag]));
}

/** What rights let a person do; follows “You can”. */
export const flagWords: Readonly<Record<(typeof rightFlags)[number], string>> = {
  edit_quizzes: say`edit quizzes`,
  manage_users: say`manage users`,
  manage_groups: say`manage groups`,
};

export function channelInWords({ channel_name }: Channel): string {
  return channel_name === undefined ? say`the channel` : named(`#${channel_name}`);
}

/** What a subscription is to: “results of ⁨Fire safety⁩”. */
export function resultsInWords(quiz: SubscriptionSpec['quiz']): string {
  return quiz === null ? say`results of every quiz` : say`results of ${named(quiz.name)}`;
}

/** Follows an outcome that the service did not confirm. */
export const unconfirmed = say`The quiz service didn’t confirm it, so the bot checked.`;

/** Of a channel that other companies read. */
export function sharedChannelInWords(channelId: string, companies: readonly string[]): string {
  return say`${channelMention(channelId)} is shared with ${listed(companies.map(named))}. Everyone in it would see the results.`;
}

/** How long work in the background takes, in words. @param ms while nobody uses the bot */
export function roughDuration(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 2) return say`about a minute`;
  return minutes <= 90 ? say`about ${minutes} minutes` : say`about ${Math.round(minutes / 60)} hours`;
}

/**
 * Why nobody’s manager is known and what to do about it, as sentences (`domain/said.ts`).
 *
 * @param platform its name
 */
export function noManagersWords(problem: NoManagers, platform: string): string {
  switch (problem) {
    case 'missing_scope':
      return say`${platform} doesn’t show the bot who is whose manager. The person who installed the bot can add the scope users.profile:read.`;
    case 'no_field':
      return say`${platform} profiles have no field “Manager”. An administrator of the workspace can add one of the type “People”, or the operator of the bot can name another one in MANAGER_FIELD.`;
    case 'editable':
      return say`People can edit the field “Manager” of their ${platform} profile themselves, so it decides nothing. An administrator of the workspace can lock it, or the operator of the bot can name it in MANAGER_FIELD.`;
    case 'unknown_field':
      return say`${platform} profiles have no field that MANAGER_FIELD names. The operator of the bot can correct it.`;
    case 'not_people':
      return say`The field of ${platform} profiles that MANAGER_FIELD names doesn’t hold people. The operator of the bot can name another one.`;
  }
}

const factLabels: ReadonlyMap<string, string> = new Map([
  ['Name', say`Name`],
  ['State', say`State`],
  ['User name', say`User name`],
  ['E-mail address', say`E-mail address`],
  ['Type', say`Type`],
  ['Rights', say`Rights`],
  ['Suspended', say`Suspended`],
]);

/** What a fact of a target (`domain/approval-request.ts`) is called. The record and digests have the English name. */
export function factLabel(fact: string): string {
  return factLabels.get(fact) ?? fact;
}

/** The value of a fact in words. Names and addresses stay as they are. */
export function factInWords(fact: string, value: string): string {
  switch (fact) {
    case 'State':
      return statusInWords(value.replace(' ', '_'));
    case 'Type':
      return typeInWords(value);
    case 'Rights':
      return value === 'none' ? say`none` : rightsInWords(value.split(', ').map((right) => right.replace(' ', '_')));
    case 'Suspended':
      return value === 'yes' ? say`yes` : say`no`;
    default:
      return value;
  }
}

/** Says that a fact of a thing is another one now, as a sentence. @param name of the thing, marked */
export function changedFact(name: string, fact: string, values: { was: string; is: string }): string {
  const [was, is] = [factInWords(fact, values.was), factInWords(fact, values.is)];
  switch (fact) {
    case 'Name':
      return say`${name}: name was “${was}”, is now “${is}”.`;
    case 'State':
      return say`${name}: state was “${was}”, is now “${is}”.`;
    case 'User name':
      return say`${name}: user name was “${was}”, is now “${is}”.`;
    case 'E-mail address':
      return say`${name}: e-mail address was “${was}”, is now “${is}”.`;
    case 'Type':
      return say`${name}: type was “${was}”, is now “${is}”.`;
    case 'Rights':
      return say`${name}: rights was “${was}”, is now “${is}”.`;
    case 'Suspended':
      return say`${name}: suspended was “${was}”, is now “${is}”.`;
    default:
      return say`${name}: ${fact.toLowerCase()} was “${was}”, is now “${is}”.`;
  }
}
