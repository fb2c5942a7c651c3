import { messagesTo, whyUnreached } from '../../../domain/campaign-messages.ts';
import type { Campaign, CampaignMember, Obligation } from '../../../domain/campaign.ts';
import {
  amount,
  channelMention,
  countOf,
  joinSaid,
  mention,
  say,
  shortName,
  capitalized,
} from '../../../domain/said.ts';
import { byName } from '../../../domain/record-names.ts';
import { groupsOf, nextRenewalAt, resultOf, type MemberState, type Person } from '../../../obligations/people.ts';
import { formStep, pagedPart, runStep } from '../../../operations/page.ts';
import type { Fact, Page, Part, Step, Texts } from '../../../operations/page.ts';
import { outcomeStates, percent } from '../../../operations/wording/result-words.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { day, moment } from '../../../time/date-words.ts';
import {
  escalationWords,
  passCountsWords,
  reminderWords,
  unreachedWords,
  iconOf,
  campaignSteps,
  dueFact,
  groupFacts,
  nameList,
  partList,
  progressOf,
  progressWords,
  responsibleWords,
} from './words.ts';

/** Someone who is in a group of a campaign, and not in the campaign. */
export interface Joiner {
  userId: string;
  name: string;
}

/** Who reads a page, and when. */
interface Reading {
  /** In milliseconds since the epoch. */
  now: number;
  /** What the platform is called. */
  platform: string;
}

const longestReason = 80;

/** A campaign with everyone in it, page by page. @param joined who has joined its groups since the start */
export function campaignPage(
  campaign: Campaign,
  { joined, page, ...reading }: { joined: readonly Joiner[]; page: number } & Reading,
): Page {
  const { id, quiz, endedAt } = campaign;
  const { now } = reading;
  // Those first who need something.
  const people = Object.values(groupsOf(campaign, now)).flatMap((some) =>
    some.toSorted((a, b) => byName(a.member.name, b.member.name)),
  );
  return {
    heading: say`${endedAt === null ? '📋' : '🏁'} Campaign for *${shownQuizName(quiz.name)}*`,
    parts: [
      { facts: factsOf(campaign, reading) },
      ...joinedParts(id, joined),
      ...audienceParts(campaign),
      pagedPart(
        { name: 'show-campaign' },
        { campaign: [id] },
        {
          items: people,
          wanted: page,
          line: (person) => memberLine(person, campaign, reading),
        },
      ),
    ],
    about: { kind: 'campaign', of: campaign, name: quiz.name, in: 'page' },
    notes: [
      joinSaid(
        [...responsibleWords(campaign, day(campaign.startedAt)), endedAt !== null && say`ended ${day(endedAt)}`],
        ' · ',
      ),
    ],
  };
}

function factsOf(campaign: Campaign, { now }: Reading): Fact[] {
  const { rule, endedAt, obstacle } = campaign;
  const { completeWhen, validity, standing, board } = rule;
  const groups = groupsOf(campaign, now);
  const { done, of } = progressOf(groups);
  return [
    [
      standing ? say`Valid` : completeWhen === 'passed' ? say`Passed` : say`Submitted`,
      say`${amount(done)} of ${countOf(of, 'person', 'people')}`,
    ],
    ...groupFacts(campaign, groups, now).slice(standing ? 1 : 0),
    dueFact(campaign, now),
    [say`A pass counts`, validity ? capitalized(passCountsWords(validity, standing)) : undefined],
    [say`Reminders`, reminderWords(rule, campaign.startedAt) ?? say`None`],
    [say`Escalation`, escalationWords(campaign)],
    [say`Progress`, board === null ? undefined : say`In ${channelMention(board.channelId)}`],
    [say`Paused`, obstacle && endedAt === null ? say`The quiz isn’t open, so nobody gets messages` : undefined],
  ];
}

const joinersNamed = 10;
/** Whose IDs fit in a button. */
const addedAtOnce = 30;

