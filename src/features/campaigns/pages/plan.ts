import type { Rule } from '../../../domain/campaign.ts';
import type { CampaignPlan, PlannedMember, ValidPass } from '../../../domain/campaign-plan.ts';
import {
  amount,
  channelMention,
  countOf,
  inEnglish,
  joinSaid,
  mention,
  say,
  shortName,
  capitalized,
} from '../../../domain/said.ts';
import { isOpen } from '../../../obligations/people.ts';
import { runStep, type Fact, type Page, type Step, type Texts } from '../../../operations/page.ts';
import { planSteps, type Shown } from '../../../operations/define-plan.ts';
import type { ClosedReason } from '../../../operations/services/platform.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { parseMention } from '../../../operations/typed-text.ts';
import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { day, fixedDay, moment } from '../../../time/date-words.ts';
import { endOfWork } from '../../../time/working-hours.ts';
import {
  assigningDuration,
  escalationWords,
  lackingWords,
  lateWords,
  managersWords,
  passCountsWords,
  missedReminderWords,
  reminderWords,
  withinWords,
  unreachedWords,
  nameList,
} from './words.ts';
import { firstMessagesWords } from '../operations/first-messages.ts';
import { minutesWords, quotedWords } from './messages.ts';

const unreachedNamesAtMost = 20;
const overlapsAtMost = 3;
const collectivesAtMost = 10;
const leadsAtMost = 3;
const people = (count: number) => countOf(count, 'person', 'people');

/** What a campaign would do, with buttons that start and change it. */
export function campaignPlanPage(plan: CampaignPlan, shown: Shown): Page {
  const { canStart, warning, boardClosed } = shown;
  const { members, approval, into } = plan;
  const { quiz, rule, words } = plan.draft;
  const entered = shown.entered?.input ?? {};
  return {
    heading: !canStart
      ? say`📭 Nobody is left to take part in a campaign for *${shownQuizName(quiz.name)}*.`
      : into !== null
        ? say`👋 *${people(members.length)}* who joined the audience of the campaign for *${shownQuizName(quiz.name)}*. Nobody is taken in until you start it.`
        : say`📋 A campaign for *${shownQuizName(quiz.name)}* with *${people(members.length)}*. Nothing happens until you start it.`,
    parts: [
      {
        lines: [
          warning !== undefined && say`⚠️ ${warning}`,
          rule.board !== null && boardClosed && closedBoardLine(rule.board.channelId, boardClosed),
        ],
      },
      ...(canStart
        ? [
            { facts: into === null ? scheduleFacts(plan) : [] },
            { lines: [words !== null && say`*Your message*\n${quotedWords(words)}`] },
            { lines: startLines(plan, shown) },
            { lines: hindrances(plan) },
          ]
        : []),
      {
        lines: leftOutLines(plan),
        notes: [
          approval === 'many people' && say`More than 100 people: someone else has to approve the start.`,
          approval === 'other people' &&
            say`You don’t train all of these people, so someone else has to approve the start.`,
        ],
      },
    ],
    steps: [...planSteps(plan, shown, { isMain: true }), ...createSteps(plan, entered)],
  };
}

/** The board is posted once the bot can post there, also after the start. */
function closedBoardLine(channelId: string, { why, remedy }: ClosedReason): string {
  const reason = say`⚠️ Progress can’t be shown in ${channelMention(channelId)} yet: ${why}.`;
  return say`${reason} ${remedy}`;
}

/**
 * Creates those without a user: previews an import of the first channel or user group that was named. People who were named one by one
 * have no list to import.
 */
function createSteps({ leftOut }: CampaignPlan, { channels = [], to = [] }: TextInput): Step[] {
  const source = [...channels, ...to].find((text) => ['channel', 'usergroup'].includes(parseMention(text)?.kind ?? ''));
  return source === undefined || leftOut.withoutUser.length === 0
    ? []
    : [runStep(say`Create them…`, { name: 'import-users' }, { file: [source], user_type: ['respondent'] })];
}

