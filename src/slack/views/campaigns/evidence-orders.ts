import type { Announcement } from '../../../domain/announcement.ts';
import type { EvidenceOrder } from '../../../domain/evidence-order.ts';
import { say } from '../../../domain/said.ts';
import { orderEvidence } from '../../../features/evidence/order-evidence.ts';
import { stopEvidence } from '../../../features/evidence/stop-evidence.ts';
import { monthInWords } from '../../../operations/dates/month-words.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import { operationButton } from '../blocks/buttons.ts';
import { actionButtons, buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { joinMrkdwn, md, mention, notification, section, type Mrkdwn } from '../blocks/mrkdwn.ts';
import { shownQuizName } from '../blocks/shown-name.ts';

const orderStep = { label: 'Order one…', operation: orderEvidence.name, input: {}, opensForm: true } as const;

/** The packs that people get every month, each with **Stop**. */
export function evidenceOrdersMessage(
  { orders }: Extract<OperationResult, { kind: 'evidence-orders' }>,
  offered: ReadonlySet<string>,
): Message {
  const order = buttonRow(actionButtons(say`of evidence`, [orderStep], offered));
  const heading =
    orders.length === 0 ? md`No evidence pack is sent every month.` : md`*Evidence packs that are sent every month*`;
  return {
    text: heading.mrkdwn,
    blocks: [
      section(heading),
      ...orders.map((one, index) => {
        const [stop] = stopButton(one, `stop-${index + 1}`);
        return { ...section(orderLine(one)), ...(stop && { accessory: stop }) };
      }),
      ...order,
    ],
  };
}

function orderLine({ by, to, campaign, month }: EvidenceOrder): Mrkdwn {
  const about = campaign === null ? md`*All campaigns*` : md`*${shownQuizName(campaign.quizName)}*`;
  const whose = by === to ? [] : [md`ordered by ${mention(by)}`];
  return joinMrkdwn([md`🧾 ${about}`, md`to ${mention(to)}`, ...whose, md`next: ${monthInWords(month)}`], ' · ');
}

function stopButton({ id }: EvidenceOrder, actionId: string) {
  return operationButton(actionId, {
    text: say`Stop`,
    doing: 'replace',
    operation: stopEvidence,
    raw: { order: [id] },
  });
}

/** Tells the people of an order why there is no pack for its month. */
export function noEvidenceMessage({ order, why, reader }: Extract<Announcement, { kind: 'no-evidence' }>): Message {
  const text = md`🧾 ${whyText(order, why, reader)}`;
  return {
    text: notification(text),
    blocks: [section(text), ...(why === 'over' ? [] : buttonRow(stopButton(order, 'stop')))],
  };
}

function whyText(
  { by, to, campaign, month }: EvidenceOrder,
  why: Extract<Announcement, { kind: 'no-evidence' }>['why'],
  reader: string,
): Mrkdwn {
  const about =
    campaign === null
      ? md`for the month of ${monthInWords(month)}`
      : md`on *${shownQuizName(campaign.quizName)}* for the month of ${monthInWords(month)}`;
  switch (why) {
    case 'nothing ran':
      return md`There’s no evidence pack ${about}: no campaign ran in that month.`;
    case 'over':
      return md`There’s no evidence pack ${about}: the campaign ended before, so no more packs come.`;
    case 'unreachable':
      return md`${mention(to)} didn’t get the evidence pack ${about} that you ordered: Slack doesn’t let the bot write to them.`;
    case 'orderer':
      if (reader === by)
        return to === by
          ? md`There’s no evidence pack ${about} that you ordered: you can’t see these results any more.`
          : md`${mention(to)} didn’t get the evidence pack ${about} that you ordered: you can’t see these results any more.`;
      return md`There’s no evidence pack ${about}: ${mention(by)}, who ordered it, can’t see these results any more. Order it yourself if you can.`;
    case 'receiver':
      return reader === to
        ? md`There’s no evidence pack ${about}: you can’t see these results.`
        : md`${mention(to)} didn’t get the evidence pack ${about} that you ordered: they can’t see these results.`;
  }
}
