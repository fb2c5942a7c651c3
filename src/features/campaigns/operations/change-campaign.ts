import { dayMs } from '../../../domain/durations.ts';
import {
  type Campaign,
  type Rule,
  type RuleChange,
  type StandingRule,
  type Validity,
  endOf,
} from '../../../domain/campaign.ts';
import { otherDueTime, whyUnreached } from '../../../domain/campaign-messages.ts';
import { named, say, sentences } from '../../../domain/said.ts';
import { parseClauses } from '../../../operations/clauses/parse-clauses.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { InvalidInputError, given, type TextInput } from '../../../operations/text-input.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import { defineOperation, ofCampaign, ofPreview } from '../../../operations/operation.ts';
import { previewOf } from '../../../operations/define-plan.ts';
import { showsNames } from './plan.ts';
import { planChange, changedParts, missedByChange } from './plan-change.ts';
import { viewStep } from './list-and-show.ts';
import { enteredIn, refuseForeignBoard, startFields } from './start-campaign.ts';
import { durationsKind, validityKind } from '../../../operations/fields/times.ts';
import {
  instantOf,
  readSchedule,
  readStanding,
  usualRenewDaysOf,
  longestRenewal,
  readNewDue,
  type TimeSetting,
} from './schedule-input.ts';
import { campaignField } from '../../../operations/fields/campaign.ts';
import { zoneWords } from '../../../operations/fields/subscription.ts';
import { made, unchanged, runStep, type Step } from '../../../operations/page.ts';
import { openPeople } from '../../../obligations/people.ts';
import { momentInWords, zoneOf } from '../../../operations/dates/typed-time.ts';
import { peopleWords } from '../pages/words.ts';
import { moment } from '../../../time/date-words.ts';

const fields = {
  campaign: { ...campaignField, hint: 'Fields that you leave empty stay as they are.' },
  within: {
    ...startFields.within,
    label: 'Due within, for each person',
    hint: 'For example 7d from when they join',
  },
  valid: { ...startFields.valid, hint: 'For example 12 months, or until 31 jan' },
  counts: {
    kind: 'flags',
    label: 'Or a pass counts',
    clause: { words: ['counts', 'count'], example: say`counts for good` },
    optional: true,
    options: [{ value: 'good', label: 'For good', also: ['for good', 'forever'] }],
  },
  renew: { ...startFields.renew, hint: 'For example 30d' },
  remind: { ...startFields.remind, hint: 'For example 7d, 1d, or none' },
  overdue: { ...startFields.overdue, hint: 'For example 1d, or none' },
  escalate: { ...startFields.escalate, hint: 'For example 3d after it’s due, or none' },
  complete: { ...startFields.complete, hint: 'What counts as done' },
  board: startFields.board,
  due: {
    kind: 'text',
    label: 'Due',
    maxLength: 60,
    isTime: true,
    clause: { words: ['due', 'by'], example: say`due 15 dec 17:00` },
    typedOnly: true,
    optional: true,
  },
} as const;