/** The lead is the reader, unless another was chosen. */
const leadsOf = ({ leadNames }: CampaignPlan) =>
  leadNames.length === 0 ? 'you' : { names: nameList(leadNames, { most: leadsAtMost }) };

function scheduleFacts(plan: CampaignPlan): Fact[] {
  const { draft } = plan;
  const { rule, takesMinutes } = draft;
  const { completeWhen, validity, standing, board, dueAt } = rule;
  return [
    [
      say`Due`,
      standing
        ? say`${capitalized(withinWords(standing))}, until someone ends it`
        : dueAt === null
          ? say`No due time`
          : moment(dueAt, 'weekdayMoment'),
    ],
    [say`Done when`, completeWhen === 'passed' ? say`Passed` : say`Submitted`],
    [say`A pass counts`, validity ? capitalized(passCountsWords(validity, standing)) : undefined],
    [say`Takes`, takesMinutes === null ? undefined : capitalized(minutesWords(takesMinutes))],
    [say`Reminders`, reminderWords(rule, remindersSince(plan)) ?? say`None`],
    [say`Escalation`, escalationWords(draft, leadsOf(plan)) ?? say`None`],
    [
      say`Progress`,
      board === null
        ? say`In no channel`
        : board.showsNames
          ? say`In ${channelMention(board.channelId)}`
          : say`In ${channelMention(board.channelId)}, with initials`,
    ],
  ];
}

/** The warning is that nobody can take the quiz: meanwhile, the campaign asks nobody to. */
function startLines(plan: CampaignPlan, { entered, warning, timeZone, platform }: Shown): Texts {
  const { standing } = plan.draft.rule;
  return [
    collectivesLine(plan),
    ...(standing ? standingLines(plan) : []),
    ...assigningLines(plan),
    ...(warning === undefined
      ? messagesLines(plan, timeZone)
      : [say`• The first messages would go out once the quiz is open.`]),
    entered?.input['remind'] !== undefined && missedRemindersLine(plan),
    unreachedLine(plan.members, platform),
    managersLine(plan, platform),
    !standing && expiringLine(plan),
  ];
}

/** To whom the names of people who are late would go. */
function managersLine(plan: CampaignPlan, platform: string): string | false {
  const { managers } = plan;
  if (managers === null) return false;
  const leads = leadsOf(plan);
  const words = managersWords(managers, leads === 'you' ? say`to you` : say`to ${leads.names}`, platform);
  return say`${managers.problem === undefined ? '•' : '⚠️'} ${words}`;
}

/** How everyone in it stands today. */
function standingLines(plan: CampaignPlan): Texts {
  const { members, draft } = plan;
  const { rule, timeZone } = draft;
  const { completeWhen } = rule;
  const dueTimes = dueTimesOf(plan);
  const first = Math.min(...dueTimes);
  const others = members.filter(({ obligation }) => !isOpen(obligation));
  const marking = others.filter(({ obligation }) => obligation.state === 'marking');
  const passes = passesOf(others.filter((one) => !marking.includes(one)));
  const forGood = others.filter(({ obligation }) => obligation.dueAt === undefined);
  return [
    dueTimes.length > 0 &&
      (dueTimes.every((at) => at === first)
        ? say`• For ${people(dueTimes.length)}, it would be due ${day(first)}.`
        : say`• For ${people(dueTimes.length)}, it would be due ${day(first)} or later.`),
    passes.length > 0 &&
      say`• ${doneAlready(passes.length, completeWhen)} It would be due again when ${passes.length === 1 ? 'that pass ends' : 'these passes end'}. ${passList(passes, timeZone)}.`,
    forGood.length > 0 &&
      (completeWhen === 'passed'
        ? say`• ${people(forGood.length)} passed it already, which counts for good.`
        : say`• ${people(forGood.length)} submitted it already, which counts for good.`),
    marking.length > 0 &&
      say`• ${people(marking.length)} took it, and ${marking.length === 1 ? 'waits' : 'wait'} for a mark.`,
  ];
}

