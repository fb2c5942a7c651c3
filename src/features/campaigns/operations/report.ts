import { memberState, type MemberState } from '../../../domain/campaign-members.ts';
import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import type { SubmissionOutcome } from '../../../domain/submission-outcome.ts';

interface Column {
  title: string;
  of: (
    member: CampaignMember,
    report: { campaign: Campaign; excusers: ReadonlyMap<string, string> },
  ) => string | number;
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
} as const satisfies Record<MemberState, string>;

const columns: readonly Column[] = [
  { title: 'Person', of: ({ name }) => name },
  { title: 'Groups', of: ({ groups }) => groups.join(', ') },
  { title: 'State', of: (member, { campaign }) => stateWords[memberState(member, campaign)] },
  { title: 'Added (UTC)', of: ({ addedAt }) => isoTime(addedAt) },
  { title: 'First message (UTC)', of: ({ notifiedAt }) => isoTime(notifiedAt) },
  { title: 'Reminded (UTC)', of: ({ remindedAt }) => remindedAt.map(isoTime).join(' ') },
  { title: 'Submitted (UTC)', of: ({ result }) => isoTime(result?.submittedAt ?? null) },
  { title: 'Result', of: ({ result }) => (result ? outcomeWords[result.outcome] : '') },
  { title: 'Percentage', of: ({ result }) => result?.percentage ?? '' },
  { title: 'Attempts', of: ({ responseIds }) => responseIds.length },
  { title: 'Excused by', of: ({ excused }, { excusers }) => (excused ? (excusers.get(excused.by) ?? '') : '') },
  { title: 'Excused because', of: ({ excused }) => excused?.reason ?? '' },
  { title: 'Excused at (UTC)', of: ({ excused }) => isoTime(excused?.at ?? null) },
];

/** Everyone in a campaign as a table with a header row. Empty for what is not known. */
export function reportTable(campaign: Campaign, excusers: ReadonlyMap<string, string>): (string | number)[][] {
  return [
    columns.map(({ title }) => title),
    ...campaign.members.map((member) => columns.map(({ of }) => of(member, { campaign, excusers }))),
  ];
}

function isoTime(atMs: number | null): string {
  return atMs === null ? '' : new Date(atMs).toISOString();
}
