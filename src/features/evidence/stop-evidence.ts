import { say } from '../../domain/said.ts';
import type { EvidenceOrder } from '../../domain/evidence-order.ts';
import { named } from '../../domain/sentence.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { runStep } from '../../operations/next-step.ts';
import { defineOperation } from '../../operations/operation.ts';
import { listEvidenceOrders } from './list-evidence-orders.ts';
import { ownOrders } from './own-orders.ts';

export const stopEvidence = defineOperation({
  name: 'stop-evidence',
  command: '/quiz-campaign evidence-stop [order]',
  summary: 'Stop an evidence pack that is sent every month; if there are several, choose from the list',
  title: say`Stop monthly evidence`,
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Stop',
  forPeopleOnly: true,
  uses: ['evidenceOrders'],
  fields: { order: { kind: 'text', label: 'Pack', maxLength: 50, optional: true, typedOnly: true } },
  action: () => say`stop an evidence pack that is sent every month`,
  effect: () => say`It wouldn’t be sent any more.`,
  async run(context, { order: id }) {
    const orders = await ownOrders(context);
    const [order, ...others] = id === undefined ? orders : orders.filter((one) => one.id === id);
    if (order === undefined)
      return {
        kind: 'done',
        isNoChange: true,
        message:
          id === undefined
            ? say`No evidence pack of yours is sent every month. Nothing changed.`
            : say`This pack isn’t sent any more. Nothing changed.`,
      };
    if (others.length > 0)
      throw new InvalidInputError(
        'order',
        say`There are ${orders.length}: /quiz-campaign evidence-orders lists them, each with Stop.`,
      );
    await context.evidenceOrders.stop(order.id);
    return {
      kind: 'done',
      message: stoppedMessage(order, context.actor.personId),
      next: [runStep(say`View the others`, listEvidenceOrders, {})],
    };
  },
});

/** @param readerId who reads it, on the platform */
export function stoppedMessage(
  { to, toName, campaign }: Pick<EvidenceOrder, 'to' | 'toName' | 'campaign'>,
  readerId: string,
): string {
  const isOwn = to === readerId;
  if (campaign === null)
    return isOwn
      ? say`Stopped the monthly evidence pack on all campaigns.`
      : say`Stopped the monthly evidence pack on all campaigns for ${named(toName)}.`;
  const quiz = named(campaign.quizName);
  return isOwn
    ? say`Stopped the monthly evidence pack on the campaign for ${quiz}.`
    : say`Stopped the monthly evidence pack on the campaign for ${quiz} for ${named(toName)}.`;
}