/** Who has passed, and has to pass again: their pass does not count any more when it is due. */
function expiringLine({ members, draft: { rule, timeZone } }: CampaignPlan): string | false {
  const expiring = passesOf(members);
  if (expiring.length === 0) return false;
  const expires =
    rule.completeWhen === 'passed'
      ? say`${people(expiring.length)} passed it, which doesn’t count any more when it’s due.`
      : say`${people(expiring.length)} submitted it, which doesn’t count any more when it’s due.`;
  return say`• ${expires} ${passList(expiring, timeZone)}.`;
}

function passesOf(members: readonly PlannedMember[]): ValidPass[] {
  return members.flatMap(({ name, obligation: { validUntil: until } }) =>
    until === undefined ? [] : [{ name, until }],
  );
}

function doneAlready(count: number, completeWhen: Rule['completeWhen']): string {
  return completeWhen === 'passed'
    ? say`${people(count)} passed it already.`
    : say`${people(count)} submitted it already.`;
}

const passesAtMost = 6;

/** “Valid until: Rosa (3 May 2027), Kim (4 May 2027) and 4 others”. A pass counts until the end of a day, on the lead’s clock. */
function passList(passes: readonly ValidPass[], timeZone: string): string {
  const shown = passes
    .slice(0, passesAtMost)
    .map(({ name, until }) => say`${listedName(name, true)} (${fixedDay(until - 1, timeZone)})`);
  const more = passes.length - shown.length;
  const named = joinSaid(shown, ', ');
  if (more === 0) return say`Valid until: ${named}`;
  return more === 1 ? say`Valid until: ${named} and 1 other` : say`Valid until: ${named} and ${amount(more)} others`;
}

/** Who joins later takes no part in a round. Where all who have passed are in these groups, it says so of those who are left out. */
function collectivesLine({ collectives, draft, leftOut }: CampaignPlan): string | false {
  if (collectives === null) return false;
  const { names, people: count, of, passed } = collectives;
  const from = nameList(names, { most: collectivesAtMost });
  const isSaid = passed === 0 || passed === leftOut.passed.length;
  const now =
    count < of
      ? say`• From ${from}: ${amount(count)} of the ${people(of)} who are in ${names.length === 1 ? 'it' : 'them'} now.`
      : count === 1
        ? say`• From ${from}: the 1 person who is in ${names.length === 1 ? 'it' : 'them'} now.`
        : say`• From ${from}: the ${people(count)} who are in ${names.length === 1 ? 'it' : 'them'} now.`;
  const later = draft.rule.standing
    ? say`People who join ${names.length === 1 ? 'it' : 'them'} later are taken in by themselves, up to 20 an hour; more of them wait for you. Who leaves isn’t asked any more.`
    : say`People who join later take part once you add them: \`/quiz-campaign add\`.`;
  return joinSaid([now, !isSaid && doneAlready(passed, draft.rule.completeWhen), later], ' ');
}

function messagesLines(plan: CampaignPlan, timeZone: string): Texts {
  const { firstMessagesAt, laterNames } = plan;
  const first = firstMessagesWords(plan, { nowMs: firstMessagesAt ?? 0, timeZone });
  if (first === undefined) return [];
  return [
    inEnglish(first) === 'now'
      ? say`• The first messages would go out at once.`
      : say`• The first messages would go out ${first}.`,
    laterNames.length > 0 &&
      say`• Another campaign writes to ${nameList(laterNames, { most: unreachedNamesAtMost })} today, and people get one message a day: theirs would go out on their next working day.`,
  ];
}

