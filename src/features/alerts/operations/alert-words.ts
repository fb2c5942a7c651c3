import { say, named } from '../../../domain/said.ts';
import type { SubscriptionSpec, Subscription } from '../../../domain/subscription.ts';
import type { OperationContext } from '../../../operations/context.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import { filterWords, specWords, type SubscriptionField } from '../../../operations/fields/subscription.ts';
import { runStep, type Step } from '../../../operations/page.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import type { LanguageChoice } from '../../../operations/services/features.ts';
import { resultsInWords, channelInWords } from '../../../operations/wording/words.ts';
import { type Language, languageCodes } from '../../../words/languages.ts';

/** What sentences about a subscription name; `channel` in words, `hereWords` for the one that the person is in. */
export interface Subscribed {
  channel: string;
  spec: Omit<SubscriptionSpec, 'channelId'>;
}

/** Such as “results of ⁨Fire safety⁩: failed only, one message per submission”. */
export function subscribedResults(spec: Subscribed['spec']): string {
  return `${resultsInWords(spec.quiz)}: ${specWords(spec).join(', ')}`;
}

/** What a subscription posts, such as “the daily digest of ⁨Fire safety⁩ (failed only)”. */
export function alertsInWords({ quiz, filter, delivery }: Subscribed['spec']): string {
  const only = filterWords(filter);
  const posts = quiz === null ? postsOfAll(delivery) : postsOf(delivery, named(quiz.name));
  return only.length === 0 ? posts : `${posts} (${only.join(', ')})`;
}

function postsOfAll(delivery: SubscriptionSpec['delivery']): string {
  if (delivery.kind === 'each') return say`alerts for every quiz`;
  if (delivery.kind === 'thread') return say`the daily thread of every quiz`;
  return delivery.every === 'hour' ? say`the hourly digest of every quiz` : say`the daily digest of every quiz`;
}

function postsOf(delivery: SubscriptionSpec['delivery'], quiz: string): string {
  if (delivery.kind === 'each') return say`alerts for ${quiz}`;
  if (delivery.kind === 'thread') return say`the daily thread of ${quiz}`;
  return delivery.every === 'hour' ? say`the hourly digest of ${quiz}` : say`the daily digest of ${quiz}`;
}

/** What a subscription is about, such as “⁨Fire safety⁩ (failed only) in ⁨#training⁩”, after “alerts for” or “the daily digest of”. */
export function aboutWords({ channel, spec: { quiz, filter } }: Subscribed): string {
  const only = filterWords(filter);
  const name = quiz === null ? say`every quiz` : named(quiz.name);
  return `${name}${only.length === 0 ? '' : ` (${only.join(', ')})`}${inWhere({ channel })}`;
}

/** Follows what a subscription posts; empty for the channel that the person is in. */
export function inWhere({ channel }: Pick<Subscribed, 'channel'>): string {
  return channel === hereWords ? '' : ` ${say`in ${channel}`}`;
}

/** Stands for the channel that a person types in. Sentences about it are sentences of their own, so it is shown in none. */
export const hereWords = 'this channel';

/** A button that does something to a subscription. */
export function nextStep(label: string, operation: Operation, { id }: Subscription, input: TextInput = {}): Step {
  return runStep(label, operation, { subscription: [id], ...input });
}

/** A subscription and its channel, for a sentence. */
export function described(context: OperationContext, subscription: Subscription) {
  return {
    channel: channelWords(context, { channel_id: subscription.channelId, channel_name: undefined }),
    spec: subscription,
  };
}

export function channelWords({ channelId }: OperationContext, channel: Channel): string {
  return channel.channel_id === channelId ? hereWords : channelInWords(channel);
}

export const subscriptionField = {
  kind: 'subscription',
  label: 'Subscription',
  hint: 'By the name of its quiz',
} as const satisfies SubscriptionField;

export const isGone = say`This subscription doesn’t exist any more. /quiz-alerts list shows the current ones.`;

/** A phrase of its own for each, since languages bend the names of languages. */
const inLanguages: Readonly<Record<LanguageChoice, string>> = {
  en: say`in English`,
  de: say`in German`,
  fr: say`in French`,
  es: say`in Spanish`,
  nl: say`in Dutch`,
  pl: say`in Polish`,
  default: say`in the default language`,
};

/** Such as “in German”. */
export function inLanguage(language: LanguageChoice): string {
  return inLanguages[language];
}

/** Likewise, with the language that is the default. */
export function inChosenLanguage(language: LanguageChoice, usual: Language): string {
  return language === 'default' ? say`${inLanguage(usual)}, the default language` : inLanguage(language);
}

/** A channel whose language is chosen. */
interface ChannelInLanguage {
  /** In words, such as #training. */
  channel: string;
  /** It is the channel that the person is in. */
  isHere: boolean;
  /** Such as “in German”. */
  language: string;
}

/** In a request, for the people who decide on it. */
export function languageWouldBe({ channel, language }: Pick<ChannelInLanguage, 'channel' | 'language'>): string {
  return say`Everything the bot posts in ${channel} would be ${language}.`;
}

export function languageChanged({ channel, isHere, language }: ChannelInLanguage): string {
  return isHere
    ? say`Changed the language. This channel’s messages will be ${language}.`
    : say`Changed the language. Messages in ${channel} will be ${language}.`;
}

export function languageWasSo({ channel, isHere, language }: ChannelInLanguage): string {
  return isHere
    ? say`This channel’s messages were ${language} already. Nothing changed.`
    : say`Messages in ${channel} were ${language} already. Nothing changed.`;
}

/** Asks whether to take a language back where somebody has chosen another one since. */
export function languageChosenSince({ channel, language }: Pick<ChannelInLanguage, 'channel' | 'language'>): string {
  return say`Since then, someone switched ${channel} to messages ${language}. Change it back all the same?`;
}

/** The choice that a text stands for; the default for every text that is no language. */
export function languageChoice(value: string | undefined): LanguageChoice {
  return languageCodes.find((code) => code === value) ?? 'default';
}
