import { moment } from '../../../time/date-words.ts';
import type { KnownBlock } from '@slack/types';
import { pauseAlerts, resumeAlerts } from '../../../features/alerts/operations/pause-and-resume.ts';
import { subscribeChannel, unsubscribeChannel } from '../../../features/alerts/operations/subscribe-and-unsubscribe.ts';
import { testAlerts } from '../../../features/alerts/operations/test-alerts.ts';
import type { ListedAlerts, OperationResult } from '../../../operations/operation-result.ts';
import { closedReason } from '../../errors.ts';
import { specLine } from './alerts.ts';
import { inLanguage } from '../../../operations/wording/language-words.ts';
import { countOf, say, joinSaid, asSaid, channelMention, mention } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import type { Message } from '../blocks/message.ts';
import { context, section } from '../blocks/mrkdwn.ts';

/** Each takes two of a message's 50 blocks. */
const shownAtMost = 22;

/** The subscriptions of a channel and of a person elsewhere, with the numbers that commands name them by. */
export function alertsListMessage(
  { alerts, channelId, language, elsewhere }: Extract<OperationResult, { kind: 'alerts' }>,
  timeZone: string,
): Message {
  const heading =
    alerts.length > 0
      ? say`*${countOf(alerts.length, 'subscription', 'subscriptions')}*`
      : channelId === undefined
        ? say`You have no subscriptions.`
        : say`This channel has no subscriptions.`;
  const left = alerts.length - shownAtMost;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...(language === undefined ? [] : [context(say`This channel’s messages are ${asSaid(inLanguage(language))}.`)]),
      ...alerts.slice(0, shownAtMost).flatMap((listed, index) => listedBlocks(listed, index + 1, channelId, timeZone)),
      ...(left > 0
        ? [context(say`…and ${left} more. Type \`/quiz-alerts list\` in a channel to see its subscriptions.`)]
        : []),
      ...(elsewhere > 0
        ? [
            context(
              say`${countOf(elsewhere, 'subscription', 'subscriptions')} in other channels: \`/quiz-alerts list all\``,
            ),
          ]
        : []),
      {
        type: 'actions',
        elements: operationButton('subscribe', {
          text: say`Subscribe…`,
          doing: 'form',
          operation: subscribeChannel,
          raw: {},
        }),
      },
    ],
  };
}

function listedBlocks(
  { subscription, waiting, isPaused }: ListedAlerts,
  number: number,
  channelId: string | undefined,
  timeZone: string,
): KnownBlock[] {
  const raw = { subscription: [subscription.id] };
  const where = subscription.channelId === channelId ? [] : [say`in ${channelMention(subscription.channelId)}`];
  const owner =
    subscription.ownerId === null
      ? say`set up in the bot’s configuration`
      : say`subscribed by ${mention(subscription.ownerId)}`;
  const pause = isPaused ? [pauseWords(subscription.pause, timeZone)] : [];
  const waits = waiting > 0 ? [say`${countOf(waiting, 'submission', 'submissions')} waiting`] : [];
  const button = (name: string, text: string, operation: typeof testAlerts) =>
    operationButton(`${name}-${number}`, { text, doing: 'beside', operation, raw });
  return [
    section(
      say`${isPaused ? '⏸️' : '🔔'} *${number}.* ${specLine(subscription)}\n${joinSaid([...where, owner, ...pause, ...waits], ' · ')}`,
    ),
    {
      type: 'actions',
      elements: [
        ...(isPaused ? button('resume', say`Resume`, resumeAlerts) : button('pause', say`Pause`, pauseAlerts)),
        ...button('test', say`Test`, testAlerts),
        ...(subscription.ownerId === null ? [] : button('unsubscribe', say`Unsubscribe`, unsubscribeChannel)),
      ],
    },
  ];
}

function pauseWords(pause: ListedAlerts['subscription']['pause'], timeZone: string): string {
  if (pause === null) return say`not paused`;
  if (pause.by === null) return say`paused: ${asSaid(closedReason(pause.code ?? '').why)}`;
  return pause.until === null
    ? say`paused by ${mention(pause.by)}`
    : say`paused by ${mention(pause.by)} until ${moment(pause.until, timeZone)}`;
}