/** Which reminders can come: none that is planned for the day of the first message. */
function remindersSince({ draft: { timeZone }, firstMessagesAt }: CampaignPlan): number {
  return firstMessagesAt === null ? 0 : Math.max(firstMessagesAt, endOfWork(firstMessagesAt, timeZone));
}

function missedRemindersLine(plan: CampaignPlan): string | false {
  const words = missedReminderWords(plan.draft.rule, remindersSince(plan), dueTimesOf(plan));
  return words !== undefined && say`• ${words}`;
}

function dueTimesOf({ members }: CampaignPlan): number[] {
  return members.flatMap(({ obligation }) => (isOpen(obligation) ? (obligation.dueAt ?? []) : []));
}

/** What the person who starts it should change first. */
function hindrances({ members, lateNames, overlaps }: CampaignPlan): Texts {
  return [
    lateNames.length > 0 && say`⚠️ ${lateWords(lateNames)} Choose a later time.`,
    ...overlaps.slice(0, overlapsAtMost).map(({ ownerId, dueAt, isFirst, people: count }) => {
      const due = dueAt === null ? '' : isFirst ? say`, due ${moment(dueAt)} or later` : say`, due ${moment(dueAt)}`;
      const who = mention(ownerId);
      if (count < members.length)
        return say`⚠️ ${amount(count)} of these people ${count === 1 ? 'has' : 'have'} to take it for another campaign already: started by ${who}${due}.`;
      return members.length === 1
        ? say`⚠️ This person has to take it for another campaign already: started by ${who}${due}.`
        : say`⚠️ Everyone has to take it for another campaign already: started by ${who}${due}.`;
    }),
    overlaps.length > overlapsAtMost &&
      say`…and ${amount(overlaps.length - overlapsAtMost)} more: \`/quiz-campaign list\``,
    overlaps.length > 0 && say`They’d get the messages of ${overlaps.length === 1 ? 'both' : 'each'}.`,
  ];
}

/** Who gets no message, and why. They take part all the same. */
function unreachedLine(members: CampaignPlan['members'], platform: string): string | false {
  const names = members.filter(({ personId }) => personId === null).map(({ name }) => name);
  const who = nameList(names, { most: unreachedNamesAtMost });
  return names.length > 0 && say`• No message reaches ${who}: ${unreachedWords('no_person', platform)}.`;
}

function assigningLines({ assign, members, draft }: CampaignPlan): Texts {
  const lacking = lackingWords(assign);
  const isOne = assign.groups.length + assign.users.length === 1;
  const now =
    lacking !== undefined
      ? say`• ${lacking} still ${isOne ? 'needs' : 'need'} the quiz; assigning takes ${assigningDuration(assign)}.`
      : draft.rule.standing
        ? say`• Everyone who has to take it now has the quiz already.`
        : say`• Everyone has the quiz already.`;
  const havePasses = draft.rule.standing !== null && passesOf(members).length > 0;
  return [now, havePasses && say`• Who has a pass that counts gets the quiz when it’s to be renewed.`];
}

function leftOutLines({
  leftOut: { passed, suspended, guests, excepted, withoutUser },
  draft: { rule, timeZone },
  valid,
}: CampaignPlan): string[] {
  const counts: [number, (count: number) => string][] = [
    [passed.length, (count) => say`• ${doneAlready(count, rule.completeWhen)}`],
    [withoutUser.length, (count) => say`• ${people(count)} ${count === 1 ? 'isn’t' : 'aren’t'} in the quiz account.`],
    [suspended.length, (count) => say`• ${people(count)} ${count === 1 ? 'is' : 'are'} suspended.`],
    [
      guests.length,
      (count) => (count === 1 ? say`• ${people(count)} is a guest.` : say`• ${people(count)} are guests.`),
    ],
    [excepted.length, (count) => say`• ${people(count)} ${count === 1 ? 'is' : 'are'} on your list of exceptions.`],
  ];
  const lines = counts.flatMap(([count, sentence]) => (count > 0 ? [sentence(count)] : []));
  if (valid.length > 0)
    lines[0] = say`• ${doneAlready(passed.length, rule.completeWhen)} ${passList(valid, timeZone)}.`;
  return lines.length > 0 ? [say`*Left out*`, ...lines] : [];
}

