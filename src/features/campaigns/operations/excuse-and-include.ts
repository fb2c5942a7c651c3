import type { Campaign, CampaignMember, Excuse } from '../../../domain/campaign.ts';
import { personOf, type MemberState } from '../../../obligations/people.ts';
import { named, namedPeople, namedList, say, sentences } from '../../../domain/said.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import { parseTime } from '../../../operations/dates/time-expression.ts';
import { dayInWords, momentInWords, zoneOf } from '../../../operations/dates/typed-time.ts';
import { parseNamesAndClauses, type TwoNames } from '../../../operations/clauses/parse-clauses.ts';
import { visibleRunning, campaignField } from '../../../operations/fields/campaign.ts';
import { defineOperation, type Operation, ofCampaign } from '../../../operations/operation.ts';
import { runStep, made, unchanged, type Step } from '../../../operations/page.ts';
import { given, InvalidInputError, type TextInput } from '../../../operations/text-input.ts';
import { campaignsField } from '../../../operations/fields/things.ts';
import { quizNames } from '../pages/words.ts';
import { endCampaign } from './end-and-report.ts';
import { readLaterTime, type TimeSetting } from './schedule-input.ts';
import { viewStep, showMatrix } from './list-and-show.ts';
import { markedName } from '../../../directory/names.ts';
import type { User } from '../../../quiz-api/records.ts';

const campaignAndPeople: TwoNames = { first: 'campaign', second: 'people', turnedAt: 'from' };
/** Who is done with a quiz needs no excuse from it. */
const excusable: ReadonlySet<MemberState> = new Set<MemberState>(['open', 'not me', 'excused']);
const undoneAtMost = 2;

/** Of an Undo: when the excuse was given that it knows, in milliseconds since the epoch, or `none`. */
const wasField = { kind: 'text', label: 'Excused before', maxLength: 20, optional: true, typedOnly: true } as const;

/** The end of an excuse may stand behind its reason: `because on leave until january`. */
function withEndOfReason(input: TextInput): TextInput {
  const { because: [reason = ''] = [], until } = input;
  const [, why, end = ''] = /^(.+?),?\s+(?:until|till)\s+(.+)$/i.exec(reason) ?? [];
  return until !== undefined || why === undefined || parseTime(end.split(' ')) === undefined
    ? input
    : { ...input, because: [why], until: [end] };
}

