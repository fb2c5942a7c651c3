import { listedName, shownQuizName } from '../../../operations/wording/shown-name.ts';
import { type Fact } from '../../../operations/page.ts';
import { day, moment, fixedDay } from '../../../time/date-words.ts';
import { importUsers } from '../../../features/imports/import-users.ts';
import type { Button, KnownBlock } from '@slack/types';
import type { CampaignPlan, ValidPass } from '../../../domain/campaign-plan.ts';
import { operationNamed } from '../../../operations/catalog.ts';
import { roughDuration } from '../../../operations/wording/rough-duration.ts';
import { backgroundDurationMs } from '../../../quiz-api/budget/rate-windows.ts';
import type { PlanPreview } from '../../../operations/operation-result.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { parseMention } from '../../../operations/typed-text.ts';
import {
  escalationWords,
  lackingWords,
  lateWords,
  managersWords,
  passCountsWords,
  reminderWords,
  withinWords,
} from '../../../features/campaigns/operations/campaign-words.ts';
import { firstMessagesWords } from '../../../features/campaigns/operations/first-messages.ts';
import { unreachedWords } from '../../../features/campaigns/operations/unreached-words.ts';
import { closedReason } from '../../errors.ts';
import { amount, countOf, inEnglish, say, joinSaid, asSaid, channelMention, mention } from '../../../domain/said.ts';
import { operationButton } from '../blocks/buttons.ts';
import { factSection } from '../blocks/facts.ts';
import { buttonRow } from '../blocks/item-actions.ts';
import { textMessage, type Message } from '../blocks/message.ts';
import { context, section, sections } from '../blocks/mrkdwn.ts';
import { nameList } from '../../../features/campaigns/pages/words.ts';
import { minutesWords, quotedWords } from '../../../features/campaigns/pages/messages.ts';
import { capitalized } from '../../../operations/wording/words.ts';
import { planButtons } from '../batches/plan-buttons.ts';

const unreachedNamesAtMost = 20;
const overlapsAtMost = 3;
const collectivesAtMost = 10;
const people = (count: number) => countOf(count, 'person', 'people');
/** Creates the people who have no user yet. */
const createOperation = importUsers.name;

/** What a campaign would do, with buttons that start and change it. */
export function campaignPlanMessage(
  preview: PlanPreview<CampaignPlan>,
  offered: ReadonlySet<string>,
  timeZone: string,
): Message {
  const { plan, canStart, warning, boardCode } = preview;
  const { quiz, members, board } = plan;
  const entered = preview.entered?.input ?? {};
  const heading = !canStart
    ? say`📭 Nobody is left to take part in a campaign for *${shownQuizName(quiz.name)}*.`
    : plan.campaignId !== undefined
      ? say`👋 *${people(members.length)}* who joined the audience of the campaign for *${shownQuizName(quiz.name)}*. Nobody is taken in until you start it.`
      : say`📋 A campaign for *${shownQuizName(quiz.name)}* with *${people(members.length)}*. Nothing happens until you start it.`;
  return {
    text: heading,
    blocks: [
      section(heading),
      ...(warning === undefined ? [] : textMessage('⚠️', warning).blocks),
      ...(board === null || boardCode === undefined ? [] : [section(closedBoardLine(board.channelId, boardCode))]),
      ...(canStart
        ? [
            ...(plan.campaignId === undefined ? [factSection(scheduleFacts(plan, entered, timeZone))] : []),
            ...wordsSection(plan),
            ...sections(startLines(preview, timeZone)),
            ...sections(hindrances(plan, timeZone)),
          ]
        : []),
      ...sections(leftOutLines(plan)),
      ...approvalNote(plan),
      ...buttonRow([...planButtons(preview), ...(offered.has(createOperation) ? createButton(plan, entered) : [])]),
    ],
  };
}

/** The board is posted once the bot can post there, also after the start. */
function closedBoardLine(channelId: string, code: string): string {
  const { why, remedyBeforeStart } = closedReason(code);
  const reason = say`⚠️ Progress can’t be shown in ${channelMention(channelId)} yet: ${asSaid(why)}.`;
  return say`${reason} ${asSaid(remedyBeforeStart)}`;
}

/** Previews an import of the first channel or user group that was named. People who were named one by one have no list to import. */
function createButton({ leftOut }: CampaignPlan, { channels = [], to = [] }: TextInput): Button[] {
  const create = operationNamed(createOperation);
  const source = [...channels, ...to].find((text) => ['channel', 'usergroup'].includes(parseMention(text)?.kind ?? ''));
  if (create === undefined || source === undefined || leftOut.withoutUser.length === 0) return [];
  return operationButton('create', {
    text: say`Create them…`,
    doing: 'beside',
    operation: create,
    raw: { file: [source], user_type: ['respondent'] },
  });
}

function approvalNote({ approval }: CampaignPlan): KnownBlock[] {
  if (approval === null) return [];
  return [
    context(
      approval === 'many people'
        ? say`More than 100 people: someone else has to approve the start.`
        : say`You don’t train all of these people, so someone else has to approve the start.`,
    ),
  ];
}

