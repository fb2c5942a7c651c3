import { memberDueAt, memberObligation, memberState, staysOf, type MemberState } from '../../../obligations/members.ts';
import { messagesTo } from '../../../domain/campaign-messages.ts';
import type { Campaign, CampaignMember, ObligationState } from '../../../domain/campaign.ts';
import type { SubmissionOutcome } from '../../../domain/submission-outcome.ts';
import { inEnglish } from '../../../domain/said.ts';
import { unreachedWords } from './campaign-words.ts';

interface Column {
  title: string;
  of: (member: CampaignMember, about: ReportFacts) => string | number;
}

interface ReportFacts {
  /** As the account was at `asOf`, in milliseconds since the epoch. */
  campaign: Campaign;
  asOf: number;
  /** As it was at its end; undefined while it runs. */
  atEnd: Campaign | undefined;
  /** The names of people who excused members, and of managers, by their IDs on the platform. */
  names: ReadonlyMap<string, string>;
  /** The name of the platform. */
  platform: string;
}

const outcomeWords = {
  passed: 'passed',
  failed: 'failed',
  'not graded': 'not graded',
  unmarked: 'waiting to be marked',
} as const satisfies Record<SubmissionOutcome, string>;
const stateWords = {
  complete: 'done',
  excused: 'excused',
  marking: 'waiting to be marked',
  'not me': 'says it isn’t for them',
  open: 'missing',
  'not required': 'not required any more',
} as const satisfies Record<MemberState, string>;

/** Where a campaign stands, it says more of those who have something to do, and of those who have not. */
const standingWords = {
  done: 'valid',
  expiring: 'valid, to be renewed',
  due: 'due',
  overdue: 'overdue',
  expired: 'expired',
} as const satisfies Partial<Record<ObligationState, string>>;

const columns: readonly Column[] = [
  { title: 'Person', of: ({ name }) => name },
  { title: 'Groups', of: ({ groups }) => groups.join(', ') },
  { title: 'Manager', of: ({ managerId = '' }, { names }) => names.get(managerId) ?? '' },
  { title: 'State', of: (member, { campaign, asOf }) => stateIn(campaign, member, asOf) },
  { title: 'As of (UTC)', of: (_, { asOf }) => isoTime(asOf) },
  { title: 'State at the end', of: stateAtEnd },
  { title: 'Added (UTC)', of: ({ addedAt }) => isoTime(addedAt) },
  { title: 'Left (UTC)', of: (member) => isoTime(staysOf(member).at(-1)?.to ?? null) },
  { title: 'Due (UTC)', of: (member, { campaign, asOf }) => isoTime(memberDueAt(member, campaign, asOf) ?? null) },
  { title: 'First message (UTC)', of: (member, { campaign }) => isoTime(messagesTo(member, campaign).firstAt) },
  {
    title: 'Reminded (UTC)',
    of: (member, { campaign }) => messagesTo(member, campaign).remindedAt.map(isoTime).join(' '),
  },
  { title: 'Not reached', of: notReached },
  {
    title: 'Message waits since (UTC)',
    of: (member, { campaign }) => isoTime(messagesTo(member, campaign).waitingSince),
  },
  { title: 'Submitted (UTC)', of: ({ result }) => isoTime(result?.submittedAt ?? null) },
  { title: 'Result', of: ({ result }) => (result ? outcomeWords[result.outcome] : '') },
  { title: 'Percentage', of: ({ result }) => result?.percentage ?? '' },
  {
    title: 'Valid until (UTC)',
    of: (member, { campaign, asOf }) => isoTime(memberObligation(member, campaign, asOf).validUntil ?? null),
  },
  { title: 'Attempts', of: ({ responseIds }) => responseIds.length },
  { title: 'Excused by', of: ({ excused }, { names }) => (excused ? (names.get(excused.by) ?? '') : '') },
  { title: 'Excused because', of: ({ excused }) => excused?.reason ?? '' },
  { title: 'Excused at (UTC)', of: ({ excused }) => isoTime(excused?.at ?? null) },
  { title: 'Excused until (UTC)', of: ({ excused }) => isoTime(excused?.until ?? null) },
];

/** Everyone in a campaign as a table with a header row. Empty for what is not known. */
export function reportTable(about: ReportFacts): (string | number)[][] {
  return [
    columns.map(({ title }) => title),
    ...about.campaign.members.map((member) => columns.map(({ of }) => of(member, about))),
  ];
}

function stateAtEnd({ userId }: CampaignMember, { atEnd }: ReportFacts): string {
  const member = atEnd?.members.find((one) => one.userId === userId);
  return atEnd && member ? stateIn(atEnd, member, atEnd.endedAt ?? 0) : '';
}

function stateIn(campaign: Campaign, member: CampaignMember, at: number): string {
  const { state } = memberObligation(member, campaign, at);
  return campaign.rule.standing && state in standingWords
    ? standingWords[state as keyof typeof standingWords]
    : stateWords[memberState(member, campaign, at)];
}

/** Each message that could not arrive, and why. */
function notReached(member: CampaignMember, { campaign, platform }: ReportFacts): string {
  if (member.personId === null) return inEnglish(unreachedWords('no_person', platform));
  return [
    ...messagesTo(member, campaign).failures.map(
      ({ at, failure }) => `${isoTime(at)}: ${inEnglish(unreachedWords(failure, platform))}`,
    ),
    ...(member.assignment === 'failed' ? [inEnglish(unreachedWords('no_quiz', platform))] : []),
  ].join('; ');
}

function isoTime(atMs: number | null): string {
  return atMs === null ? '' : new Date(atMs).toISOString();
}
