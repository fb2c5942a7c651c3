import { type Operation, defineOperation } from '../../../operations/operation.ts';
import { testAlerts, pauseAlerts, resumeAlerts } from './pause-and-resume.ts';
import { setLanguage } from './set-language.ts';
import { subscribeChannel, unsubscribeChannel } from './subscribe-and-unsubscribe.ts';
import { say } from '../../../domain/said.ts';
import type { Subscription } from '../../../domain/subscription.ts';
import { meansOneOf } from '../../../operations/other-words/meanings.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { visibleSubscriptions } from '../../../operations/fields/subscription.ts';
import { alertsPage } from '../pages/alerts.ts';

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
    const wantsAll = filter.trim().toLowerCase() === 'all' || meansOneOf(filter.trim(), ['all']);
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
    const listed = {
      channelId,
      language: language === channelLanguages.defaultLanguage ? undefined : language,
      alerts: shown,
      elsewhere: visible.length - shown.length,
    };
    const { closedReason } = context.platform;
    return { kind: 'page', ...alertsPage(listed, { now: now(), closedReason }) };
  },
});

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