/** Works out what another rule would make different. It counts once a person presses a button on the answer. */
export const changeCampaign = defineOperation({
  name: 'change-campaign',
  command:
    '/quiz-campaign change <campaign> [within 7d] [valid 6 months] [counts for good] [renew 14d] [remind 7d, 1d] [overdue 1d] [escalate 3d] [complete when passed] [board #channel]',
  synonyms: ['update', 'edit'],
  summary: 'Change the rules of a running campaign; shows the difference first',
  title: say`Change a campaign`,
  buttons: { campaign: [{ label: 'Change…', in: ['page'], position: 4, opens: 'form' }] },
  ...ofPreview,
  right: 'edit_quizzes',
  forPeopleOnly: true,
  fields,
  parse: (line) => parseClauses(line, fields, { subject: 'campaign', time: 'due' }),
  present: ({ campaign }) => (campaign === undefined ? {} : inputOfRule(campaign.rule)),
  check({ campaign, due, ...changes }) {
    if (due !== undefined)
      throw new InvalidInputError(
        'campaign',
        campaign.rule.standing === null
          ? say`To move the due time of the campaign for ${named(campaign.quiz.name)}, type /quiz-campaign extend.`
          : say`In the campaign for ${named(campaign.quiz.name)}, each person has a due time of their own. Change how long they have instead, for example within 7d.`,
      );
    if (Object.values(changes).every((value) => value === undefined))
      throw new InvalidInputError(
        'campaign',
        say`There’s nothing to change yet. Fill in at least one of the other fields.`,
      );
  },
  async run(context, input) {
    const { campaign: known, board: channel } = input;
    const change = {
      ...readChange(
        known,
        {
          ...input,
          complete: input.complete === 'passed' || input.complete === 'submitted' ? input.complete : undefined,
          countsForGood: input.counts?.includes('good') ?? false,
        },
        context.now(),
      ),
      ...(channel && { board: await newBoard(context, known, channel) }),
    } satisfies RuleChange;
    const { campaign, isGone } = await context.campaigns.readNow(known, context.call);
    if (isGone)
      throw new InvalidInputError('campaign', say`${named(known.quiz.name)} isn’t in the quiz account any more.`);
    const plan = await planChange(context, campaign, change);
    if (changedParts(plan.before, plan.after).length === 0)
      return unchanged(say`The campaign for ${named(campaign.quiz.name)} has these rules already. Nothing changed.`, [
        viewStep(campaign.id),
      ]);
    const entered = { operation: 'change-campaign', input: enteredIn(fields, input) };
    return previewOf(context, plan, entered, { warning: missedByChange(plan, context.now()) });
  },
});

/** A message that shows progress stays where it is. @throws {InvalidInputError} */
async function newBoard(context: OperationContext, { rule: { board: known }, quiz }: Campaign, channel: Channel) {
  if (known !== null && known.channelId !== channel.channel_id)
    throw new InvalidInputError(
      'board',
      say`Another channel shows the progress of the campaign for ${named(quiz.name)}, where it stays. Leave the channel out.`,
    );
  if (known !== null) return known;
  if ((await context.alerts.whyClosed(channel.channel_id)) !== undefined)
    throw new InvalidInputError('board', say`I can’t post in this channel yet: type /invite there, and try again.`);
  await refuseForeignBoard(context, channel);
  return { channelId: channel.channel_id, showsNames: await showsNames(context, channel) };
}

/** A rule as `change` has it typed, which its form shows. */
export function inputOfRule(rule: Rule): TextInput {
  const { completeWhen, validity, standing, remindBeforeMs, overdueEveryMs, escalateAfterMs } = rule;
  const days = (count: number) => durationsKind.identify([count * dayMs]);
  const each = (ms: number | null) => durationsKind.identify(ms === null ? [] : [ms]);
  return {
    ...given({
      within: standing ? days(standing.withinDays) : [],
      valid: validity ? validityKind.identify(validity) : [],
      renew: standing && validity ? days(standing.renewDays) : [],
    }),
    complete: [completeWhen],
    remind: durationsKind.identify([...remindBeforeMs]),
    overdue: each(overdueEveryMs),
    escalate: each(escalateAfterMs),
  };
}

/** What a person entered to change a rule; times in milliseconds. Undefined: as it is. */
export interface ChangeInput {
  within: readonly number[] | undefined;
  renew: readonly number[] | undefined;
  remind: readonly number[] | undefined;
  overdue: readonly number[] | undefined;
  escalate: readonly number[] | undefined;
  complete: Rule['completeWhen'] | undefined;
  valid: Validity | undefined;
  countsForGood: boolean;
}

/**
 * Reads a change of the rule of a campaign, by the rules for one that starts.
 * @throws {InvalidInputError}
 */