export const excuseFromCampaign: Operation = defineOperation({
  name: 'excuse-campaign',
  opposite: 'include-campaign',
  formerly: ['excuse-people'],
  command: '/quiz-campaign excuse [campaign] <people> [until 1 feb] because <reason>',
  summary: 'Excuse people from a campaign, or from everything they still have to take, for a reason',
  title: say`Excuse people`,
  buttons: { campaign: [{ label: 'Excuse…', in: ['list', 'page'], position: 4, opens: 'form' }] },
  access: 'write',
  right: 'edit_quizzes',
  rules: [
    { name: 'excusing people from a campaign that is named', when: ({ campaign = [] }) => campaign.length > 0 },
    { name: 'every other change of a campaign' },
  ],
  submit: 'Excuse',
  fields: {
    campaign: campaignsField,
    people: {
      kind: 'users',
      label: 'People',
      hint: 'The list begins with those who have to do something',
      byName: true,
      inCampaigns: true,
    },
    until: {
      kind: 'text',
      label: 'Until',
      hint: 'For example 1 feb: from then on they’re asked again. Leave empty for good',
      maxLength: 60,
      isTime: true,
      clause: { words: ['until', 'till'], example: say`until 1 feb` },
      optional: true,
    },
    because: {
      kind: 'text',
      label: 'Reason',
      hint: 'The report and the list of members show it',
      maxLength: 500,
      clause: { words: ['because', 'reason', 'reason:'], example: say`because on leave`, isRest: true },
    },
    was: wasField,
  },
  confirm({ campaign = [], people, until, because, was }) {
    const [only] = campaign;
    const since = only && takenBackToo(membersNamed(only, people), was);
    if (only === undefined || since === undefined) return undefined;
    return {
      question: `${since} ${say`Excuse them as before all the same?`}`,
      label: say`Excuse`,
      input: given({ campaign: only.id, people: people.map(({ user_id }) => user_id), until, because }),
    };
  },
  parse(line) {
    const names = { ...campaignAndPeople, afterComma: 'because' };
    const { inputs, rescues, alone } = parseNamesAndClauses(line, excuseFromCampaign.fields, names);
    const [first, ...others] = inputs.map(withEndOfReason);
    return { inputs: [first!, ...others], rescues: rescues.map(withEndOfReason), rivals: alone.map(withEndOfReason) };
  },
  action: ({ campaign = [], people }) =>
    campaign.length > 0
      ? say`excuse ${namesOf(people)} from ${quizNames(campaign)}`
      : say`excuse ${namesOf(people)} from everything they have to take`,
  effect(context, { until }) {
    const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
    return until === undefined
      ? say`They would get no more reminders, and count as excused.`
      : say`They would get no reminders until ${endInWords(readLaterTime(until, 'until', setting), setting)}, and count as excused until then.`;
  },
  async run(context, { campaign = [], people, until: typed, because: reason }) {
    const { campaigns, actor } = context;
    const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
    const until = typed === undefined ? null : readLaterTime(typed, 'until', setting);
    const excuse = { by: actor.personId, reason, at: setting.nowMs, until };
    const [first, ...more] = campaign;
    const only = more.length === 0 ? first : undefined;
    const userIds = new Set(people.map(({ user_id }) => user_id));
    const excused: Excused[] = [];
    for (const one of campaign.length > 0 ? campaign : await visibleRunning(context)) {
      const stateOf = (member: CampaignMember) => personOf(member, one, setting.nowMs).state;
      const meant = one.members.filter((member) => userIds.has(member.userId) && excusable.has(stateOf(member)));
      const isSame = ({ excused: known }: CampaignMember) => known?.until === until && known.reason === reason;
      const members = (one === only ? membersNamed(one, people) : meant).filter(
        (member) => stateOf(member) !== 'excused' || !isSame(member),
      );
      if (members.length === 0) continue;
      await campaigns.put(one.id, { kind: 'excuse', userIds: members.map(({ userId }) => userId), ...excuse });
      excused.push({ campaign: one, members });
    }
    const next = [only ? viewStep(only.id) : runStep(say`View everyone`, showMatrix, {})];
    if (excused.length === 0)
      return unchanged(
        only
          ? say`${namesOf(people)} ${people.length === 1 ? 'was' : 'were'} excused already. Nothing changed.`
          : say`There’s nothing to excuse ${namesOf(people)} from in campaigns that you can see. Nothing changed.`,
        next,
      );
    const isLast = only && until === null && isNobodyLeft(only, excused, excuse);
    return made(
      sentences([
        excusedMessage(excused, until, setting),
        isLast && say`Nobody is left to take it, so the campaign ends in a day.`,
      ]),
      [
        ...undoExcuses(excused, excuse),
        ...(isLast ? [runStep(say`End now`, endCampaign, { campaign: [only.id] })] : []),
        ...next,
      ],
    );
  },
});

interface Excused {
  campaign: Campaign;
  members: readonly CampaignMember[];
}

/** Says what an Undo would take back besides the excuse that it knows; undefined where that is nothing, or it is no Undo. */
export function takenBackToo(members: readonly CampaignMember[], was: string | undefined): string | undefined {
  if (was === undefined) return undefined;
  const others = members.filter(({ excused }) => excused !== null && String(excused.at) !== was);
  const reasons = new Set(others.flatMap(({ excused }) => excused?.reason ?? []));
  const notMe = members.filter(({ excused, saidNotMeAt }) => excused === null && saidNotMeAt !== null);
  const since = sentences([
    others.length > 0 &&
      say`${namedPeople(others)} ${others.length === 1 ? 'was' : 'were'} excused anew since then: ${namedList([...reasons])}.`,
    notMe.length > 0 && say`“Not me” came from ${namedPeople(notMe)} since then.`,
  ]);
  return since === '' ? undefined : since;
}

/** Includes them, or excuses them as before where all were excused otherwise. Of some it could do only one of both. */
function undoExcuses(excused: readonly Excused[], { at }: Pick<Excuse, 'at'>): Step[] {
  if (excused.length > undoneAtMost) return [];
  return excused.flatMap(({ campaign, members }) => {
    const label = excused.length === 1 ? say`Undo` : say`Undo for ${campaign.quiz.name}`;
    const before = members.filter((member) => member.excused !== null && (member.excused.until ?? Infinity) > at);
    if (before.length > 0) return before.length < members.length ? [] : asBefore(label, campaign, members, String(at));
    const people = members.map(({ userId }) => userId);
    return [runStep(label, includeInCampaign, { campaign: [campaign.id], people, was: [String(at)] })];
  });
}

/** @param until when the excuse ends, in milliseconds since the epoch; null: never */
export function excusedMessage(
  excused: readonly { campaign: Pick<Campaign, 'quiz'>; members: readonly Pick<CampaignMember, 'userId' | 'name'>[] }[],
  until: number | null,
  setting: TimeSetting,
): string {
  const members = new Map(excused.flatMap((one) => one.members.map((member) => [member.userId, member])));
  const [who, from] = [namedPeople([...members.values()]), quizNames(excused.map(({ campaign }) => campaign))];
  return until === null
    ? say`Excused ${who} from ${from}. They get no more reminders.`
    : say`Excused ${who} from ${from} until ${endInWords(until, setting)}. They get no reminders before that.`;
}

