import { mention, say, named } from '../../../domain/said.ts';
import type { Campaign, CampaignEvent, CampaignMember } from '../../../domain/campaign.ts';
import { personOf, type MemberState } from '../../../obligations/people.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { runStep, unchanged, type DoneResult, type Step } from '../../../operations/page.ts';
import { defineOperation, ofOneself, type Operation } from '../../../operations/operation.ts';
import { knownTimeZone } from '../../../time/wall-clock.ts';
import { startOfNextDay } from '../../../time/working-hours.ts';

/** Campaigns by ID, as many as fit in a button. */
const campaigns = { kind: 'text', label: 'Campaigns', maxLength: 2_000 } as const;
const idsIn = (text: string) => text.split(' ').filter((id) => id !== '');

export const notMe = defineOperation({
  ...ofOneself,
  name: 'not-me',
  command: '/quiz-campaign not-me <campaigns>',
  summary: 'Not me',
  fields: { campaigns },
  run: async (context, input) =>
    answered(
      context,
      idsIn(input.campaigns),
      ({ userId }) => ({ kind: 'not-me', userId, at: context.now() }),
      ({ quiz, ownerId }) => ({
        message: say`🙋 You said that ${named(quiz.name)} isn’t for you. ${mention(ownerId)} gets a message about it.`,
        next: [ownStep(say`Undo`, forMe, { campaigns: [input.campaigns] }, 'row')],
      }),
    ),
});

export const forMe = defineOperation({
  ...ofOneself,
  name: 'for-me',
  command: '/quiz-campaign for-me <campaigns>',
  summary: 'Undo',
  title: say`Undo`,
  fields: { campaigns },
  run: async (context, input) =>
    answered(
      context,
      idsIn(input.campaigns),
      ({ userId }) => ({ kind: 'for-me', userId }),
      () => ({ message: say`👍 It’s for you again. \`/quiz mine\` shows your quizzes.` }),
    ),
});

export const snoozeReminders = defineOperation({
  ...ofOneself,
  name: 'snooze-reminders',
  command: '/quiz-campaign snooze <campaigns>',
  summary: 'Snooze until tomorrow',
  title: say`Snooze until tomorrow`,
  fields: { campaigns },
  run: async (context, input) =>
    answered(
      context,
      idsIn(input.campaigns),
      ({ userId }, timeZone) => ({ kind: 'snooze', userId, until: startOfNextDay(context.now(), timeZone) }),
      () => ({ message: say`💤 You’ll be reminded again on your next working day.` }),
    ),
});

/** What a button of a manager is about: a member of campaigns. */
const report = { user: { kind: 'text', label: 'User', maxLength: 100 }, campaigns } as const;

export const notMyReport = defineOperation({
  ...ofOneself,
  name: 'not-my-report',
  command: '/quiz-campaign not-mine <user> in <campaigns>',
  summary: 'Not my report',
  fields: report,
  async run(context, input) {
    const by = context.actor.personId;
    const own = await ownReports(context, input.user, idsIn(input.campaigns));
    const told = new Set<string>();
    for (const { campaign } of own) {
      const leads = campaign.leads.join() || campaign.ownerId;
      const isNotified = told.has(leads);
      await context.campaigns.put(campaign.id, {
        kind: 'not-report',
        userId: input.user,
        by,
        isNotified: isNotified || undefined,
      });
      told.add(leads);
    }
    return aboutReport(context, own[0]?.member, ({ name }) => ({
      message: say`↩️ You said that ${named(name)} doesn’t report to you. The name goes to the lead from now on.`,
      next: [ownStep(say`Undo`, myReportAfterAll, { user: [input.user], campaigns: [input.campaigns] }, 'row')],
    }));
  },
});

/** Only who said so takes it back. */
export const myReportAfterAll = defineOperation({
  ...ofOneself,
  name: 'my-report-after-all',
  command: '/quiz-campaign mine-again <user> in <campaigns>',
  summary: 'Undo',
  title: say`Undo`,
  fields: report,
  async run(context, input) {
    const by = context.actor.personId;
    let found: CampaignMember | undefined;
    for (const id of idsIn(input.campaigns)) {
      const campaign = await context.campaigns.byId(id);
      const member = campaign?.members.find(({ userId }) => userId === input.user);
      if (campaign?.endedAt !== null || !member?.notReportOf.includes(by)) continue;
      await context.campaigns.put(id, { kind: 'report-after-all', userId: input.user, by });
      found = member;
    }
    return aboutReport(context, found, ({ name }) => ({ message: say`👍 ${named(name)} is on your list again.` }));
  },
});

/** A button with which somebody answers their own message. @param opens what the answer takes the place of */
export function ownStep(
  label: string,
  operation: Pick<Operation, 'name'>,
  input: Step['input'],
  opens: 'row' | 'button',
): Step {
  return { ...runStep(label, operation, input), opens };
}

/** The part of an answer that differs. */
type Said = Pick<DoneResult, 'message' | 'next'>;

/**
 * Stores an answer for each of the campaigns in which it changes something. Who the person is in the quiz account is asked
 * at this moment.
 */
async function answered(
  { actor, identity, campaigns: kept, now, call }: OperationContext,
  campaignIds: readonly string[],
  eventOf: (member: CampaignMember, timeZone: string) => CampaignEvent,
  said: (campaign: Campaign) => Said,
): Promise<DoneResult> {
  const { user, timeZone } = await identity.actorOf(actor.personId, { fresh: true, call });
  let refusal = say`This campaign isn’t there anymore.`;
  let answeredIn: Campaign | undefined;
  for (const id of campaignIds) {
    const campaign = await kept.byId(id);
    if (campaign === undefined) continue;
    const member = campaign.members.find(({ userId }) => userId === user?.user_id);
    const why = refusalOf(campaign, member && personOf(member, campaign, now()).state, user?.suspended === true);
    if (why !== undefined || member === undefined) {
      refusal = why ?? refusal;
      continue;
    }
    await kept.put(id, eventOf(member, knownTimeZone(timeZone) ?? member.timeZone));
    answeredIn = campaign;
  }
  return answeredIn === undefined ? unchanged(refusal) : { kind: 'done', ...said(answeredIn) };
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

/** The campaigns in which the member still has to take the quiz and the person is their manager, as it is stored now. */
async function ownReports(
  { actor: { personId }, identity, campaigns: kept, now, call }: OperationContext,
  userId: string,
  campaignIds: readonly string[],
): Promise<{ campaign: Campaign; member: CampaignMember }[]> {
  const { nobody } = await identity.actorOf(personId, { fresh: true, call });
  if (nobody === 'deactivated' || nobody === 'guest' || nobody === 'stranger' || nobody === 'bot') return [];
  const found = await Promise.all(campaignIds.map(async (id) => kept.byId(id)));
  return found.flatMap((campaign) => {
    const member = campaign?.members.find((one) => one.userId === userId);
    return campaign !== undefined &&
      campaign.endedAt === null &&
      member?.managerId === personId &&
      personOf(member, campaign, now()).state === 'open'
      ? [{ campaign, member }]
      : [];
  });
}

function aboutReport(
  { platform }: OperationContext,
  member: CampaignMember | undefined,
  said: (member: CampaignMember) => Said,
): DoneResult {
  return member === undefined
    ? unchanged(
        say`They aren’t on your list any more: they took the quiz, were excused, or have another manager in ${platform.name}.`,
      )
    : { kind: 'done', ...said(member) };
}