/** Everyone a planned campaign is about: those first who need something, and first. */
export function plannedPeople(plan: CampaignPlan): { heading: string; lines: string[] } {
  const { members, leftOut, valid } = plan;
  const { quiz, rule, timeZone } = plan.draft;
  const out = (names: readonly string[], why: string) => names.map((name) => say`• ${listedName(name, true)} · ${why}`);
  const lines = [
    ...(rule.standing ? members.toSorted(byNeed) : members).map((member) => memberLine(member, plan)),
    ...(valid.length > 0
      ? valid.flatMap(({ name, until }) => out([name], say`left out: ${validWords(until, timeZone)}`))
      : out(
          leftOut.passed,
          rule.completeWhen === 'passed' ? say`left out: passed already` : say`left out: submitted already`,
        )),
    ...out(
      leftOut.withoutUser.map(({ name }) => name),
      say`left out: not in the quiz account`,
    ),
    ...out(leftOut.suspended, say`left out: suspended`),
    ...out(leftOut.guests, say`left out: a guest`),
    ...out(leftOut.excepted, say`left out: on your list of exceptions`),
  ];
  const outside = lines.length - members.length;
  const takePart = say`${countOf(members.length, 'person', 'people')} ${members.length === 1 ? 'takes' : 'take'} part`;
  const areOut = say`${amount(outside)} ${outside === 1 ? 'is' : 'are'} left out`;
  const heading = say`*${shownQuizName(quiz.name)}*: ${joinSaid([takePart, outside > 0 && areOut], ', ')}`;
  return { heading, lines };
}

/** Those first who are asked at once, by their due times; then who waits to be marked; then by the end of what they have. */
function byNeed(one: PlannedMember, other: PlannedMember): number {
  return rankOf(one) - rankOf(other) || (one.obligation.dueAt ?? Infinity) - (other.obligation.dueAt ?? Infinity) || 0;
}

function rankOf({ obligation }: PlannedMember): number {
  if (isOpen(obligation)) return 0;
  if (obligation.state === 'marking') return 1;
  return obligation.dueAt === undefined ? 3 : 2;
}

function memberLine(member: PlannedMember, plan: CampaignPlan): string {
  const { name, groups, personId } = member;
  const parts = [
    say`${listedName(name, true)}`,
    groups.length > 0 && say`${shortName(groups.join(', '), 60)}`,
    ...stateParts(member, plan).map((words) => say`${words}`),
    personId === null && say`no message reaches them`,
  ];
  return say`• ${joinSaid(parts, ' · ')}`;
}

/** In a round, everybody has the same due time, and who takes part has to take it. */
function stateParts({ obligation }: PlannedMember, { draft: { rule, timeZone } }: CampaignPlan): string[] {
  const { state, dueAt, validUntil } = obligation;
  const valid = validUntil === undefined ? [] : [validWords(validUntil, timeZone)];
  if (rule.standing === null) return valid;
  const dueDay = dueAt === undefined ? undefined : fixedDay(dueAt - 1, timeZone);
  const due = dueDay === undefined ? [] : [say`due ${dueDay}`];
  if (state === 'marking') return [say`waiting to be marked`, ...due];
  if (isOpen(obligation))
    return validUntil === undefined
      ? due
      : [...valid, ...(dueDay === undefined ? [] : [say`to be renewed by ${dueDay}`])];
  return validUntil === undefined ? [say`valid for good`] : valid;
}

/** A pass counts until the end of a day. */
function validWords(until: number, timeZone: string): string {
  return say`valid until ${fixedDay(until - 1, timeZone)}`;
}
