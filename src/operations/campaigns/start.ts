import type { TextInput } from '../text-input.ts';
import type { CampaignPlan } from '../../domain/campaign.ts';
import type { Plan } from '../../domain/plan.ts';
import { zoneOf } from '../dates/person-zone.ts';
import { timeInWords } from '../dates/typed-time.ts';
import { InvalidInputError } from '../errors.ts';
import { partId, type AudiencePart } from '../fields/audience.ts';
import { kindOf, type Value } from '../fields/fields.ts';
import { refuseOld } from '../fields/plan.ts';
import { defineOperation } from '../operation.ts';
import type { OperationContext } from '../context.ts';
import { parseMention } from '../typed-text.ts';
import { actions } from '../wording/actions.ts';
import { outcomes } from '../wording/outcomes.ts';
import { proposals } from '../wording/proposals.ts';
import { assignmentWarning } from '../wording/warnings.ts';
import { forecastMessages } from './forecast.ts';
import { readPage } from '../page-number.ts';
import { planCampaign } from './plan.ts';
import { parseStartLine } from './start-line.ts';

const fields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  to: { kind: 'audience', from: 'account', label: 'Users and groups', optional: true },
  people: { kind: 'audience', from: 'people', label: 'People in this workspace', optional: true },
  channels: { kind: 'audience', from: 'channels', label: 'Everyone in these channels', optional: true },
  except: {
    kind: 'audience',
    from: 'account',
    label: 'Except',
    hint: 'Users and groups who take no part',
    optional: true,
  },
  due: {
    kind: 'text',
    label: 'Due',
    hint: 'For example 15 dec 17:00, or friday. A day alone is due at 17:00',
    maxLength: 60,
    optional: true,
  },
  remind: {
    kind: 'durations',
    atMost: 10,
    label: 'Reminders before it’s due',
    hint: 'For example 7d, 1d, which is the default, or none',
    optional: true,
  },
  overdue: {
    kind: 'durations',
    atMost: 1,
    label: 'Reminders after it’s due, every',
    hint: 'For example 1d. Leave empty for none',
    optional: true,
  },
  escalate: {
    kind: 'durations',
    atMost: 1,
    label: 'Tell the lead who is missing, after',
    hint: 'For example 3d after it’s due. Leave empty to tell nobody',
    optional: true,
  },
  lead: { kind: 'user', label: 'Lead', hint: 'Leave empty if it’s you', byName: true, optional: true },
  board: {
    kind: 'board',
    label: 'Channel that shows progress',
    hint: 'Invigilator must be a member: /invite @Invigilator',
    optional: true,
  },
  complete: {
    kind: 'choice',
    label: 'Done when',
    hint: 'Leave empty for passed if the quiz is graded, otherwise submitted',
    optional: true,
    options: [
      { value: 'passed', label: 'Passed' },
      { value: 'submitted', label: 'Submitted' },
    ],
  },
  repeat: {
    kind: 'flags',
    label: 'Repeat',
    optional: true,
    options: [{ value: 'yearly', label: 'Every year, for the same people' }],
  },
} as const;

/** Works out what a campaign would do. It starts with a button on the answer. */
export const startCampaign = defineOperation({
  name: 'start-campaign',
  command:
    '/quiz-campaign start <quiz> for <to> [except …] [due 15 dec 17:00] [remind 7d, 1d] [overdue 1d] [escalate 3d to @lead] [board #channel] [complete when passed] [repeat yearly]',
  summary: 'Have people take a quiz by a due time, with reminders; shows what would happen first',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Preview',
  fields,
  parse: parseStartLine,
  spread: spreadAudience,
  check(chosen) {
    if (audienceOf(chosen).length === 0)
      throw new InvalidInputError('to', 'Choose who takes part: people, groups or channels.');
  },
  async run(context, input) {
    const { quiz, except = [], due, remind, overdue, escalate, lead, board, complete, repeat } = input;
    const plan = await planCampaign(context, {
      quiz,
      to: audienceOf(input),
      except,
      due,
      remind,
      overdue,
      escalate,
      lead,
      board,
      completeWhen: complete === 'passed' || complete === 'submitted' ? complete : undefined,
      repeats: repeat?.includes('yearly') ? 'yearly' : null,
    });
    const entered = enteredIn(input);
    const id =
      plan.members.length === 0 ? undefined : await context.plans.add(context.actor.personId, { ...plan, entered });
    const boardCode = board && (await context.alerts.closedCode(board.channel_id));
    return { kind: 'campaign-plan', id, plan, entered, warning: assignmentWarning(quiz), boardCode };
  },
});