/** The lead is the reader, unless another was entered. */
function scheduleFacts(plan: CampaignPlan, { lead }: TextInput, timeZone: string): Fact[] {
  const { schedule, completeWhen, validity, standing, board, firstMessagesAt, takesMinutes } = plan;
  const { dueAt } = schedule;
  return [
    [
      say`Due`,
      standing
        ? say`${capitalized(withinWords(standing))}, until someone ends it`
        : dueAt === undefined
          ? say`No due time`
          : moment(dueAt, timeZone),
    ],
    [say`Done when`, completeWhen === 'passed' ? say`Passed` : say`Submitted`],
    ...(validity === undefined
      ? []
      : [[say`A pass counts`, capitalized(passCountsWords(validity, standing))] satisfies Fact]),
    ...(takesMinutes === undefined ? [] : [[say`Takes`, capitalized(minutesWords(takesMinutes))] satisfies Fact]),
    [say`Reminders`, reminderWords(plan, firstMessagesAt ?? 0)[0] ?? say`None`],
    [say`Escalation`, escalationWords(plan, lead === undefined) ?? say`None`],
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

function wordsSection({ words }: CampaignPlan): KnownBlock[] {
  return words === undefined ? [] : [section(say`*Your message*\n${quotedWords(words)}`)];
}

/** The warning is that nobody can take the quiz: meanwhile, the campaign asks nobody to. */
function startLines(preview: PlanPreview<CampaignPlan>, timeZone: string): string[] {
  const { plan, warning } = preview;
  return [
    ...collectivesLine(plan),
    ...(plan.standing ? standingLines(plan) : []),
    assigningLine(plan),
    ...(warning === undefined
      ? messagesLines(plan, timeZone)
      : [say`• The first messages would go out once the quiz is open.`]),
    ...unreachedLines(plan.members),
    ...managersLines(plan, preview.entered?.input.lead === undefined),
    ...(plan.standing ? [] : expiringLine(plan)),
  ];
}

/** To whom the names of people who are late would go. */
function managersLines({ managers, otherLeads = [] }: CampaignPlan, leadsReader: boolean): string[] {
  if (managers === undefined) return [];
  const leads = leadsReader ? 'you' : otherLeads.length === 0 ? 'the lead' : 'the leads';
  return managersWords(managers, leads, 'Slack').map(
    (sentence) => say`${managers.problem === undefined ? '•' : '⚠️'} ${sentence}`,
  );
}

/** How everyone in it stands today. */
function standingLines({ members, completeWhen, lead }: CampaignPlan): string[] {
  const dueTimes = members.flatMap(({ isAsked, dueAt }) => (isAsked && dueAt !== undefined ? [dueAt] : []));
  const first = Math.min(...dueTimes);
  const others = members.filter(({ isAsked }) => !isAsked);
  const passes = others.flatMap(({ name, validUntil, isMarking }) =>
    validUntil === undefined || isMarking ? [] : [{ name, until: validUntil }],
  );
  const forGood = others.filter(({ dueAt }) => dueAt === undefined);
  const marking = others.filter(({ isMarking }) => isMarking);
  return [
    ...(dueTimes.length === 0
      ? []
      : [
          dueTimes.every((at) => at === first)
            ? say`• For ${people(dueTimes.length)}, it would be due ${day(first, lead.timeZone)}.`
            : say`• For ${people(dueTimes.length)}, it would be due ${day(first, lead.timeZone)} or later.`,
        ]),
    ...(passes.length === 0
      ? []
      : [
          say`• ${doneAlready(passes.length, completeWhen)} It would be due again when ${passes.length === 1 ? 'that pass ends' : 'these passes end'}. ${passList(passes, lead.timeZone)}.`,
        ]),
    ...(forGood.length === 0
      ? []
      : [
          completeWhen === 'passed'
            ? say`• ${people(forGood.length)} passed it already, which counts for good.`
            : say`• ${people(forGood.length)} submitted it already, which counts for good.`,
        ]),
    ...(marking.length === 0
      ? []
      : [say`• ${people(marking.length)} took it, and ${marking.length === 1 ? 'waits' : 'wait'} for a mark.`]),
  ];
}

/** Who has passed, and has to pass again: their pass does not count any more when it is due. */
function expiringLine({ members, lead, completeWhen }: CampaignPlan): string[] {
  const expiring = members.flatMap(({ name, validUntil }) =>
    validUntil === undefined ? [] : [{ name, until: validUntil }],
  );
  if (expiring.length === 0) return [];
  const expires =
    completeWhen === 'passed'
      ? say`${people(expiring.length)} passed it, which doesn’t count any more when it’s due.`
      : say`${people(expiring.length)} submitted it, which doesn’t count any more when it’s due.`;
  return [say`• ${expires} ${passList(expiring, lead.timeZone)}.`];
}

function doneAlready(count: number, completeWhen: CampaignPlan['completeWhen']): string {
  return completeWhen === 'passed'
    ? say`${people(count)} passed it already.`
    : say`${people(count)} submitted it already.`;
}

const passesAtMost = 6;

/** “Valid until: Rosa (3 May 2027), Kim (4 May 2027) and 4 others”. A pass counts until the end of a day, on the lead’s clock. */
function passList(passes: readonly ValidPass[], timeZone: string): string {
  const shown = passes
    .slice(0, passesAtMost)
    .map(({ name, until }) => say`${listedName(name, true)} (${fixedDay(new Date(until - 1), timeZone)})`);
  const more = passes.length - shown.length;
  const named = joinSaid(shown, ', ');
  if (more === 0) return say`Valid until: ${named}`;
  return more === 1 ? say`Valid until: ${named} and 1 other` : say`Valid until: ${named} and ${amount(more)} others`;
}

/** Who joins later takes no part in a round. */
function collectivesLine({ collectives, standing }: CampaignPlan): string[] {
  if (collectives === undefined) return [];
  const { names, people: count } = collectives;
  const from = nameList(names, { most: collectivesAtMost });
  const now =
    count === 1
      ? say`• From ${from}: the 1 person who is in ${names.length === 1 ? 'it' : 'them'} now.`
      : say`• From ${from}: the ${people(count)} who are in ${names.length === 1 ? 'it' : 'them'} now.`;
  const later = standing
    ? say`People who join ${names.length === 1 ? 'it' : 'them'} later are taken in by themselves, up to 20 an hour; more of them wait for you. Who leaves isn’t asked any more.`
    : say`People who join later take part once you add them: \`/quiz-campaign add\`.`;
  return [say`${now} ${later}`];
}

function messagesLines(plan: CampaignPlan, timeZone: string): string[] {
  const { firstMessagesAt, laterNames = [] } = plan;
  const first = firstMessagesWords(plan, { nowMs: firstMessagesAt ?? 0, timeZone });
  if (first === undefined) return [];
  return [
    inEnglish(first) === 'now'
      ? say`• The first messages would go out at once.`
      : say`• The first messages would go out ${first}.`,
    ...(laterNames.length === 0
      ? []
      : [
          say`• Another campaign writes to ${nameList(laterNames, { most: unreachedNamesAtMost })} that day, and people get one message a day: theirs would go out the day after.`,
        ]),
  ];
}

/** What the person who starts it should change first. */
function hindrances({ members, lateNames = [], overlaps = [] }: CampaignPlan, timeZone: string): string[] {
  return [
    ...(lateNames.length === 0 ? [] : [say`⚠️ ${lateWords(lateNames)} Choose a later time.`]),
    ...overlaps.slice(0, overlapsAtMost).map(({ ownerId, dueAt, people: count }) => {
      const due = dueAt === null ? '' : say`, due ${moment(dueAt, timeZone)}`;
      const who = mention(ownerId);
      if (count < members.length)
        return say`⚠️ ${amount(count)} of these people ${count === 1 ? 'has' : 'have'} to take it for another campaign already: started by ${who}${due}.`;
      return members.length === 1
        ? say`⚠️ This person has to take it for another campaign already: started by ${who}${due}.`
        : say`⚠️ All ${amount(members.length)} people have to take it for another campaign already: started by ${who}${due}.`;
    }),
    ...(overlaps.length > overlapsAtMost
      ? [say`…and ${amount(overlaps.length - overlapsAtMost)} more: \`/quiz-campaign list\``]
      : []),
    ...(overlaps.length > 0 ? [say`They’d get the messages of ${overlaps.length === 1 ? 'both' : 'each'}.`] : []),
  ];
}

/** Who gets no message, and why. They take part all the same. */
function unreachedLines(members: CampaignPlan['members']): string[] {
  const names = members.filter(({ personId }) => personId === null).map(({ name }) => name);
  if (names.length === 0) return [];
  const who = nameList(names, { most: unreachedNamesAtMost });
  return [say`• No message reaches ${who}: ${unreachedWords('no_person', 'Slack')}.`];
}

function assigningLine({ assign, assigning }: CampaignPlan): string {
  const lacking = lackingWords(assign);
  if (lacking === undefined) return say`• Everyone has the quiz already.`;
  const isOne = assign.groups.length + assign.users.length === 1;
  return say`• ${lacking} still ${isOne ? 'needs' : 'need'} the quiz; assigning takes ${roughDuration(backgroundDurationMs(assigning.requests))}.`;
}

function leftOutLines({
  leftOut: { passed, suspended, guests, excepted, withoutUser },
  completeWhen,
  valid = [],
  lead,
}: CampaignPlan): string[] {
  const counts: [number, (count: number) => string][] = [
    [passed.length, (count) => say`• ${doneAlready(count, completeWhen)}`],
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
    lines[0] = say`• ${doneAlready(passed.length, completeWhen)} ${passList(valid, lead.timeZone)}.`;
  return lines.length > 0 ? [say`*Left out*`, ...lines] : [];
}
