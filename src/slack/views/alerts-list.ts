import type { KnownBlock } from '@slack/types';
import { pauseAlerts, resumeAlerts, subscribeChannel, testAlerts, unsubscribeChannel } from '../../operations/alerts/alerts.ts';
import type { ListedAlerts, OperationResult } from '../../operations/operation-result.ts';
import { closedReason } from '../errors.ts';
import { specLine } from './alerts.ts';
import { countOf } from './amounts.ts';
import { operationButton } from './buttons.ts';
import type { Message } from './message.ts';
import { moment } from './moments.ts';
import { channelMention, context, joinMrkdwn, md, mention, section, type Mrkdwn } from './mrkdwn.ts';

/** Each takes two of a message's 50 blocks. */
const shownAtMost = 22;

/** The subscriptions of a channel and of a person elsewhere, with the numbers that commands name them by. */
export function alertsListMessage({ alerts, channelId, elsewhere }: Extract<OperationResult, { kind: 'alerts' }>, timeZone: string): Message {
  const heading = alerts.length === 0 ? md`Nothing is subscribed in this channel.` : md`*${countOf(alerts.length, 'subscription', 'subscriptions')}* to submitted quizzes`;
  const left = alerts.length - shownAtMost;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...alerts.slice(0, shownAtMost).flatMap((listed, index) => listedBlocks(listed, index + 1, channelId, timeZone)),
      ...(left > 0 ? [context(md`…and ${left} more. In its own channel, \`/quiz-alerts list\` shows what that hears of.`)] : []),
      ...(elsewhere > 0 ? [context(md`${countOf(elsewhere, 'more is', 'more are')} in other channels: \`/quiz-alerts list all\``)] : []),
      {
        type: 'actions',
        elements: operationButton('subscribe', { text: 'Subscribe…', doing: 'form', operation: subscribeChannel, raw: {} }),
      },
    ],
  };
}

function listedBlocks({ subscription, waiting, isPaused }: ListedAlerts, number: number, channelId: string | undefined, timeZone: string): KnownBlock[] {
  const raw = { subscription: [subscription.id] };
  const where = subscription.channelId === channelId ? [] : [md`in ${channelMention(subscription.channelId)}`];
  const owner = subscription.ownerId === null ? md`from the configuration` : md`by ${mention(subscription.ownerId)}`;
  const waits = waiting > 0 ? [md`${countOf(waiting, 'waits', 'wait')}`] : [];
  const pause = isPaused ? [pauseWords(subscription.pause, timeZone)] : [];
  const button = (name: string, text: string, operation: typeof testAlerts, style?: 'danger') =>
    operationButton(`${name}-${number}`, { text, doing: 'beside', operation, raw, ...(style && { style }) });
  return [
    section(md`${isPaused ? '⏸️' : '🔔'} *${number}.* ${specLine(subscription)}\n${joinMrkdwn([...where, owner, ...pause, ...waits], ' · ')}`),
    {
      type: 'actions',
      elements: [
        ...(isPaused ? button('resume', 'Resume', resumeAlerts) : button('pause', 'Pause', pauseAlerts)),
        ...button('test', 'Test', testAlerts),
        ...(subscription.ownerId === null ? [] : button('unsubscribe', 'Unsubscribe', unsubscribeChannel, 'danger')),
      ],
    },
  ];
}

function pauseWords(pause: ListedAlerts['subscription']['pause'], timeZone: string): Mrkdwn {
  if (pause === null) return md`not paused`;
  if (pause.by === null) return md`paused, since ${closedReason(pause.code ?? '').why}`;
  const until = pause.until === null ? md`until it is resumed` : md`until ${moment(new Date(pause.until), timeZone)}`;
  return md`paused by ${mention(pause.by)} ${until}`;
}
