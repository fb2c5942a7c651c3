import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { shortName } from '../../../domain/short-name.ts';
import { fixedDay } from '../../../time/date-words.ts';
import type { CampaignPlan, PlannedMember } from '../../../domain/campaign-plan.ts';
import { showPlan } from '../../../features/campaigns/operations/run-campaign.ts';
import { amount, countOf, say, joinSaid } from '../../../domain/said.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import type { Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { pageButtons, pageOf } from '../blocks/pages.ts';

/** Everyone a planned campaign is about, page by page: those first who need something, and first. */
export function plannedPeopleMessage(id: string, plan: CampaignPlan, wanted: number): Message {
  const { quiz, members, leftOut, lead } = plan;
  const out = (names: readonly string[], why: string) => names.map((name) => say`• ${listedName(name, true)} · ${why}`);
  const lines = [
    ...(plan.standing ? members.toSorted(byNeed) : members).map((member) => memberLine(member, plan)),
    ...(plan.valid?.flatMap(({ name, until }) => out([name], say`left out: ${validWords(until, lead.timeZone)}`)) ??
      out(
        leftOut.passed,
        plan.completeWhen === 'passed' ? say`left out: passed already` : say`left out: submitted already`,
      )),
    ...out(
      leftOut.withoutUser.map(({ name }) => name),
      say`left out: not in the quiz account`,
    ),
    ...out(leftOut.suspended, say`left out: suspended`),
    ...out(leftOut.guests, say`left out: a guest`),
    ...out(leftOut.excepted, say`left out: on your list of exceptions`),
  ];
  const { shown, page, pages } = pageOf(lines, wanted);
  const outside = lines.length - members.length;
  const takePart = say`${countOf(members.length, 'person', 'people')} ${members.length === 1 ? 'takes' : 'take'} part`;
  const areOut = say`${amount(outside)} ${outside === 1 ? 'is' : 'are'} left out`;
  const heading = say`*${shownQuizName(quiz.name)}*: ${joinSaid([takePart, ...(outside === 0 ? [] : [areOut])], ', ')}`;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...sections(shown),
      ...(pages > 1 ? [context(say`Page ${page} of ${pages}`)] : []),
      ...buttonRow(pageButtons(showPlan, { plan: [id] }, { page, pages })),
    ],
  };
}

/** Those first who are asked at once, by their due times; then who waits to be marked; then by the end of what they have. */
function byNeed(one: PlannedMember, other: PlannedMember): number {
  return rankOf(one) - rankOf(other) || (one.dueAt ?? Infinity) - (other.dueAt ?? Infinity) || 0;
}

function rankOf({ isAsked, isMarking, dueAt }: PlannedMember): number {
  if (isAsked) return 0;
  if (isMarking) return 1;
  return dueAt === undefined ? 3 : 2;
}

function memberLine(member: PlannedMember, plan: CampaignPlan): string {
  const { name, groups, personId } = member;
  const parts = [
    say`${listedName(name, true)}`,
    ...(groups.length > 0 ? [say`${shortName(groups.join(', '), 60)}`] : []),
    ...stateParts(member, plan).map((words) => say`${words}`),
    ...(personId === null ? [say`no message reaches them`] : []),
  ];
  return say`• ${joinSaid(parts, ' · ')}`;
}

/** In a round, everybody has the same due time, and who takes part has to take it. */
function stateParts(
  { validUntil, isAsked, isMarking, dueAt }: PlannedMember,
  { standing, lead: { timeZone } }: CampaignPlan,
): string[] {
  const valid = validUntil === undefined ? [] : [validWords(validUntil, timeZone)];
  if (standing === undefined || isAsked === undefined) return valid;
  const day = dueAt === undefined ? undefined : fixedDay(new Date(dueAt - 1), timeZone);
  const due = day === undefined ? [] : [say`due ${day}`];
  if (isMarking) return [say`waiting to be marked`, ...due];
  if (isAsked)
    return validUntil === undefined ? due : [...valid, ...(day === undefined ? [] : [say`to be renewed by ${day}`])];
  return validUntil === undefined ? [say`valid for good`] : valid;
}

/** A pass counts until the end of a day. */
function validWords(until: number, timeZone: string): string {
  return say`valid until ${fixedDay(new Date(until - 1), timeZone)}`;
}