export function readChange(campaign: Campaign, input: ChangeInput, nowMs: number): Omit<RuleChange, 'board'> {
  const { validity: known, standing } = campaign.rule;
  const { complete, valid, countsForGood } = input;
  if (valid !== undefined && countsForGood)
    throw new InvalidInputError('valid', say`A pass counts either for good or for a time. Leave one out.`);
  const validity = countsForGood ? null : (valid ?? known);
  if (standing === null) refuseStanding(campaign, input);
  const { remind, overdue, escalate } = input;
  refuseUndue(campaign, input);
  // For its rules; which of the two due times it has does not matter to them.
  const schedule = readSchedule(
    { within: [dayMs], remind, overdue, escalate, hasLead: false },
    { nowMs, timeZone: campaign.timeZone },
  );
  return {
    ...(complete && { completeWhen: complete }),
    ...((countsForGood || valid) && { validity }),
    ...(standing && changedDays(standing, input, validity)),
    ...(remind && { remindBeforeMs: schedule.remindBeforeMs }),
    ...(overdue && { overdueEveryMs: schedule.overdueEveryMs }),
    ...(escalate && { escalateAfterMs: schedule.escalateAfterMs }),
  };
}

/** Where a pass counts for a shorter time than it was to be renewed before, it is renewed as usual. */
function changedDays(
  { withinDays, renewDays, holidays }: StandingRule,
  { within = [withinDays * dayMs], renew }: ChangeInput,
  validity: Rule['validity'],
): Pick<RuleChange, 'standing'> {
  const changed = readStanding({ within, renew }, { validity, holidays: new Set(holidays) });
  const kept = renewDays > longestRenewal(validity) ? usualRenewDaysOf(validity) : renewDays;
  const wanted = renew === undefined ? kept : (changed?.renewDays ?? kept);
  const days = {
    ...(changed?.withinDays !== withinDays && { withinDays: changed?.withinDays ?? withinDays }),
    ...(wanted !== renewDays && { renewDays: wanted }),
  };
  return Object.keys(days).length === 0 ? {} : { standing: days };
}

function refuseStanding({ quiz }: Campaign, { within, renew }: ChangeInput): void {
  const field = within === undefined ? 'renew' : 'within';
  if ((within ?? renew) === undefined) return;
  throw new InvalidInputError(
    field,
    say`The campaign for ${named(quiz.name)} is one round, with one due time for everyone. For each person’s own, start an ongoing campaign: /quiz-campaign start with within 14d.`,
  );
}

function refuseUndue({ rule, leads }: Campaign, { remind, overdue, escalate }: ChangeInput): void {
  const [field] = Object.entries({ remind, overdue, escalate }).find(([, times]) => times?.length) ?? [];
  if (field !== undefined && rule.standing === null && rule.dueAt === null)
    throw new InvalidInputError(
      field,
      say`Reminders and escalations need a due time. Give it one first: /quiz-campaign extend.`,
    );
  if (escalate?.length && leads.length === 0)
    throw new InvalidInputError(
      'escalate',
      say`Nobody leads this campaign who could get the names. Hand it over first: /quiz-campaign hand-over.`,
    );
}

