import { say } from '../../domain/said.ts';
import { publicName } from '../../directory/names.ts';
import { named } from '../../domain/sentence.ts';
import type { EvidenceOrder } from '../../domain/evidence-order.ts';
import { parseClauses } from '../../operations/clauses/parse-clauses.ts';
import type { OperationContext } from '../../operations/context.ts';
import { zoneOf } from '../../operations/dates/person-zone.ts';
import { InvalidInputError } from '../../operations/errors.ts';
import { runStep } from '../../operations/next-step.ts';
import { defineOperation, type Operation } from '../../operations/operation.ts';
import type { User } from '../../quiz-api/users.ts';
import { anyCampaign } from '../campaigns/operations/campaign-field.ts';
import { canLead } from '../campaigns/operations/can-lead.ts';
import { withoutAll } from './all-campaigns.ts';
import { listEvidenceOrders } from './list-evidence-orders.ts';
import { stopEvidence } from './stop-evidence.ts';

/** In a workspace. One after the other, they are sent within minutes. */
const ordersAtMost = 50;

/** Who gets the pack, and on whose clock a month begins. */
type Reader = Pick<EvidenceOrder, 'to' | 'toName' | 'timeZone'>;

export const orderEvidence: Operation = defineOperation({
  name: 'order-evidence',
  command: '/quiz-campaign evidence-monthly [campaign or all] to [to]',
  synonyms: ['monthly-evidence'],
  summary: 'Send someone the evidence pack of each month, on the first working day after it; you, if you name nobody',
  title: say`Monthly evidence`,
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Order',
  forPeopleOnly: true,
  uses: ['campaigns', 'evidenceOrders', 'reach'],
  fields: {
    campaign: { ...anyCampaign, hint: 'By the name of its quiz. Leave empty for all', optional: true },
    to: {
      kind: 'user',
      label: 'To',
      hint: 'A trainer or administrator who can edit quizzes. Leave empty if it’s you',
      byName: true,
      clause: { words: ['to'], example: '@who' },
      optional: true,
    },
  },
  parse(line) {
    const [first, ...others] = parseClauses(line, orderEvidence.fields, { subject: 'campaign' });
    return [withoutAll(first), ...others.map(withoutAll)];
  },
  action: ({ campaign, to }) =>
    to === undefined
      ? say`send themselves ${packWords(campaign?.quiz.name)} every month`
      : say`send ${named(publicName(to))} ${packWords(campaign?.quiz.name)} every month`,
  effect: () => say`They would get it on the first working day of each month, about the month before.`,
  async run(context, { campaign, to: chosen }) {
    const { actor, evidenceOrders } = context;
    const reader = await readerOf(context, chosen);
    const orders = await evidenceOrders.all();
    const known = orders.find((order) => order.to === reader.to && order.campaign?.id === campaign?.id);
    const pack = packWords(campaign?.quiz.name);
    const isOwn = reader.to === actor.personId;
    if (known)
      return {
        kind: 'done',
        isNoChange: true,
        message: isOwn
          ? say`You get ${pack} every month already. Nothing changed.`
          : say`${named(reader.toName)} gets ${pack} every month already. Nothing changed.`,
        next: [runStep(say`View all`, listEvidenceOrders, {})],
      };
    if (orders.length >= ordersAtMost)
      throw new InvalidInputError(
        'to',
        say`${ordersAtMost} packs are sent every month already. Stop one first: /quiz-campaign evidence-orders lists them.`,
      );
    const wanted = { ...reader, by: actor.personId };
    const { id } = await evidenceOrders.add({
      ...wanted,
      campaign: campaign === undefined ? null : { id: campaign.id, quizName: campaign.quiz.name },
    });
    return {
      kind: 'done',
      message: orderedMessage(isOwn ? undefined : reader.toName, campaign?.quiz.name),
      next: [runStep(say`Stop`, stopEvidence, { order: [id] })],
    };
  },
});

/** @param toName undefined: the person who orders it gets it */
export function orderedMessage(toName: string | undefined, quizName: string | undefined): string {
  const ordered = say`Ordered ${packWords(quizName)} for every month.`;
  const coming =
    toName === undefined
      ? say`You’ll get it on the first working day of the next one.`
      : say`${named(toName)} gets it on the first working day of the next one, as far as both of you may see it then.`;
  return `${ordered} ${coming}`;
}

function packWords(quizName: string | undefined): string {
  return quizName === undefined
    ? say`the evidence pack on all campaigns`
    : say`the evidence pack on the campaign for ${named(quizName)}`;
}

async function readerOf(context: OperationContext<'reach'>, chosen: User | undefined): Promise<Reader> {
  const { actor, call, platform } = context;
  if (chosen === undefined || chosen.user_id === actor.user?.user_id)
    return {
      to: actor.personId,
      toName: actor.user ? publicName(actor.user) : (actor.name ?? ''),
      timeZone: zoneOf(context),
    };
  const toName = publicName(chosen);
  if (!canLead(chosen))
    throw new InvalidInputError(
      'to',
      say`${named(toName)} can’t see results. Choose a trainer or administrator who can edit quizzes.`,
    );
  const person = (await context.reach([chosen], { call })).get(chosen.user_id);
  if (person === undefined)
    throw new InvalidInputError(
      'to',
      say`Nobody in ${platform.name} has the address of ${named(toName)}, so the pack would reach nobody.`,
    );
  return { to: person.personId, toName, timeZone: person.timeZone };
}
