import type { Campaign, CampaignMember, Excuse } from '../../../domain/campaign.ts';
import { memberState } from '../../../obligations/members.ts';
import { named, namedPeople } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import { dayInWords, momentInWords } from '../../../operations/dates/typed-time.ts';
import { zoneOf } from '../../../operations/dates/person-zone.ts';
import { parseNamesAndClauses, type TwoNames } from '../../../operations/clauses/names-and-clauses.ts';
import type { CampaignService } from '../../../operations/services/campaigns.ts';
import { defineOperation, type Operation } from '../../../operations/operation.ts';
import { runStep } from '../../../operations/next-step.ts';
import type { NextStep } from '../../../operations/operation-result.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { campaignField } from './campaign-field.ts';
import { endCampaign } from './end.ts';
import { effectOfExcuse, excuseFields } from './excuse-fields.ts';
import { membersNamed, namesOf } from './members-named.ts';
import { readLaterTime, type TimeSetting } from './schedule-input.ts';
import { viewStep } from './show-campaign.ts';

const campaignAndPeople: TwoNames = { first: 'campaign', second: 'people', turnedAt: 'from' };

export const excuseFromCampaign: Operation = defineOperation({
  name: 'excuse-campaign',
  command: '/quiz-campaign excuse <campaign> <people> [until 1 feb] because <reason>',
  summary: 'Excuse people from a campaign, for a reason',
  title: say`Excuse from a campaign`,
  buttons: {
    campaign: [
      {
        label: 'Excuse…',
        in: ['list', 'page'],
        position: 4,
        opensForm: true,
        when: ({ endedAt }) => endedAt === null,
        input: ({ id }) => ({ campaign: [id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Excuse',
  uses: ['campaigns'],
  fields: {
    campaign: campaignField,
    people: { kind: 'users', label: 'People', byName: true },
    ...excuseFields,
  },
  parse: (line) =>
    parseNamesAndClauses(line, excuseFromCampaign.fields, { ...campaignAndPeople, afterComma: 'because' }),
  action: ({ campaign, people }) => say`excuse ${namesOf(people)} from ${named(campaign.quiz.name)}`,
  effect: (_, { until }) => effectOfExcuse(until),
  async run(context, { campaign, people, until: typed, because: reason }) {
    const { campaigns, actor } = context;
    const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
    const until = typed === undefined ? undefined : readLaterTime(typed, 'until', setting);
    const excuse = { by: actor.personId, reason, at: setting.nowMs, ...(until !== undefined && { until }) };
    const left = await excuseIn(campaigns, campaign, membersNamed(campaign, people), excuse);
    const next = [viewStep(campaign.id)];
    if (left.length === 0)
      return {
        kind: 'done',
        isNoChange: true,
        message: say`${namesOf(people)} ${people.length === 1 ? 'was' : 'were'} excused already. Nothing changed.`,
        next,
      };
    const excused = new Set(left);
    const after = {
      ...campaign,
      members: campaign.members.map((member) => (excused.has(member) ? { ...member, excused: excuse } : member)),
    };
    const isLast = until === undefined && isNobodyLeft(after, setting.nowMs);
    const undo = { campaign: [campaign.id], people: left.map(({ userId }) => userId) };
    return {
      kind: 'done',
      message: [
        excusedMessage(campaign, left, until, setting),
        ...(isLast ? [say`Nobody is left to take it, so the campaign ends in a day.`] : []),
      ].join(' '),
      next: [
        runStep(say`Undo`, includeInCampaign, undo),
        ...(isLast ? [runStep(say`End now`, endCampaign, { campaign: [campaign.id] })] : []),
        ...next,
      ],
    };
  },
});

/** Excuses members who are not excused so already. @returns these */
export async function excuseIn(
  campaigns: Pick<CampaignService, 'put'>,
  campaign: Campaign,
  members: readonly CampaignMember[],
  excuse: Excuse,
): Promise<CampaignMember[]> {
  const left = members.filter(
    (member) => memberState(member, campaign, excuse.at) !== 'excused' || member.excused?.until !== excuse.until,
  );
  if (left.length > 0)
    await campaigns.put(campaign.id, { kind: 'excuse', userIds: left.map(({ userId }) => userId), ...excuse });
  return left;
}

/** @param until when the excuse ends, in milliseconds since the epoch; undefined: never */
export function excusedMessage(
  { quiz }: Pick<Campaign, 'quiz'>,
  members: readonly Pick<CampaignMember, 'userId' | 'name'>[],
  until: number | undefined,
  setting: TimeSetting,
): string {
  return excusedFrom(named(quiz.name), members, until, setting);
}

/** @param from what they are excused from, in words */
export function excusedFrom(
  from: string,
  members: readonly Pick<CampaignMember, 'userId' | 'name'>[],
  until: number | undefined,
  setting: TimeSetting,
): string {
  const who = namedPeople(members);
  return until === undefined
    ? say`Excused ${who} from ${from}. They get no more reminders.`
    : say`Excused ${who} from ${from} until ${endInWords(until, setting)}. They get no reminders before that.`;
}

/** A day begins at midnight, which nobody says. */
function endInWords(until: number, setting: TimeSetting): string {
  const isMidnight = wallClock(setting.timeZone).shownAt(until) % (24 * 3_600_000) === 0;
  return isMidnight ? dayInWords(until, setting) : momentInWords(until, setting);
}

function isNobodyLeft(campaign: Campaign, now: number): boolean {
  return campaign.members.every((member) => ['complete', 'excused'].includes(memberState(member, campaign, now)));
}

/** Takes back that people are excused, or that they said that the quiz is not for them. */
export const includeInCampaign: Operation = defineOperation({
  name: 'include-campaign',
  command: '/quiz-campaign include <campaign> <people>',
  synonyms: ['unexcuse'],
  summary: 'Take an excuse or a “Not me” back: these people have to take the quiz after all',
  title: say`Include again`,
  buttons: {
    campaign: [
      {
        label: 'Include…',
        in: ['page'],
        position: 8,
        opensForm: true,
        when: ({ endedAt, members }) =>
          endedAt === null && members.some(({ excused, saidNotMeAt }) => excused !== null || saidNotMeAt !== null),
        input: ({ id }) => ({ campaign: [id] }),
      },
    ],
  },
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Include',
  uses: ['campaigns'],
  fields: {
    campaign: campaignField,
    people: { kind: 'users', label: 'People', byName: true },
  },
  parse: (line) => parseNamesAndClauses(line, includeInCampaign.fields, campaignAndPeople),
  action: ({ campaign, people }) => say`include ${namesOf(people)} in ${named(campaign.quiz.name)} again`,
  effect: () => say`They would have to take it, and get its reminders.`,
  async run({ campaigns, now }, { campaign, people }) {
    const members = membersNamed(campaign, people);
    const at = now();
    const back = members.filter((member) => ['excused', 'not me'].includes(memberState(member, campaign, at)));
    const next = [viewStep(campaign.id)];
    if (back.length === 0)
      return {
        kind: 'done',
        isNoChange: true,
        message: say`${namesOf(people)} ${people.length === 1 ? 'takes' : 'take'} part in ${named(campaign.quiz.name)} already. Nothing changed.`,
        next,
      };
    await campaigns.put(campaign.id, { kind: 'include', userIds: back.map(({ userId }) => userId), at });
    return { kind: 'done', message: includedMessage(campaign, back), next: [...undoSteps(campaign, back), ...next] };
  },
});

/** Members who said that the quiz is not for them get a message that it is. */
export function includedMessage({ quiz }: Pick<Campaign, 'quiz'>, members: readonly CampaignMember[]): string {
  const told = members.filter(({ saidNotMeAt }) => saidNotMeAt !== null);
  return [
    say`Included ${namedPeople(members)} in ${named(quiz.name)} again.`,
    ...(told.length === 0 ? [] : [say`${namedPeople(told)} will get a message about it.`]),
  ].join(' ');
}

/** Excuses them as before, where all had the same excuse. */
function undoSteps({ id }: Campaign, members: readonly CampaignMember[]): NextStep[] {
  const [first, ...others] = members.map(({ excused }) => excused);
  if (!first || others.some((one) => one?.reason !== first.reason || one.until !== first.until)) return [];
  const input: TextInput = {
    campaign: [id],
    people: members.map(({ userId }) => userId),
    ...(first.until !== undefined && { until: [new Date(first.until).toISOString()] }),
    because: [first.reason],
  };
  return [runStep(say`Undo`, excuseFromCampaign, input)];
}
