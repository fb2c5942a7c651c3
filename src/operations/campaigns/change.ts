import { openMembers } from '../../domain/campaign-members.ts';
import { named, namedList } from '../../domain/sentence.ts';
import { publicName } from '../../directory/names.ts';
import type { User } from '../../quiz-api/users.ts';
import { zoneOf } from '../dates/person-zone.ts';
import { timeInWords } from '../dates/typed-time.ts';
import { InvalidInputError } from '../errors.ts';
import type { CampaignField } from '../fields/campaign.ts';
import { defineOperation } from '../operation.ts';
import { actions } from '../wording/actions.ts';
import { outcomes } from '../wording/outcomes.ts';
import { proposals } from '../wording/proposals.ts';
import { parseExcuseLine } from './excuse-line.ts';
import { endOf, readDue } from './schedule-input.ts';

export const campaignField = {
  kind: 'campaign',
  label: 'Campaign',
  hint: 'By the name of its quiz',
  isRunning: true,
} as const satisfies CampaignField;

export const remindCampaign = defineOperation({
  name: 'remind-campaign',
  command: '/quiz-campaign remind <campaign>',
  summary: 'Remind everyone who hasn’t completed the quiz, as soon as their working hours allow',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Remind',
  fields: { campaign: campaignField },
  action: actions['remind-campaign'],
  effect: proposals['remind-campaign'],
  async run({ campaigns, now }, { campaign }) {
    const reached = openMembers(campaign).filter(({ personId }) => personId !== null);
    const next = [viewStep(campaign.id)];
    if (reached.length === 0)
      return {
        kind: 'done',
        isNoChange: true,
        message: `Nobody in the campaign for ${named(campaign.quiz.name)} is left to remind.`,
        next,
      };
    await campaigns.put(campaign.id, { kind: 'remind-now', at: now() });
    return { kind: 'done', message: outcomes['remind-campaign']({ campaign, count: reached.length }), next };
  },
});

export const extendCampaign = defineOperation({
  name: 'extend-campaign',
  command: '/quiz-campaign extend <campaign> to <time>',
  summary: 'Give people more time: 20 dec 17:00, friday, in 2 weeks',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Extend',
  fields: {
    campaign: campaignField,
    time: {
      kind: 'text',
      label: 'New due time',
      hint: 'For example 20 dec 17:00, or friday. A day alone is due at 17:00',
      maxLength: 60,
    },
  },
  action: actions['extend-campaign'],
  effect: (_, input) => proposals['extend-campaign'](input),
  async run(context, { campaign, time }) {
    const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
    const dueAt = readDue(time, 'time', setting);
    const { schedule } = campaign;
    if (schedule.dueAt !== undefined && dueAt <= schedule.dueAt) {
      throw new InvalidInputError(
        'time',
        `The campaign is due ${timeInWords(schedule.dueAt, setting)}. Choose a later time.`,
      );
    }
    await context.campaigns.put(campaign.id, { kind: 'extend', dueAt, endsAt: endOf(dueAt, schedule.escalateAfterMs) });
    return {
      kind: 'done',
      message: outcomes['extend-campaign']({ campaign, due: timeInWords(dueAt, setting) }),
      next: [viewStep(campaign.id)],
    };
  },
});

export const excuseFromCampaign = defineOperation({
  name: 'excuse-campaign',
  command: '/quiz-campaign excuse <campaign> <people> because <reason>',
  summary: 'Excuse people from a campaign, for a reason',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Excuse',
  fields: {
    campaign: campaignField,
    people: { kind: 'users', label: 'People', byName: true },
    because: { kind: 'text', label: 'Reason', hint: 'The report and the list of members show it', maxLength: 500 },
  },
  parse: parseExcuseLine,
  action: actions['excuse-campaign'],
  effect: proposals['excuse-campaign'],
  async run({ campaigns, actor, now }, { campaign, people, because }) {
    const members = new Map(campaign.members.map((member) => [member.userId, member]));
    const strangers = people.filter(({ user_id }) => !members.has(user_id));
    if (strangers.length > 0)
      throw new InvalidInputError(
        'people',
        `${namesOf(strangers)} ${strangers.length === 1 ? 'isn’t' : 'aren’t'} in the campaign for ${named(campaign.quiz.name)}.`,
      );
    const left = people.filter(({ user_id }) => members.get(user_id)?.excused === null);
    const next = [viewStep(campaign.id)];
    if (left.length === 0)
      return {
        kind: 'done',
        isNoChange: true,
        message: `${namesOf(people)} ${people.length === 1 ? 'was' : 'were'} excused already. Nothing changed.`,
        next,
      };
    await campaigns.put(campaign.id, {
      kind: 'excuse',
      userIds: left.map(({ user_id }) => user_id),
      by: actor.personId,
      reason: because,
      at: now(),
    });
    return { kind: 'done', message: outcomes['excuse-campaign']({ campaign, people: left }), next };
  },
});

export const endCampaign = defineOperation({
  name: 'end-campaign',
  command: '/quiz-campaign end <campaign>',
  summary: 'End a campaign before its time, with its report',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'End',
  fields: { campaign: campaignField },
  warn(_, { campaign }) {
    const { length } = openMembers(campaign);
    return length === 0
      ? undefined
      : `${length === 1 ? '1 person hasn’t' : `${length.toLocaleString('en')} people haven’t`} completed ${named(campaign.quiz.name)} yet, and would get no more reminders.`;
  },
  action: actions['end-campaign'],
  effect: proposals['end-campaign'],
  async run({ campaigns, now }, { campaign }) {
    await campaigns.put(campaign.id, { kind: 'end', at: now() });
    const input = { campaign: [campaign.id] };
    return {
      kind: 'done',
      message: outcomes['end-campaign']({ campaign }),
      next: [{ label: 'Get report', operation: 'report-campaign', input }, viewStep(campaign.id)],
    };
  },
});

export function viewStep(campaignId: string) {
  return { label: 'View campaign', operation: 'show-campaign', input: { campaign: [campaignId] } };
}

function namesOf(users: readonly User[]): string {
  return namedList(users.map(publicName));
}