/** Who has joined its groups since, with a button that takes them in. */
function joinedParts(campaignId: string, joined: readonly Joiner[]): Part[] {
  if (joined.length === 0) return [];
  const names = nameList(joined, { most: joinersNamed });
  const people = joined.slice(0, addedAtOnce).map(({ userId }) => `user:${userId}`);
  return [
    {
      lines: [
        joined.length === 1
          ? say`👋 ${names} has joined its groups since, and isn’t in it.`
          : say`👋 ${names} have joined its groups since, and aren’t in it.`,
      ],
      steps: [runStep(say`Add them`, { name: 'add-to-campaign' }, { people, campaign: [campaignId] })],
    },
  ];
}

/** Of a campaign that stands: who waits to be taken in, and what it cannot follow. */
function audienceParts({ id, candidates, unreadable, endedAt }: Campaign): Part[] {
  const people = candidates?.people ?? [];
  if (endedAt !== null || unreadable.length + people.length === 0) return [];
  const names = nameList(people, { most: joinersNamed });
  return [
    {
      lines: [
        unreadable.length > 0 &&
          say`👀 I can’t see who is in ${partList(unreadable)}, so nobody joins from there, and nobody leaves.`,
        people.length > 0 &&
          say`👋 ${names} joined its audience, and ${people.length === 1 ? 'waits' : 'wait'} to be taken in.`,
      ],
      steps: people.length > 0 ? campaignSteps(id, ['review']) : [],
    },
  ];
}

function memberLine(person: Person, campaign: Campaign, reading: Reading): string {
  const { member, obligation, state } = person;
  return joinSaid(
    [
      say`${iconOf(person)} ${listedName(member.name, true)}`,
      statePart(member, state, campaign),
      campaign.rule.standing !== null && state !== 'not required' && sincePart(member, campaign),
      campaign.rule.standing !== null && obligationPart(obligation),
      ...(state === 'open' ? messageParts(member, reading) : []),
    ],
    ' · ',
  );
}

function statePart(member: CampaignMember, state: MemberState, campaign: Campaign): string | undefined {
  const { excused, stays } = member;
  switch (state) {
    case 'not required': {
      const left = stays.at(-1)?.to;
      return left === undefined ? say`not required` : say`not required since ${day(left)}`;
    }
    case 'excused':
      return excused ? excusedPart(excused) : undefined;
    case 'not me':
      return say`says it isn’t for them`;
    case 'marking':
      return say`waiting to be marked`;
    case 'complete':
    case 'open': {
      const result = resultOf(member, campaign);
      if (result === null) return undefined;
      const words = outcomeStates[result.outcome];
      return result.percentage === null ? say`${words}` : say`${words} with ${percent(result.percentage)}`;
    }
  }
}

function excusedPart({ by, until, reason }: NonNullable<CampaignMember['excused']>): string {
  const why = shortName(reason, longestReason);
  return until === null
    ? say`excused by ${mention(by)}: ${why}`
    : say`excused by ${mention(by)} until ${day(until)}: ${why}`;
}

/** When people came in who were not there from the start. */
function sincePart({ stays }: CampaignMember, { startedAt }: Campaign): string | false {
  const since = stays.at(-1)?.from ?? startedAt;
  return since > startedAt && say`in it since ${day(since)}`;
}

/** What is due when, and until when what they passed counts. A pass counts until the end of a day. */
function obligationPart({ state, dueAt, validUntil }: Obligation): string | false {
  const due = dueAt !== undefined && say`${day(dueAt)}`;
  const end = validUntil !== undefined && say`${day(validUntil - 1)}`;
  switch (state) {
    case 'done':
    case 'expiring':
      return end && say`valid until ${end}`;
    case 'expired':
      return end && say`was valid until ${end}`;
    case 'overdue':
      return due && say`was due ${due}`;
    case 'due':
      return due && say`due ${due}`;
    default:
      return false;
  }
}

/** What the bot wrote to people who still have to take the quiz. */
function messageParts(member: CampaignMember, { now, platform }: Reading): Texts {
  const { firstAt, remindedAt, waitingSince } = messagesTo(member);
  const { snoozedUntil } = member;
  const unreached = whyUnreached(member);
  const last = remindedAt.at(-1);
  const reminded =
    last === undefined
      ? firstAt === null
        ? say`no message yet`
        : say`messaged ${day(firstAt)}`
      : remindedAt.length === 1
        ? say`reminded ${day(last)}`
        : say`reminded ${remindedAt.length} times, last ${day(last)}`;
  return [
    (firstAt !== null || (unreached === undefined && waitingSince === null)) && reminded,
    unreached !== undefined && say`not reached: ${unreachedWords(unreached, platform)}`,
    waitingSince !== null && say`a message has been waiting since ${day(waitingSince)}`,
    snoozedUntil !== null && snoozedUntil > now && say`snoozed until ${day(snoozedUntil)}`,
  ];
}