/** A day begins at midnight, which nobody says. */
function endInWords(until: number, setting: TimeSetting): string {
  const isMidnight = wallClock(setting.timeZone).shownAt(until) % (24 * 3_600_000) === 0;
  return isMidnight ? dayInWords(until, setting) : momentInWords(until, setting);
}

function isNobodyLeft(campaign: Campaign, excused: readonly Excused[], excuse: Excuse): boolean {
  const left = new Set(excused.flatMap(({ members }) => members));
  return campaign.members.every((member) => {
    const after = left.has(member) ? { ...member, excused: excuse } : member;
    return ['complete', 'excused'].includes(personOf(after, campaign, excuse.at).state);
  });
}

/** Takes back that people are excused, or that they said that the quiz is not for them. */
export const includeInCampaign: Operation = defineOperation({
  name: 'include-campaign',
  opposite: 'excuse-campaign',
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
        opens: 'form',
        when: ({ endedAt, members }) =>
          endedAt === null && members.some(({ excused, saidNotMeAt }) => excused !== null || saidNotMeAt !== null),
      },
    ],
  },
  ...ofCampaign,
  submit: 'Include',
  fields: {
    campaign: campaignField,
    people: { kind: 'users', label: 'People', byName: true },
    was: wasField,
  },
  confirm({ campaign, people, was }) {
    const since = takenBackToo(membersNamed(campaign, people), was);
    if (since === undefined) return undefined;
    return {
      question: `${since} ${say`Include them all the same?`}`,
      label: say`Include`,
      input: { campaign: [campaign.id], people: people.map(({ user_id }) => user_id) },
    };
  },
  parse: (line) => {
    const { inputs, rescues, alone } = parseNamesAndClauses(line, includeInCampaign.fields, campaignAndPeople);
    // Without a campaign, the form asks for it.
    return { inputs: [...inputs, ...alone], rescues };
  },
  action: ({ campaign, people }) => say`include ${namesOf(people)} in ${named(campaign.quiz.name)} again`,
  effect: () => say`They would have to take it, and get its reminders.`,
  async run({ campaigns, now }, { campaign, people }) {
    const members = membersNamed(campaign, people);
    const at = now();
    const back = members.filter((member) => ['excused', 'not me'].includes(personOf(member, campaign, at).state));
    const next = [viewStep(campaign.id)];
    if (back.length === 0)
      return unchanged(
        say`${namesOf(people)} ${people.length === 1 ? 'takes' : 'take'} part in ${named(campaign.quiz.name)} already. Nothing changed.`,
        next,
      );
    await campaigns.put(campaign.id, { kind: 'include', userIds: back.map(({ userId }) => userId), at });
    return made(includedMessage(campaign, back), [...asBefore(say`Undo`, campaign, back, 'none'), ...next]);
  },
});

/** Members who said that the quiz is not for them get a message that it is. */
export function includedMessage({ quiz }: Pick<Campaign, 'quiz'>, members: readonly CampaignMember[]): string {
  const told = members.filter(({ saidNotMeAt }) => saidNotMeAt !== null);
  return sentences([
    say`Included ${namedPeople(members)} in ${named(quiz.name)} again.`,
    told.length > 0 && say`${namedPeople(told)} will get a message about it.`,
  ]);
}

/** Excuses them as before, where all had the same excuse. */
function asBefore(label: string, { id }: Campaign, members: readonly CampaignMember[], was: string): Step[] {
  const [first, ...others] = members.map(({ excused }) => excused);
  if (!first || others.some((one) => one?.reason !== first.reason || one.until !== first.until)) return [];
  const input = given({
    campaign: id,
    people: members.map(({ userId }) => userId),
    until: first.until !== null && new Date(first.until).toISOString(),
    because: first.reason,
    was,
  });
  return [runStep(label, excuseFromCampaign, input)];
}

/**
 * The members who these people are.
 * @throws {InvalidInputError} where one of them is none
 */
function membersNamed(campaign: Pick<Campaign, 'members' | 'quiz'>, people: readonly User[]): CampaignMember[] {
  const members = new Map(campaign.members.map((member) => [member.userId, member]));
  const strangers = people.filter(({ user_id }) => !members.has(user_id));
  if (strangers.length > 0)
    throw new InvalidInputError(
      'people',
      say`${namesOf(strangers)} ${strangers.length === 1 ? 'isn’t' : 'aren’t'} in the campaign for ${named(campaign.quiz.name)}.`,
    );
  return people.flatMap(({ user_id }) => members.get(user_id) ?? []);
}

function namesOf(users: readonly User[]): string {
  return namedList(users.map(markedName));
}
