import type { Campaign, Rule, RuleChange } from '../../../domain/campaign.ts';
import { named } from '../../../domain/sentence.ts';
import { say } from '../../../domain/said.ts';
import { parseClauses } from '../../../operations/clauses/parse-clauses.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import { kindOf, type Value } from '../../../operations/fields/fields.ts';
import { defineOperation } from '../../../operations/operation.ts';
import { previewOf } from '../../../operations/plans/preview.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { campaignField } from './campaign-field.ts';
import { ruleChangePage } from '../pages/change.ts';
import { showsNames } from './plan.ts';
import { planChange } from './plan-change.ts';
import { plannedChange } from './planned.ts';
import { readChange } from './read-change.ts';
import { viewStep } from './list-and-show.ts';
import { refuseForeignBoard, startFields } from './start-campaign.ts';
import { durationsKind } from '../../../operations/fields/durations.ts';
import { validityKind } from '../../../operations/fields/validity.ts';

const { within, remind, overdue, escalate, board, complete, valid, renew } = startFields;

const fields = {
  campaign: { ...campaignField, hint: 'Fields that you leave empty stay as they are.' },
  within: { ...within, label: 'Due within, for each person', hint: 'For example 7d from when they join' },
  valid: { ...valid, hint: 'For example 12 months, or until 31 jan' },
  counts: {
    kind: 'flags',
    label: 'Or a pass counts',
    clause: { words: ['counts', 'count'], example: say`counts for good` },
    optional: true,
    options: [{ value: 'good', label: 'For good', also: ['for good', 'forever'] }],
  },
  renew: { ...renew, hint: 'For example 30d' },
  remind: { ...remind, hint: 'For example 7d, 1d, or none' },
  overdue: { ...overdue, hint: 'For example 1d, or none' },
  escalate: { ...escalate, hint: 'For example 3d after it’s due, or none' },
  complete: { ...complete, hint: 'What counts as done' },
  board,
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
  buttons: {
    campaign: [
      {
        label: 'Change…',
        in: ['page'],
        position: 4,
        opens: 'form',
        when: ({ endedAt }) => endedAt === null,
        input: ({ id }) => ({ campaign: [id] }),
      },
    ],
  },
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Preview',
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
    if (plannedChange.isEmpty(plan))
      return {
        kind: 'done',
        isNoChange: true,
        message: say`The campaign for ${named(campaign.quiz.name)} has these rules already. Nothing changed.`,
        next: [viewStep(campaign.id)],
      };
    const preview = await previewOf(context, plan, { operation: 'change-campaign', input: enteredIn(input) });
    return { ...preview, page: ruleChangePage(plan, preview) };
  },
});

/** A message that shows progress stays where it is. @throws {InvalidInputError} */
async function newBoard(
  context: OperationContext,
  { rule: { board: known }, quiz }: Campaign,
  channel: Channel,
): Promise<NonNullable<Rule['board']>> {
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

/** The input as texts, things by their IDs. */
function enteredIn(input: Readonly<Record<string, Value | undefined>>): TextInput {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const value = input[name];
      return value === undefined ? [] : [[name, kindOf(field).identify(value)] as const];
    }),
  );
}

const dayMs = 24 * 3_600_000;

/** A rule as `change` has it typed, which its form shows. */
export function inputOfRule(rule: Rule): TextInput {
  const { completeWhen, validity, standing, remindBeforeMs, overdueEveryMs, escalateAfterMs } = rule;
  const days = (count: number) => durationsKind.identify([count * dayMs]);
  const each = (ms: number | null) => durationsKind.identify(ms === null ? [] : [ms]);
  return {
    ...(standing && { within: days(standing.withinDays) }),
    complete: [completeWhen],
    ...(validity && { valid: validityKind.identify(validity) }),
    ...(standing && validity && { renew: days(standing.renewDays) }),
    remind: durationsKind.identify([...remindBeforeMs]),
    overdue: each(overdueEveryMs),
    escalate: each(escalateAfterMs),
  };
}
