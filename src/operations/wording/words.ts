import type { SubscriptionSpec } from '../../domain/subscription.ts';
import { named } from '../../domain/sentence.ts';
import type { Channel } from '../fields/channel.ts';
import { userFlags } from '../../features/users/user-options.ts';

/** A user type with its article: “a trainer”, “an administrator”. */
export function aType(userType: string): string {
  return `${/^[aeiou]/.test(userType) ? 'an' : 'a'} ${userType}`;
}

/** Rights as verbs: “edit quizzes and manage users”. */
export function rightsInWords(flags: readonly string[]): string {
  return rightsList.format(
    userFlags.filter(({ value }) => flags.includes(value)).map(({ label }) => label.toLowerCase()),
  );
}

const rightsList = new Intl.ListFormat('en-GB');

export function channelInWords({ channel_name }: Channel): string {
  return channel_name === undefined ? 'the channel' : named(`#${channel_name}`);
}

/** What a subscription is to: “results of ⁨Fire safety⁩”. */
export function resultsInWords(quiz: SubscriptionSpec['quiz']): string {
  return quiz === null ? 'results of every quiz' : `results of ${named(quiz.name)}`;
}

export function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Follows an outcome that the service did not confirm. */
export const unconfirmed = 'The quiz service didn’t confirm it, so the bot checked.';
