import { type Operation, defineOperation, ofChannel } from '../../../operations/operation.ts';
import { testAlerts, pauseAlerts, resumeAlerts } from './pause-and-resume.ts';
import { subscribeChannel, unsubscribeChannel } from './subscribe-and-unsubscribe.ts';
import { say, listed, marked } from '../../../domain/said.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import { meansOneOf } from '../../../operations/other-words/meanings.ts';
import { InvalidInputError, given, type TextInput } from '../../../operations/text-input.ts';
import { visibleSubscriptions } from '../../../operations/fields/subscription.ts';
import { alertsPage } from '../pages/alerts.ts';
import {
  languageChoice,
  inChosenLanguage,
  inLanguage,
  languageChosenSince,
  languageWasSo,
  languageChanged,
  languageWouldBe,
} from './alert-words.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import { runStep, unchanged } from '../../../operations/page.ts';
import { formatMention, parseMention, partsOf } from '../../../operations/typed-text.ts';
import { channelInWords } from '../../../operations/wording/words.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { QuizApiError } from '../../../quiz-api/errors.ts';
import { languageCodes, languages, type Language } from '../../../words/languages.ts';
import type { ChoiceField } from '../../../operations/fields/choice.ts';

/** What people type for a language besides its code and its own name. */
const otherNames: Readonly<Record<Language, readonly string[]>> = {
  en: [],
  de: ['german'],
  fr: ['french', 'francais'],
  es: ['spanish', 'espanol', 'castellano'],
  nl: ['dutch'],
  pl: ['polish'],
};

/** The language of everything that the bot posts in a channel. */
export const languageField = {
  kind: 'choice',
  label: 'Language',
  options: [
    ...languageCodes.map((code) => ({
      value: code,
      // Its name is the same in every language.
      label: marked('part', languages[code]),
      also: [languages[code], ...otherNames[code]],
    })),
    { value: 'default', label: 'Default', hint: 'The language in the bot’s configuration' },
  ],
  unknown: (typed) =>
    say`I don’t speak “${typed}”. Choose ${listed([...Object.values(languages), 'default'], 'disjunction')}.`,
} as const satisfies ChoiceField;

const setLanguage: Operation = defineOperation({
  name: 'set-channel-language',
  command: '/quiz-alerts language <language>',
  synonyms: ['lang'],
  summary: 'Choose the language of this channel’s messages',
  title: say`Language of a channel`,
  ...ofChannel,
  submit: 'Set language',
  fields: {
    channel: { kind: 'channel', label: 'Channel' },
    language: { ...languageField, hint: 'Of everything the bot posts in the channel: alerts, boards and reports' },
    was: { ...languageField, label: 'Language before', optional: true, typedOnly: true },
  },
  parse: (line) => [readLine(line)],
  /** An Undo can be pressed after others have chosen another one, too. */
  async confirm({ channel, language, was }, { channelLanguages }) {
    const chosen = was === undefined ? undefined : await channelLanguages.chosen(channel.channel_id);
    if (chosen === undefined || chosen === was || chosen === language) return undefined;
    return {
      question: languageChosenSince({ channel: channelInWords(channel), language: inLanguage(chosen) }),
      label: say`Set language`,
      input: { channel: [mentionOf(channel)], language: [language] },
    };
  },
  action: ({ channel, language }) =>
    say`switch ${channelInWords(channel)} to messages ${inLanguage(languageChoice(language))}`,
  effect: (_, { channel, language }) =>
    languageWouldBe({ channel: channelInWords(channel), language: inLanguage(languageChoice(language)) }),
  async run({ channelLanguages, campaigns, channelId }, { channel, language }) {
    const choice = languageChoice(language);
    const before = await channelLanguages.choose(channel.channel_id, choice);
    if (before !== choice) await campaigns.redrawBoards(channel.channel_id);
    const said = {
      channel: channelInWords(channel),
      isHere: channel.channel_id === channelId,
      language: inChosenLanguage(choice, channelLanguages.defaultLanguage),
    };
    if (before === choice) return unchanged(languageWasSo(said));
    return {
      kind: 'done',
      message: languageChanged(said),
      next: [runStep(say`Undo`, setLanguage, { channel: [mentionOf(channel)], language: [before], was: [choice] })],
    };
  },
});

function mentionOf({ channel_id: id }: Channel): string {
  return formatMention({ kind: 'channel', id });
}

/** `german`, `to German in #training`. */
function readLine(line: string): TextInput {
  const tokens = partsOf(line);
  const channel = tokens.find(({ kind, text }) => kind === 'mention' && parseMention(text)?.kind === 'channel');
  const words = tokens
    .filter((token) => token !== channel)
    .map(({ text }) => text)
    .join(' ')
    .replace(/^(?:to|in) /i, '')
    .replace(/ (?:in|for|of)$/i, '');
  return given({ channel: channel?.text, language: words });
}

export const listAlerts = defineOperation({
  name: 'list-alerts',
  command: '/quiz-alerts list [filter]',
  synonyms: ['ls', 'settings', 'subscriptions', 'show'],
  summary: 'List the subscriptions of this channel, and your own elsewhere; administrators: list all',
  title: say`Subscriptions`,
  isCommon: true,
  access: 'read',
  right: 'edit_quizzes',
  submit: 'List',
  fields: { filter: { kind: 'text', label: 'all, for every channel', maxLength: 20, optional: true } },
  async run(context, { filter = '' }) {
    const { alerts, channelLanguages, actor, rights, channelId, now } = context;
    const wantsAll = filter.trim().toLowerCase() === 'all' || meansOneOf(filter, ['all']);
    if (!wantsAll && filter.trim() !== '')
      throw new InvalidInputError(
        'filter',
        say`Type /quiz-alerts list, or /quiz-alerts list all. “${filter}” isn’t an option.`,
      );
    if (wantsAll && !rights.has('administrator'))
      throw new InvalidInputError(
        'filter',
        say`Only administrators can list the subscriptions of all channels. This channel’s and yours: /quiz-alerts list`,
      );
    const visible = visibleSubscriptions(await alerts.all(), context);
    const isNear = ({ channelId: channel, ownerId }: Subscription) =>
      channel === channelId || ownerId === actor.personId;
    const shown = visible.filter(({ subscription }) => wantsAll || isNear(subscription));
    const language = channelId === undefined ? undefined : await channelLanguages.of(channelId);
    const near = {
      channelId,
      language: language === channelLanguages.defaultLanguage ? undefined : language,
      alerts: shown,
      elsewhere: visible.length - shown.length,
    };
    const { closedReason } = context.platform;
    const { quizzes, unread } = await namesOrWhyNot(context);
    const isGone = ({ quiz }: Subscription) => quiz !== null && quizzes !== undefined && !quizzes.byId(quiz.id);
    return { kind: 'page', ...alertsPage({ ...near, unread }, { now: now(), closedReason, isGone }) };
  },
});

/** The list is shown where the service cannot be asked, too. `unread`: why that is */
async function namesOrWhyNot({ directory, call }: OperationContext) {
  try {
    return { quizzes: await directory.quizzes.names(call) };
  } catch (error) {
    if (!(error instanceof QuizApiError)) throw error;
    const { says } = error.facts;
    return { unread: typeof says === 'string' ? says : undefined };
  }
}

/** What people can do about alerts, in the order of the help. */
export const alertOperations: readonly Operation[] = [
  subscribeChannel,
  listAlerts,
  unsubscribeChannel,
  pauseAlerts,
  resumeAlerts,
  setLanguage,
  testAlerts,
];