/**
 * The campaigns that the reader sees, each with what they can do with it.
 *
 * @param filter of which the names of their quizzes have a part; empty: of all quizzes
 * @param left as many more @param earlier as many ended more than a year ago
 */
export function campaignsPage(
  campaigns: readonly Campaign[],
  { filter, left, earlier, now }: { filter: string; left: number; earlier: number; now: number },
): Page {
  const earlierNote =
    earlier > 0 &&
    say`${countOf(earlier, 'campaign', 'campaigns')} ended more than a year ago: \`/quiz-campaign list\` with the name of the quiz lists them.`;
  const steps = [formStep(say`Start a campaign…`, { name: 'start-campaign' }, {})];
  if (campaigns.length === 0)
    return {
      heading:
        filter !== ''
          ? say`There’s no campaign for a quiz called “${filter}” that you can see.`
          : earlier === 0
            ? say`There are no campaigns for you to see yet.`
            : say`No campaign ran in the last year.`,
      notes: [earlierNote],
      steps,
    };
  return {
    heading: say`*${countOf(campaigns.length + left, 'campaign', 'campaigns')}*`,
    parts: [
      {
        items: campaigns.map((campaign) => ({
          line: campaignLine(campaign, now),
          about: { kind: 'campaign', of: campaign, name: campaign.quiz.name, in: 'list' },
        })),
        narrow: say`/quiz-campaign show`,
      },
    ],
    notes: [left > 0 && say`…and ${left} older.`, earlierNote],
    steps,
  };
}

function campaignLine(campaign: Campaign, now: number): string {
  const {
    quiz,
    ownerId,
    endedAt,
    startedAt,
    rule: { standing, dueAt },
  } = campaign;
  const done = say`${progressWords(campaign, groupsOf(campaign, now))}`;
  const when =
    endedAt !== null
      ? say`ended ${day(endedAt)}`
      : standing
        ? say`running since ${day(startedAt)}`
        : dueAt === null
          ? say`started ${day(startedAt)}`
          : dueWords(dueAt, now);
  const icon = endedAt !== null ? '🏁' : campaign.obstacle ? '⏸️' : '📋';
  return joinSaid([say`${icon} *${shownQuizName(quiz.name)}*`, done, when, say`by ${mention(ownerId)}`], ' · ');
}

/** Campaigns that the reader started or leads, on their own page: a line and a button each. @param now in milliseconds since the epoch */
export function ownCampaignItems(campaigns: readonly Campaign[], now: number): { line: string; steps: Step[] }[] {
  return campaigns.map((campaign) => ({
    line: ownCampaignLine(campaign, now),
    steps: [
      {
        ...runStep(say`View`, { name: 'show-campaign' }, { campaign: [campaign.id] }),
        spoken: `${say`View`} ${shortName(campaign.quiz.name)}`,
      },
    ],
  }));
}

function ownCampaignLine(campaign: Campaign, now: number): string {
  const groups = groupsOf(campaign, now);
  const overdue = groups.overdue.length;
  const parts = [
    say`${campaign.obstacle ? '⏸️' : '📋'} *${shownQuizName(campaign.quiz.name)}*`,
    say`${progressWords(campaign, groups)}`,
    overdue > 0 && say`${amount(overdue)} overdue`,
    whenPart(campaign, now),
  ];
  return joinSaid(parts, ' · ');
}

function whenPart(campaign: Campaign, now: number): string | false {
  const { standing, dueAt } = campaign.rule;
  if (standing) {
    const renewalAt = nextRenewalAt(campaign, now);
    return renewalAt !== undefined && say`next to renew ${day(renewalAt)}`;
  }
  return dueAt !== null && dueWords(dueAt, now);
}

function dueWords(dueAt: number, now: number): string {
  return now < dueAt ? say`due ${moment(dueAt)}` : say`was due ${moment(dueAt)}`;
}
