import { made, runStep } from '../../../operations/page.ts';
import { saidTime, zoneOf } from '../../../operations/dates/typed-time.ts';
import { named, say, joinSaid, markedDate } from '../../../domain/said.ts';
import { csvField, outgoingTable, fileName } from '../../../operations/table-file.ts';
import { InvalidInputError } from '../../../operations/text-input.ts';
import { defineOperation, ofCampaign } from '../../../operations/operation.ts';
import { namesOfPeople } from '../../../operations/wording/shown-name.ts';
import { anyCampaign, campaignField } from '../../../operations/fields/campaign.ts';
import { peopleWords, unreachedWords } from '../pages/words.ts';
import { peopleOf, resultOf, type MemberState, type Person, openPeople } from '../../../obligations/people.ts';
import { messagesTo } from '../../../domain/campaign-messages.ts';
import type { Campaign, CampaignMember, ObligationState } from '../../../domain/campaign.ts';
import { outcomeStates } from '../../../operations/wording/result-words.ts';
import type { FileTable, TableCell, TableColumn } from '../../../operations/services/files.ts';
import { viewStep } from './list-and-show.ts';

export const reportCampaign = defineOperation({
  name: 'report-campaign',
  command: '/quiz-campaign report <campaign>',
  synonyms: ['export', 'download', 'csv'],
  summary: 'Get everyone in a campaign as an Excel file, in a direct message; csv sends a plain file',
  title: say`Report on a campaign`,
  buttons: { campaign: [{ label: 'Report', in: ['list', 'page'], position: 5 }] },
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Send',
  forPeopleOnly: true,
  fields: { campaign: anyCampaign, csv: csvField },
  async run(context, { campaign: known, csv }) {
    const { members, quiz } = known;
    if (members.length === 0)
      throw new InvalidInputError('campaign', say`Nobody is in the campaign for ${named(quiz.name)}.`);
    const { campaign, asOf, isGone } = await context.campaigns.readNow(known, context.call);
    const people = peopleWords(members.length);
    const readAt = saidTime(asOf, { nowMs: context.now(), timeZone: zoneOf(context) });
    await context.sendFile({
      name: say`${fileName(quiz.name)} campaign`,
      comment: isGone
        ? say`The campaign for ${quiz.name}: ${people}, as of ${readAt}. The quiz is deleted, so the results are those that were known before`
        : say`The campaign for ${quiz.name}: ${people}, as of ${readAt}`,
      content: outgoingTable(
        context,
        reportTable({
          campaign,
          asOf,
          atEnd: known.endedAt === null ? undefined : known,
          names: await namesOfPeople(
            context,
            campaign.members.flatMap(({ excused, managerId }) => [excused?.by ?? [], managerId ?? []].flat()),
          ),
          platform: context.platform.name,
        }),
        csv,
      ),
    });
    return made(say`Sent you the report on ${named(quiz.name)}: ${people}. The file is in your direct messages.`);
  },
});

