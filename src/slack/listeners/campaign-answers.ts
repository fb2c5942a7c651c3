import type { App } from '@slack/bolt';
import type { Identity } from '../../directory/identity.ts';
import { memberState, type MemberState } from '../../obligations/members.ts';
import type { Campaign, CampaignEvent } from '../../domain/campaign.ts';
import { named } from '../../domain/sentence.ts';
import { say } from '../../domain/said.ts';
import type { CampaignService } from '../../operations/services/campaigns.ts';
import { knownTimeZone } from '../../time/wall-clock.ts';
import { startOfNextDay } from '../../time/working-hours.ts';
import {
  afterAnswer,
  campaignActionIds,
  campaignsOfButton,
  forMeButton,
  forMeNote,
  notMeNote,
  snoozedNote,
} from '../views/campaigns/campaign-messages.ts';
import type { ListenerContext } from './listener-context.ts';
import { onMessageButton } from './message-buttons.ts';

type Answer = keyof typeof campaignActionIds;

export interface MemberAnswers {
  campaigns: (teamId: string) => Pick<CampaignService, 'byId' | 'put'>;
  identity: Pick<Identity, 'actorOf' | 'forget'>;
  now: () => number;
}

/** Takes what members of campaigns answer by the buttons of their messages. */
export function registerCampaignAnswers(app: App, listenerContext: ListenerContext, deps: MemberAnswers): void {
  for (const answer of ['notMe', 'snooze', 'forMe'] as const)
    onMessageButton(app, listenerContext, campaignActionIds[answer], async ({ teamId, personId, action }) => {
      const campaignIds = campaignsOfButton(action.value);
      const taken = await takeAnswer(answer, { teamId, personId, campaignIds }, deps);
      if ('refusal' in taken) return taken;
      const note = { notMe: () => notMeNote(taken.campaign), snooze: () => snoozedNote, forMe: () => forMeNote }[
        answer
      ]();
      const undo = answer === 'notMe' ? [forMeButton(campaignIds)] : [];
      return { blocks: (blocks) => afterAnswer(blocks, action, note, undo) };
    });
}

/**
 * Stores an answer for each of the campaigns in which it changes something. Who the person is in the quiz account is asked
 * at this moment.
 *
 * @returns the last of these campaigns, or a sentence that says why the answer changes nothing
 */
async function takeAnswer(
  answer: Answer,
  { teamId, personId, campaignIds }: { teamId: string; personId: string; campaignIds: readonly string[] },
  { campaigns, identity, now }: MemberAnswers,
): Promise<{ campaign: Campaign } | { refusal: string }> {
  const { user, timeZone } = await identity.actorOf(personId, { fresh: true });
  let outcome: { campaign: Campaign } | { refusal: string } = { refusal: say`This campaign isn’t there anymore.` };
  for (const id of campaignIds) {
    const campaign = await campaigns(teamId).byId(id);
    if (campaign === undefined) continue;
    const member = campaign.members.find(({ userId }) => userId === user?.user_id);
    const refusal = refusalOf(campaign, member && memberState(member, campaign, now()), user?.suspended === true);
    if (refusal !== undefined || member === undefined) {
      if (!('campaign' in outcome)) outcome = { refusal: refusal ?? '' };
      continue;
    }
    await campaigns(teamId).put(id, eventOf(answer, member.userId, knownTimeZone(timeZone) ?? member.timeZone, now()));
    outcome = { campaign };
  }
  return outcome;
}

function eventOf(answer: Answer, userId: string, timeZone: string, now: number): CampaignEvent {
  switch (answer) {
    case 'notMe':
      return { kind: 'not-me', userId, at: now };
    case 'forMe':
      return { kind: 'for-me', userId };
    case 'snooze':
      return { kind: 'snooze', userId, until: startOfNextDay(now, timeZone) };
  }
}

/** Undefined where the answer changes something. A member who says the same again is not refused: the click may have come twice. */
function refusalOf(
  { quiz, endedAt }: Campaign,
  state: MemberState | undefined,
  isSuspended: boolean,
): string | undefined {
  if (state === undefined || state === 'not required') return say`You’re no longer asked to take ${named(quiz.name)}.`;
  if (isSuspended) return say`Your quiz account is suspended, so you get no more reminders.`;
  if (endedAt !== null) return say`The campaign for ${named(quiz.name)} is over.`;
  if (state === 'complete' || state === 'marking') return say`You’ve already taken ${named(quiz.name)}.`;
  return state === 'excused' ? say`You don’t need to take ${named(quiz.name)}: you’re excused.` : undefined;
}