/** Gives people more time, or less. Everybody who still has to take the quiz gets one message about it. */
export const extendCampaign = defineOperation({
  name: 'extend-campaign',
  command: '/quiz-campaign extend <campaign> to <time>',
  synonyms: ['postpone', 'prolong'],
  summary: 'Give people more time, or less: 20 dec 17:00, friday, 1 week more',
  isCommon: true,
  buttons: {
    campaign: [
      {
        label: 'Extend…',
        in: ['list', 'page'],
        position: 3,
        opens: 'form',
        when: ({ endedAt, rule }) => endedAt === null && rule.standing === null,
      },
    ],
  },
  ...ofCampaign,
  submit: 'Extend',
  fields: {
    campaign: campaignField,
    time: {
      kind: 'text',
      label: 'New due time',
      hint: 'For example 20 dec 17:00, friday, or 1 week: a week later than it’s due now. A day alone is due at 17:00',
      maxLength: 60,
      isTime: true,
      clause: { words: ['to'], example: say`to 15 dec 17:00` },
    },
    was: { kind: 'text', label: 'Due time before', maxLength: 60, isTime: true, optional: true, typedOnly: true },
  },
  /** An Undo can be pressed after others have moved it, too. */
  confirm: ({ campaign, time, was }) =>
    was === undefined || was === typedDue(campaign.rule.dueAt)
      ? undefined
      : {
          question: movedMessage(campaign),
          label: say`Move it back`,
          input: { campaign: [campaign.id], time: [time], was: [typedDue(campaign.rule.dueAt)] },
        },
  action: ({ campaign }) => say`move the due time of the campaign for ${named(campaign.quiz.name)}`,
  /** On the clock of the campaign: a “friday” can be another moment for who approves. */
  effect(context, input) {
    const nowMs = context.now();
    const { timeZone } = input.campaign;
    const dueAt = newDueOf(input, { nowMs, timeZone: zoneOf(context) });
    return dueAt === null
      ? say`It would have no due time.`
      : say`It would be due ${momentInWords(dueAt, { nowMs, timeZone, zone: zoneWords(timeZone) })}.`;
  },
  async run(context, input) {
    const setting = { nowMs: context.now(), timeZone: zoneOf(context) };
    const { campaign } = input;
    const { rule } = campaign;
    if (rule.standing !== null)
      throw new InvalidInputError(
        'campaign',
        say`In the campaign for ${named(campaign.quiz.name)}, each person has a due time of their own, so there is none to move. Excuse someone until a later time instead.`,
      );
    const dueAt = newDueOf(input, setting);
    const next = [viewStep(campaign.id)];
    if (dueAt === rule.dueAt)
      return unchanged(
        dueAt === null
          ? say`The campaign for ${named(campaign.quiz.name)} has no due time. Nothing changed.`
          : say`The campaign for ${named(campaign.quiz.name)} is due ${momentInWords(dueAt, setting)} already. Nothing changed.`,
        next,
      );
    await context.campaigns.put(campaign.id, {
      kind: 'rule',
      change: { dueAt, endsAt: dueAt && endOf(dueAt, rule.escalateAfterMs) },
      at: setting.nowMs,
    });
    const told = openPeople(campaign, setting.nowMs).filter(
      ({ member, obligation }) =>
        whyUnreached(member) === undefined &&
        otherDueTime(member, { ...obligation, dueAt: dueAt ?? undefined }) !== undefined,
    ).length;
    return made(extendedMessage(campaign, dueAt === null ? undefined : momentInWords(dueAt, setting), told), [
      undoStep(campaign, dueAt),
      ...next,
    ]);
  },
});

/** The due time that somebody typed, or that an Undo puts back: that can be over, unless the campaign would be, too. */
function newDueOf(
  { campaign: { rule }, time, was }: { campaign: Campaign; time: string; was?: string | undefined },
  setting: TimeSetting,
): number | null {
  const before = was === undefined ? undefined : instantOf(time);
  return before !== undefined && endOf(before, rule.escalateAfterMs) > setting.nowMs
    ? before
    : readNewDue(time, rule.dueAt, setting);
}

function undoStep({ id, rule }: Campaign, dueAt: number | null): Step {
  return runStep(say`Undo`, extendCampaign, { campaign: [id], time: [typedDue(rule.dueAt)], was: [typedDue(dueAt)] });
}

/** A due time as a button types it. */
function typedDue(dueAt: number | null): string {
  return dueAt === null ? 'none' : new Date(dueAt).toISOString();
}

/** Asks whether to move a due time back that is another one than the button knows. */
export function movedMessage({ quiz, rule: { dueAt } }: Pick<Campaign, 'quiz' | 'rule'>): string {
  return dueAt === null
    ? say`The due time of the campaign for ${named(quiz.name)} was removed since then. Set the earlier one all the same?`
    : say`The due time of the campaign for ${named(quiz.name)} was moved to ${moment(dueAt)} since then. Move it back all the same?`;
}

/**
 * @param due in words, such as “Tue 15 Dec, 17:00”; undefined for no due time
 * @param told how many people get a message about it
 */
export function extendedMessage({ quiz }: Pick<Campaign, 'quiz'>, due: string | undefined, told: number): string {
  const changed =
    due === undefined
      ? say`Removed the due time of the campaign for ${named(quiz.name)}.`
      : say`Moved the due time of the campaign for ${named(quiz.name)} to ${due}.`;
  return sentences([
    changed,
    told > 0 && say`${peopleWords(told)} will get a message about it in their working hours.`,
  ]);
}