interface Column extends TableColumn {
  of: (person: Person, about: ReportFacts) => TableCell;
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

const stateWords = {
  complete: say`done`,
  excused: say`excused`,
  marking: say`waiting to be marked`,
  'not me': say`says it isn’t for them`,
  open: say`missing`,
  'not required': say`not required any more`,
} satisfies Record<MemberState, string>;

/** Where a campaign stands, it says more of those who have something to do, and of those who have not. */
const standingWords = {
  done: say`valid`,
  expiring: say`valid, to be renewed`,
  due: say`due`,
  overdue: say`overdue`,
  expired: say`expired`,
} satisfies Partial<Record<ObligationState, string>>;

const columns: readonly Column[] = [
  { title: say`Person`, kind: 'text', of: ({ member }) => member.name },
  { title: say`Groups`, kind: 'text', of: ({ member }) => member.groups.join(', ') },
  { title: say`Manager`, kind: 'text', of: ({ member }, { names }) => names.get(member.managerId ?? '') ?? '' },
  { title: say`State`, kind: 'text', of: (person, { campaign }) => stateIn(person, campaign) },
  { title: say`As of`, kind: 'moment', of: (_, { asOf }) => asOf },
  { title: say`State at the end`, kind: 'text', of: stateAtEnd },
  { title: say`Added`, kind: 'moment', of: ({ member }) => member.stays[0]?.from ?? null },
  { title: say`Left`, kind: 'moment', of: ({ member }) => member.stays.at(-1)?.to ?? null },
  { title: say`Due`, kind: 'moment', of: ({ obligation }) => obligation.dueAt ?? null },
  { title: say`First message`, kind: 'moment', of: ({ member }) => messagesTo(member).firstAt },
  { title: say`Reminded`, kind: 'moment', of: ({ member }) => messagesTo(member).remindedAt },
  { title: say`New due time sent`, kind: 'moment', of: ({ member }) => messagesTo(member).movedAt },
  { title: say`Not reached`, kind: 'text', of: notReached },
  { title: say`Message waits since`, kind: 'moment', of: ({ member }) => messagesTo(member).waitingSince },
  {
    title: say`Submitted`,
    kind: 'moment',
    of: ({ member }, { campaign }) => resultOf(member, campaign)?.submittedAt ?? null,
  },
  { title: say`Result`, kind: 'text', of: ({ member }, { campaign }) => outcomeIn(campaign, member) },
  {
    title: say`Percentage`,
    kind: 'number',
    of: ({ member }, { campaign }) => resultOf(member, campaign)?.percentage ?? null,
  },
  { title: say`Valid until`, kind: 'moment', of: ({ obligation }) => obligation.validUntil ?? null },
  { title: say`Attempts`, kind: 'number', of: ({ member }) => member.attempts.length },
  {
    title: say`Excused by`,
    kind: 'text',
    of: ({ member: { excused } }, { names }) => (excused ? (names.get(excused.by) ?? '') : ''),
  },
  { title: say`Excused because`, kind: 'text', of: ({ member: { excused } }) => excused?.reason ?? '' },
  { title: say`Excused at`, kind: 'moment', of: ({ member: { excused } }) => excused?.at ?? null },
  { title: say`Excused until`, kind: 'moment', of: ({ member: { excused } }) => excused?.until ?? null },
];

/** Everyone in a campaign as a table. Empty for what is not known. */
export function reportTable(about: ReportFacts): FileTable {
  const people = peopleOf(about.campaign, about.asOf);
  return { columns, parts: [people.map((person) => columns.map(({ of }) => of(person, about)))] };
}

function outcomeIn(campaign: Campaign, member: CampaignMember): string {
  const result = resultOf(member, campaign);
  return result ? outcomeStates[result.outcome] : '';
}

function stateAtEnd({ member: { userId } }: Person, { atEnd }: ReportFacts): string {
  const then = atEnd && peopleOf(atEnd, atEnd.endedAt ?? 0).find(({ member }) => member.userId === userId);
  return then ? stateIn(then, atEnd) : '';
}

function stateIn({ obligation, state, group }: Person, { rule }: Campaign): string {
  const words =
    rule.standing && obligation.state in standingWords
      ? standingWords[obligation.state as keyof typeof standingWords]
      : stateWords[state];
  return group === 'out of reach' ? say`${words}, can’t be reached` : words;
}

/** Each message that could not arrive, and why. */
function notReached({ member }: Person, { platform }: ReportFacts): string {
  if (member.personId === null) return unreachedWords('no_person', platform);
  return joinSaid(
    [
      ...messagesTo(member).failures.map(
        ({ at, failure }) =>
          say`${markedDate(new Date(at).toISOString(), { form: 'moment', atMs: at, zone: 'UTC' })}: ${unreachedWords(failure, platform)}`,
      ),
      member.assignment === 'failed' && unreachedWords('no_quiz', platform),
    ],
    '; ',
  );
}

export const endCampaign = defineOperation({
  name: 'end-campaign',
  command: '/quiz-campaign end <campaign>',
  synonyms: ['stop', 'cancel', 'finish', 'close'],
  summary: 'End a campaign before its time, with its report',
  buttons: { campaign: [{ label: 'End', in: ['page'], position: 7 }] },
  ...ofCampaign,
  needsPress: () => true,
  submit: 'End',
  fields: { campaign: campaignField },
  warn({ now }, { campaign }) {
    const { length } = openPeople(campaign, now());
    return length === 0
      ? undefined
      : say`${peopleWords(length)} ${length === 1 ? 'hasn’t' : 'haven’t'} completed ${named(campaign.quiz.name)} yet, and would get no more reminders.`;
  },
  action: ({ campaign }) => say`end the campaign for ${named(campaign.quiz.name)}`,
  effect: () => say`Nobody would get any more reminders.`,
  async run({ campaigns, actor, now }, { campaign }) {
    await campaigns.put(campaign.id, { kind: 'end', at: now(), by: actor.personId });
    const input = { campaign: [campaign.id] };
    return made(endedMessage(campaign), [runStep(say`Get report`, reportCampaign, input), viewStep(campaign.id)]);
  },
});

export function endedMessage({ quiz }: Pick<Campaign, 'quiz'>): string {
  return say`Ended the campaign for ${named(quiz.name)}. Nobody gets any more reminders.`;
}
