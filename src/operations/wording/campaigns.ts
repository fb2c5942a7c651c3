import { publicName } from '../../directory/names.ts';
import type { Campaign, CampaignPlan } from '../../domain/campaign.ts';
import type { Plan } from '../../domain/plan.ts';
import { named, namedList } from '../../domain/sentence.ts';
import { backgroundDurationMs } from '../../quiz-api/budget/background-duration.ts';
import type { User } from '../../quiz-api/users.ts';
import { timeInWords } from '../dates/typed-time.ts';
import { partName, type AudiencePart } from '../fields/audience.ts';
import { durationWords } from '../fields/durations.ts';
import { zoneWords } from '../subscription-words.ts';
import { roughDuration } from './rough-duration.ts';

interface OfCampaign {
  campaign: Pick<Campaign, 'quiz'>;
}

interface OfPlan {
  plan: Pick<Plan, 'content' | 'createdAt'>;
}

type PublicName = Pick<User, 'user_id' | 'first_name' | 'last_name'>;

const nameOf = ({ campaign }: OfCampaign): string => named(campaign.quiz.name);

export const campaignActions = {
  'run-campaign': ({ plan: { content } }: OfPlan) =>
    content.kind === 'campaign'
      ? `start a campaign for ${named(content.quiz.name)} with ${peopleWords(content.members.length)}`
      : `start ${content.action}`,
  'remind-campaign': (change: OfCampaign) => `remind everyone who hasn’t completed ${nameOf(change)}`,
  'extend-campaign': (change: OfCampaign) => `extend the campaign for ${nameOf(change)}`,
  'excuse-campaign': ({ people, ...change }: OfCampaign & { people: readonly PublicName[] }) =>
    `excuse ${namedList(people.map(publicName))} from ${nameOf(change)}`,
  'add-to-campaign': ({ people, ...change }: OfCampaign & { people: readonly AudiencePart[] }) =>
    `add ${namedList(people.map(partName))} to the campaign for ${nameOf(change)}`,
  'end-campaign': (change: OfCampaign) => `end the campaign for ${nameOf(change)}`,
};

export const campaignProposals = {
  'run-campaign': ({ plan: { content, createdAt } }: OfPlan) =>
    content.kind === 'campaign' ? proposedCampaign(content, createdAt) : 'It would run in the background.',
  'remind-campaign': () => 'Everyone who still has to take the quiz would get a reminder.',
  'extend-campaign': ({ time }: { time: string }) => `It would be due ${named(time)}.`,
  'excuse-campaign': () => 'They would get no more reminders, and count as excused.',
  'add-to-campaign': () => 'They would get the quiz, a message about it, and the reminders.',
  'end-campaign': () => 'Nobody would get any more reminders.',
};

/** Moments in words, such as “Tue 15 Dec, 17:00”. */
export const campaignOutcomes = {
  'run-campaign': ({ plan, first }: { plan: CampaignPlan; first: string | undefined }) => {
    const { requests } = plan.assigning;
    const assigning =
      requests === 0 ? '' : ` Everyone will have the quiz in ${roughDuration(backgroundDurationMs(requests))}.`;
    const messages =
      first === undefined ? ' Nobody in it can be reached by direct message.' : ` The first messages go out ${first}.`;
    return `Started a campaign for ${named(plan.quiz.name)} with ${peopleWords(plan.members.length)}.${assigning}${messages}`;
  },
  'remind-campaign': ({ count, ...change }: OfCampaign & { count: number }) =>
    `Scheduled ${count === 1 ? 'a reminder' : 'reminders'} about ${nameOf(change)} for ${peopleWords(count)}. ${count === 1 ? 'It goes out in their working hours' : 'Each goes out in the person’s working hours'}, at most one message a day.`,
  'extend-campaign': ({ due, ...change }: OfCampaign & { due: string }) =>
    `Extended the campaign for ${nameOf(change)}. It’s now due ${due}.`,
  'excuse-campaign': ({ people, ...change }: OfCampaign & { people: readonly PublicName[] }) =>
    `Excused ${namedList(people.map(publicName))} from ${nameOf(change)}. They get no more reminders.`,
  'add-to-campaign': ({ names, leftOut, ...change }: OfCampaign & { names: readonly string[]; leftOut: number }) =>
    `Added ${namedList(names)} to the campaign for ${nameOf(change)}.${leftOut === 0 ? '' : ` ${leftOut === 1 ? '1 person was' : `${leftOut.toLocaleString('en')} people were`} left out: they’re in it already, passed, are suspended or have no user.`}`,
  'end-campaign': (change: OfCampaign) => `Ended the campaign for ${nameOf(change)}. Nobody gets any more reminders.`,
};

/** In the time zone of the lead, so that everyone who decides reads the same. */
function proposedCampaign({ members, schedule, lead, assigning, board }: CampaignPlan, nowMs: number): string {
  const due =
    schedule.dueAt === undefined
      ? 'It would have no due time.'
      : `It would be due ${timeInWords(schedule.dueAt, { nowMs, timeZone: lead.timeZone })} (${zoneWords(lead.timeZone)}).`;
  return [
    `A message would go to ${peopleWords(members.length)}: ${namedList(members.map(({ name }) => name))}. ${due}`,
    ...reminderWords(schedule).map((words) => `Reminders would go out ${words}.`),
    ...(assigning.requests === 0
      ? []
      : [
          `The quiz would be assigned with ${assigning.requests.toLocaleString('en')} ${assigning.requests === 1 ? 'request' : 'requests'}.`,
        ]),
    ...(board === null ? [] : ['A message in a channel would show who has taken it.']),
  ].join(' ');
}

/** When reminders go out, in words; empty where there are none. */
export function reminderWords({ remindBeforeMs, overdueEveryMs }: CampaignPlan['schedule']): string[] {
  const before =
    remindBeforeMs.length === 0
      ? []
      : [`${new Intl.ListFormat('en-GB').format(remindBeforeMs.map(durationWords))} before`];
  const after =
    overdueEveryMs === undefined
      ? []
      : [`every ${overdueEveryMs === 24 * 3_600_000 ? 'day' : durationWords(overdueEveryMs)} after it’s due`];
  return before.length + after.length === 0 ? [] : [[...before, ...after].join(', and ')];
}

export function peopleWords(count: number): string {
  return count === 1 ? '1 person' : `${count.toLocaleString('en')} people`;
}
