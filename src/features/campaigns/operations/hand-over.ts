import { markedName, namedUser, publicName } from '../../../directory/names.ts';
import { offerOpenMs, type Campaign } from '../../../domain/campaign.ts';
import { named, recorded, say } from '../../../domain/said.ts';
import { zoneOf } from '../../../operations/dates/typed-time.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { runStep, made, unchanged } from '../../../operations/page.ts';
import { defineOperation, ofCampaign } from '../../../operations/operation.ts';
import { canLead } from './who-takes-part.ts';
import { campaignField } from '../../../operations/fields/campaign.ts';
import { viewStep } from './list-and-show.ts';

/**
 * Makes the person who asks for it answer for a campaign: they own it, and hear who is missing. Another person is asked, and
 * accepts with a button that runs it with their offer.
 */
export const handOverCampaign = defineOperation({
  name: 'hand-over-campaign',
  command: '/quiz-campaign hand-over <campaign> to <to>',
  synonyms: ['transfer'],
  summary: 'Ask someone to answer for a campaign; you answer for it, if you name nobody',
  title: say`Hand a campaign over`,
  buttons: { campaign: [{ label: 'Hand over…', in: ['page'], position: 9, opens: 'form' }] },
  ...ofCampaign,
  submit: 'Hand over',
  forPeopleOnly: true,
  fields: {
    campaign: campaignField,
    to: { kind: 'user', label: 'To', hint: 'Leave empty if it’s you', byName: true, optional: true },
    offer: { kind: 'text', label: 'Offer', maxLength: 20, optional: true, typedOnly: true },
  },
  action: ({ campaign, to }) =>
    to === undefined
      ? takeover(campaign)
      : say`ask ${namedUser(to, publicName)} to answer for the campaign for ${named(campaign.quiz.name)}`,
  effect: () => say`They would get its questions, and the names of the people who are missing.`,
  async run(context, { campaign, to: chosen, offer }) {
    const { requester, campaigns, call } = context;
    const next = [viewStep(campaign.id)];
    const leads = requester.user ? [requester.user.user_id] : [];
    const self = { ownerId: requester.personId, leads, timeZone: zoneOf(context) };
    if (offer !== undefined) {
      const offeredAt = await openOffer(context, campaign, Number(offer));
      if (!(await campaigns.handOver(campaign, self, offeredAt))) throw goneOffer(campaign);
      return made(takenOverMessage(campaign), next);
    }
    if (chosen === undefined || chosen.user_id === requester.user?.user_id) {
      const isOwned = campaign.ownerId === requester.personId && campaign.leads[0] === leads[0];
      if (isOwned && (await campaigns.offer(campaign, null)))
        return { ...made(keptMessage(campaign), next), change: withdrawal(campaign) };
      if (!isOwned) await campaigns.handOver(campaign, self);
      const result = isOwned ? unchanged(ownedMessage(campaign), next) : made(takenOverMessage(campaign), next);
      return { ...result, change: takeover(campaign) };
    }
    if (!canLead(chosen))
      throw new InvalidInputError(
        'to',
        say`${namedUser(chosen, publicName)} can’t see results. Choose a trainer or administrator who can edit quizzes.`,
      );
    const person = (await context.reach([chosen], { call })).get(chosen.user_id);
    if (person === undefined)
      throw new InvalidInputError(
        'to',
        say`Nobody in ${context.platform.name} has the address of ${namedUser(chosen, publicName)}, so they’d get no messages about it.`,
      );
    if (person.personId === campaign.ownerId && chosen.user_id === campaign.leads[0])
      return unchanged(
        say`${namedUser(chosen, publicName)} answers for the campaign for ${named(campaign.quiz.name)} already. Nothing changed.`,
        next,
      );
    const { personId, user } = requester;
    const to = { personId: person.personId, userId: chosen.user_id };
    await campaigns.offer(campaign, { at: context.now(), by: { personId, userId: user?.user_id }, to });
    const withdraw = runStep(say`Withdraw offer`, handOverCampaign, { campaign: [campaign.id] });
    const isOwner = campaign.ownerId === personId;
    return made(offeredMessage(campaign, markedName(chosen)), [...(isOwner ? [withdraw] : []), ...next]);
  },
});

function takeover({ quiz }: Campaign): string {
  return say`take the campaign for ${named(quiz.name)} over`;
}

function withdrawal({ quiz }: Campaign): string {
  return recorded`withdraw the offer to answer for the campaign for ${named(quiz.name)}`;
}

/** When the offer was made that the person may accept now. @throws {InvalidInputError} */
async function openOffer(
  { requester, campaigns, now }: OperationContext,
  campaign: Campaign,
  offeredAt: number,
): Promise<number> {
  const listed = (await campaigns.all()).find(({ id }) => id === campaign.id);
  const { offer, ownerId } = { offer: undefined, ...campaign, ...listed };
  if (ownerId === requester.personId) throw new InvalidInputError('offer', ownedMessage(campaign));
  if (offer?.at !== offeredAt) throw goneOffer(campaign);
  if (offer.to.personId !== requester.personId || requester.user === undefined)
    throw new InvalidInputError('offer', say`Someone else was asked to answer for this campaign.`);
  if (now() - offeredAt >= offerOpenMs)
    throw new InvalidInputError(
      'offer',
      say`This offer expired after 7 days. Ask the person who answers for the campaign for ${named(campaign.quiz.name)} to hand it over again.`,
    );
  return offeredAt;
}

function goneOffer({ quiz }: Campaign): InvalidInputError {
  return new InvalidInputError(
    'offer',
    say`The offer to answer for the campaign for ${named(quiz.name)} is withdrawn.`,
  );
}

function ownedMessage({ quiz }: Pick<Campaign, 'quiz'>): string {
  return say`You answer for the campaign for ${named(quiz.name)} already. Nothing changed.`;
}

function keptMessage({ quiz }: Pick<Campaign, 'quiz'>): string {
  return say`You still answer for the campaign for ${named(quiz.name)}. The offer to hand it over is withdrawn.`;
}

export function takenOverMessage({ quiz }: Pick<Campaign, 'quiz'>): string {
  return say`Handed the campaign for ${named(quiz.name)} over to you. You’ll get its questions, and the names of the people who are missing.`;
}

export function offeredMessage({ quiz }: Pick<Campaign, 'quiz'>, name: string): string {
  return say`Asked ${named(name)} to answer for the campaign for ${named(quiz.name)}. Nothing changes until they accept, within 7 days.`;
}
