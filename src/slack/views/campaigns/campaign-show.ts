import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortName } from '../../../domain/short-name.ts';
import { type Fact } from '../../../operations/page.ts';
import { percent, outcomeStates } from '../../../operations/wording/result-words.ts';
import { day, moment } from '../../../time/date-words.ts';
import { countMembers, memberObligation, memberState, type MemberState } from '../../../obligations/members.ts';
import type { Obligation } from '../../../obligations/obligation.ts';
import { messagesTo, whyUnreached } from '../../../domain/campaign-messages.ts';
import type { Campaign, CampaignMember } from '../../../domain/campaign.ts';
import { showCampaign } from '../../../features/campaigns/operations/show-campaign.ts';
import { stepsBeside } from '../../../operations/thing-buttons.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import type { OperationResult } from '../../../operations/operation-result.ts';
import {
  escalationWords,
  passCountsWords,
  withinWords,
  reminderWords,
} from '../../../features/campaigns/operations/campaign-words.ts';
import { campaignCounts } from './campaign-counts.ts';
import { audienceBlocks } from './campaign-candidates.ts';
import { joinedBlocks } from './campaign-joined.ts';
import { unreachedWords } from '../../../features/campaigns/operations/unreached-words.ts';
import { amount, countOf, say, joinSaid, channelMention, mention } from '../../../domain/said.ts';
import { factSection } from '../blocks/facts.ts';
import { actionButtons, buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { pageButtons, pageOf } from '../blocks/pages.ts';

/** Those first who need something. */
const order: readonly MemberState[] = ['not me', 'open', 'marking', 'complete', 'excused', 'not required'];
const icons = {
  open: '⏳',
  'not me': '🙋',
  marking: '📝',
  complete: '✅',
  excused: '➖',
  'not required': '👋',
} as const satisfies Record<MemberState, string>;
const longestReason = 80;

/** A campaign with everyone in it, page by page. */
export function campaignMessage(
  { campaign, joined, page: wanted, now }: Extract<OperationResult, { kind: 'campaign' }>,
  offered: ReadonlySet<string>,
  timeZone: string,
): Message {
  const { id, quiz, endedAt } = campaign;
  const sorted = campaign.members.toSorted(
    (a, b) =>
      order.indexOf(memberState(a, campaign, now)) - order.indexOf(memberState(b, campaign, now)) ||
      byName(a.name, b.name),
  );
  const { shown, page, pages } = pageOf(sorted, wanted);
  const heading = say`${endedAt === null ? '📋' : '🏁'} Campaign for *${shownQuizName(quiz.name)}*`;
  return {
    text: heading,
    blocks: [
      section(heading),
      factSection(factsOf(campaign, now, timeZone)),
      ...joinedBlocks(campaign, joined, offered),
      ...audienceBlocks(campaign, offered),
      ...sections(shown.map((member) => memberLine(member, campaign, now, timeZone))),
      ...(pages > 1 ? [context(say`Page ${page} of ${pages}`)] : []),
      ...buttonRow(pageButtons(showCampaign, { campaign: [id] }, { page, pages })),
      ...buttonRow(actionButtons(quiz.name, stepsBeside('campaign', 'page')(campaign), offered)),
      context(
        joinSaid(
          [
            say`Started by ${mention(campaign.ownerId)} ${day(campaign.startedAt, timeZone)}`,
            ...(endedAt === null ? [] : [say`ended ${day(endedAt, timeZone)}`]),
          ],
          ' · ',
        ),
      ),
    ],
  };
}

const byName = new Intl.Collator('en').compare;

function factsOf(campaign: Campaign, now: number, timeZone: string): Fact[] {
  const { completeWhen, validity, standing, schedule, board, endedAt } = campaign;
  const { dueAt } = schedule;
  const escalation = escalationWords(campaign, false);
  const counts = countMembers(campaign, now);
  const { total, done, missing, failed, overdue } = campaignCounts(campaign, now);
  const others = [
    ...(counts.marking > 0 ? [say`${counts.marking} waiting to be marked`] : []),
    ...(counts['not me'] > 0
      ? [say`${counts['not me']} ${counts['not me'] === 1 ? 'says' : 'say'} it isn’t for them`]
      : []),
    ...(counts.excused > 0 ? [say`${counts.excused} excused`] : []),
  ];
  return [
    [
      standing ? say`Valid` : completeWhen === 'passed' ? say`Passed` : say`Submitted`,
      say`${amount(done)} of ${countOf(total - counts.excused, 'person', 'people')}`,
    ],
    [endedAt === null && dueAt !== undefined && now >= dueAt ? say`Overdue` : say`Missing`, amount(missing)],
    ...(standing && overdue > 0 ? [[say`Overdue`, amount(overdue)] satisfies Fact] : []),
    ...(failed > 0 ? [[say`Not passed`, amount(failed)] satisfies Fact] : []),
    ...(others.length > 0 ? [[say`Others`, others.join(', ')] satisfies Fact] : []),
    standing === undefined
      ? [
          dueAt !== undefined && now >= dueAt ? say`Was due` : say`Due`,
          dueAt === undefined ? say`No due time` : moment(dueAt, timeZone),
        ]
      : [say`Due`, capitalized(withinWords(standing))],
    ...(validity === undefined
      ? []
      : [[say`A pass counts`, capitalized(passCountsWords(validity, standing))] satisfies Fact]),
    [say`Reminders`, reminderWords(campaign, campaign.startedAt)[0] ?? say`None`],
    ...(escalation === undefined ? [] : [[say`Escalation`, escalation] satisfies Fact]),
    ...(board === null ? [] : [[say`Progress`, say`In ${channelMention(board.channelId)}`] satisfies Fact]),
    ...(campaign.obstacle && endedAt === null
      ? [[say`Paused`, say`The quiz isn’t open, so nobody gets messages`] satisfies Fact]
      : []),
  ];
}

function memberLine(member: CampaignMember, campaign: Campaign, now: number, timeZone: string): string {
  const state = memberState(member, campaign, now);
  return joinSaid(
    [
      say`${icons[state]} ${listedName(member.name, true)}`,
      ...stateParts(member, state, timeZone),
      ...(campaign.standing && state !== 'not required' ? sinceParts(member, timeZone) : []),
      ...(campaign.standing ? obligationParts(memberObligation(member, campaign, now), timeZone) : []),
      ...(state === 'open' ? messageParts(member, campaign, now, timeZone) : []),
    ],
    ' · ',
  );
}

function stateParts({ result, excused, stays }: CampaignMember, state: MemberState, timeZone: string): string[] {
  switch (state) {
    case 'not required': {
      const left = stays?.at(-1)?.to;
      return [left === undefined ? say`not required` : say`not required since ${day(left, timeZone)}`];
    }
    case 'excused':
      return excused ? [excusedPart(excused, timeZone)] : [];
    case 'not me':
      return [say`says it isn’t for them`];
    case 'marking':
      return [say`waiting to be marked`];
    case 'complete':
    case 'open': {
      if (result === null) return [];
      const words = outcomeStates[result.outcome];
      return [result.percentage === null ? say`${words}` : say`${words} with ${percent(result.percentage)}`];
    }
  }
}

function excusedPart({ by, until, reason }: NonNullable<CampaignMember['excused']>, timeZone: string): string {
  const why = shortName(reason, longestReason);
  return until === undefined
    ? say`excused by ${mention(by)}: ${why}`
    : say`excused by ${mention(by)} until ${day(until, timeZone)}: ${why}`;
}

/** When people came in who were not there from the start. */
function sinceParts({ stays }: CampaignMember, timeZone: string): string[] {
  const since = stays?.at(-1)?.from;
  return since === undefined ? [] : [say`in it since ${day(since, timeZone)}`];
}

/** What is due when, and until when what they passed counts. A pass counts until the end of a day. */
function obligationParts({ state, dueAt, validUntil }: Obligation, timeZone: string): string[] {
  const due = dueAt === undefined ? [] : [say`${day(dueAt, timeZone)}`];
  const end = validUntil === undefined ? [] : [say`${day(validUntil - 1, timeZone)}`];
  switch (state) {
    case 'done':
    case 'expiring':
      return end.map((at) => say`valid until ${at}`);
    case 'expired':
      return end.map((at) => say`was valid until ${at}`);
    case 'overdue':
      return due.map((at) => say`was due ${at}`);
    case 'due':
      return due.map((at) => say`due ${at}`);
    default:
      return [];
  }
}

/** What the bot wrote to people who still have to take the quiz. */
function messageParts(member: CampaignMember, campaign: Campaign, now: number, timeZone: string): string[] {
  const { firstAt, remindedAt, waitingSince } = messagesTo(member, campaign);
  const { snoozedUntil } = member;
  const unreached = whyUnreached(member, campaign);
  const last = remindedAt.at(-1);
  const reminded =
    last === undefined
      ? firstAt === null
        ? say`no message yet`
        : say`messaged ${day(firstAt, timeZone)}`
      : remindedAt.length === 1
        ? say`reminded ${day(last, timeZone)}`
        : say`reminded ${remindedAt.length} times, last ${day(last, timeZone)}`;
  return [
    ...(firstAt === null && (unreached !== undefined || waitingSince !== null) ? [] : [reminded]),
    ...(unreached === undefined ? [] : [say`not reached: ${unreachedWords(unreached, 'Slack')}`]),
    ...(waitingSince === null ? [] : [say`a message has been waiting since ${day(waitingSince, timeZone)}`]),
    ...(snoozedUntil === null || snoozedUntil <= now ? [] : [say`snoozed until ${day(snoozedUntil, timeZone)}`]),
  ];
}
