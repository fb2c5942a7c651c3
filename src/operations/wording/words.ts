import type { SubscriptionSpec } from '../../domain/subscription.ts';
import { named } from '../../domain/sentence.ts';
import type { Channel } from '../fields/channel.ts';
import { userFlags } from '../../features/users/user-options.ts';
import { channelMention, say, listed } from '../../domain/said.ts';

export { capitalized } from '../../domain/said.ts';

/** A user type with its article: “a trainer”, “an administrator”. */
export function aType(userType: string): string {
  switch (userType) {
    case 'respondent':
      return say`a respondent`;
    case 'trainer':
      return say`a trainer`;
    case 'administrator':
      return say`an administrator`;
    default:
      return `${/^[aeiou]/.test(userType) ? 'an' : 'a'} ${userType}`;
  }
}

/** A user type without an article: “trainer”. */
export function typeInWords(userType: string): string {
  switch (userType) {
    case 'respondent':
      return say`respondent`;
    case 'trainer':
      return say`trainer`;
    case 'administrator':
      return say`administrator`;
    default:
      return userType;
  }
}

/** The status of a quiz: “in design”. */
export function statusInWords(status: string): string {
  switch (status) {
    case 'open':
      return say`open`;
    case 'closed':
      return say`closed`;
    case 'in_design':
      return say`in design`;
    default:
      return status.replace('_', ' ');
  }
}

/** Rights as verbs: “edit quizzes and manage users”. */
export function rightsInWords(flags: readonly string[]): string {
  return listed(userFlags.filter(({ value }) => flags.includes(value)).map(({ value }) => rightWords[value]));
}

const rightWords: Readonly<Record<(typeof userFlags)[number]['value'], string>> = {
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