const planField = { kind: 'plan', of: 'campaign', label: 'Campaign' } as const;

/** Everyone a plan is about, for the person who made it and for administrators who decide on it. */
export const showPlan = defineOperation({
  name: 'show-plan',
  command: '/quiz-campaign preview <plan>',
  summary: 'Show everyone in the preview of a campaign',
  access: 'read',
  right: 'edit_quizzes',
  submit: 'Show',
  isTyped: false,
  fields: { plan: planField, page: { kind: 'text', label: 'Page', maxLength: 10, optional: true, typedOnly: true } },
  async run(_, { plan: { id, content }, page }) {
    return { kind: 'planned-people', id, plan: campaignIn(content), page: readPage(page) };
  },
});

export const runCampaign = defineOperation({
  name: 'run-campaign',
  command: '/quiz-campaign run <plan>',
  summary: 'Start a campaign as its preview shows it',
  access: 'write',
  right: 'edit_quizzes',
  submit: 'Start',
  isTyped: false,
  makesNew: true,
  fields: { plan: planField },
  action: actions['run-campaign'],
  effect: (_, input) => proposals['run-campaign'](input),
  plan: (context, { plan }) => refuseOld(plan, context.now()),
  async run(context, { plan: { id, personId, content } }) {
    const { plans, campaigns } = context;
    const plan = campaignIn(content);
    if (!(await plans.take(id)))
      throw new InvalidInputError('plan', 'This campaign was started already. /quiz-campaign list shows it.');
    // After an approval, the context is the reviewer’s.
    const campaign = await campaigns.start(plan, personId);
    return {
      kind: 'done',
      message: outcomes['run-campaign']({ plan, first: firstInWords(context, plan) }),
      next: [{ label: 'View campaign', operation: 'show-campaign', input: { campaign: [campaign.id] } }],
    };
  },
});

/** When the first messages go out, in words; undefined where nobody gets one. */
function firstInWords(context: OperationContext, { schedule, members }: CampaignPlan): string | undefined {
  const nowMs = context.now();
  const { firstMessagesAt } = forecastMessages(schedule, members, { nowMs, holidays: context.holidays });
  if (firstMessagesAt === null) return undefined;
  return firstMessagesAt <= nowMs ? 'now' : timeInWords(firstMessagesAt, { nowMs, timeZone: zoneOf(context) });
}

function campaignIn(content: Plan['content']): CampaignPlan {
  if (content.kind !== 'campaign') throw new InvalidInputError('plan', 'This isn’t the preview of a campaign.');
  return content;
}

interface ChosenAudience {
  to?: AudiencePart[] | undefined;
  people?: AudiencePart[] | undefined;
  channels?: AudiencePart[] | undefined;
}

function audienceOf({ to = [], people = [], channels = [] }: ChosenAudience): AudiencePart[] {
  return [...to, ...people, ...channels];
}

/** Puts channels that were typed into their own input of the form. */
function spreadAudience({ to = [], channels = [], ...typed }: TextInput): TextInput {
  const isChannel = (text: string) => parseMention(text)?.kind === 'channel';
  const [own, others] = [[...channels, ...to.filter(isChannel)], to.filter((text) => !isChannel(text))];
  return { ...typed, ...(others.length > 0 && { to: others }), ...(own.length > 0 && { channels: own }) };
}

/** The input as texts, things by their IDs. People are named by their users, since the form has no other way to show them. */
function enteredIn({
  to,
  people,
  channels,
  ...others
}: Readonly<Record<string, Value | undefined>> & ChosenAudience): TextInput {
  const given = Object.entries(fields).flatMap(([name, field]) => {
    const value = others[name];
    return value === undefined ? [] : [[name, kindOf(field).identify(value)] as const];
  });
  return spreadAudience({ ...Object.fromEntries(given), to: audienceOf({ to, people, channels }).map(partId) });
}
