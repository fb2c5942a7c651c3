import { say, sentences, named, namedList } from '../../../domain/said.ts';
import { given, InvalidInputError, type TextInput } from '../../../operations/text-input.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { previewOf } from '../../../operations/define-plan.ts';
import type { Channel } from '../../../operations/fields/channel.ts';
import { partId, type AudiencePart, partName } from '../../../operations/fields/people.ts';
import { kindOf, type Field, type Value } from '../../../operations/fields/fields.ts';
import { defineOperation, ofPreview } from '../../../operations/operation.ts';
import { parseMention } from '../../../operations/typed-text.ts';
import { assignmentWarning } from '../../quizzes/assignment-words.ts';
import { planCampaign } from './plan.ts';
import { parseClauses } from '../../../operations/clauses/parse-clauses.ts';
import { meansOneOf } from '../../../operations/other-words/meanings.ts';
import type { Campaign } from '../../../domain/campaign.ts';
import { personOf } from '../../../obligations/people.ts';
import { runningAmong, visibleCampaigns } from '../../../operations/fields/campaign.ts';
import { runStep, unchanged, type DoneResult } from '../../../operations/page.ts';
import { addToCampaign } from './add.ts';
import { withinWords } from '../pages/words.ts';
import { viewStep } from './list-and-show.ts';

/** The value of the flag in the input. */
const toManagers = 'managers';

/** Takes “manager” out of the leads: `escalate 2d to manager, @ada` means each person’s manager, and Ada for those without one. */
function withManagers({ lead, ...input }: TextInput): TextInput {
  const others = lead?.filter((text) => !isManagers(text)) ?? [];
  if (lead === undefined || others.length === lead.length) return { ...input, ...given({ lead }) };
  return { ...input, ...given({ managers: toManagers, lead: others }) };
}

function isManagers(text: string): boolean {
  if (meansOneOf(text, ['manager'])) return true;
  return /^(?:(?:the|their|his|her|each|every|everyone[’']s|each person[’']s|line) +)*managers?$/i.test(text.trim());
}

/** What people say of a campaign that stands. */
const standingFields = {
  within: {
    kind: 'durations',
    atMost: 1,
    label: 'Each person has it due within',
    hint: 'For example 14d, counted from the day they join',
    clause: { words: ['within'], example: say`within 14d` },
    optional: true,
  },
  valid: {
    kind: 'validity',
    label: 'How long a pass counts',
    hint: 'For example 12 months, or until 31 jan. Leave empty if it counts for good',
    clause: { words: ['valid', 'every'], example: say`valid 12 months` },
    optional: true,
  },
  renew: {
    kind: 'durations',
    atMost: 1,
    label: 'Asks again before a pass ends',
    hint: 'For example 30d, which is the default',
    clause: { words: ['renew'], example: say`renew 30d` },
    optional: true,
  },
} as const;

export const startFields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  to: {
    kind: 'audience',
    from: 'account',
    label: 'For whom: users and groups',
    clause: { words: ['for'], example: say`for Kitchen, @rosa` },
    optional: true,
  },
  people: { kind: 'audience', from: 'people', label: 'People in this workspace', isMore: true, optional: true },
  channels: { kind: 'audience', from: 'channels', label: 'Everyone in these channels', isMore: true, optional: true },
  except: {
    kind: 'audience',
    isMore: true,
    from: 'account',
    label: 'Except',
    hint: 'Users and groups who take no part',
    clause: { words: ['except', 'without'], example: say`except @rosa` },
    optional: true,
  },
  runs: {
    kind: 'choice',
    isMore: true,
    label: 'Kind of campaign',
    hint: 'Ongoing: each person has days of their own, until you end it',
    usual: 'round',
    optional: true,
    options: [
      { value: 'round', label: 'One round, one due time' },
      { value: 'standing', label: 'Ongoing, days per person' },
    ],
  },
  due: {
    kind: 'text',
    label: 'Due',
    hint: 'For example 15 dec 17:00, or friday. A day alone is due at 17:00',
    maxLength: 60,
    isTime: true,
    isPicked: true,
    clause: { words: ['due', 'by', 'until'], example: say`due 15 dec 17:00` },
    shownWhen: { field: 'runs', is: ['round'] },
    optional: true,
  },
  within: { ...standingFields.within, shownWhen: { field: 'runs', is: ['standing'] } },
  valid: { ...standingFields.valid, isMore: true },
  renew: { ...standingFields.renew, isMore: true, shownWhen: { field: 'runs', is: ['standing'] } },
  remind: {
    kind: 'durations',
    isMore: true,
    atMost: 10,
    label: 'Reminders before it’s due',
    hint: 'For example 7d, 1d, which is the default, or none',
    clause: { words: ['remind'], example: say`remind 7d, 1d` },
    optional: true,
  },
  overdue: {
    kind: 'durations',
    isMore: true,
    atMost: 1,
    label: 'Reminders after it’s due, every',
    hint: 'For example 1d. Leave empty for none',
    clause: { words: ['overdue'], example: say`overdue 1d` },
    optional: true,
  },
  escalate: {
    kind: 'durations',
    isMore: true,
    atMost: 1,
    label: 'Tell the lead who is missing, after',
    hint: 'For example 3d after it’s due. Leave empty to tell nobody',
    clause: { words: ['escalate'], filler: 'after', example: say`escalate 3d to @lead`, alone: '' },
    optional: true,
  },
  lead: {
    kind: 'users',
    isMore: true,
    label: 'Leads',
    hint: 'Leave empty if it’s you',
    byName: true,
    clause: { words: ['to'], example: say`to @lead`, after: 'escalate' },
    optional: true,
  },
  managers: {
    kind: 'flags',
    isMore: true,
    label: 'Managers',
    hint: 'As profiles name them. A manager gets the names of their own people, once a week',
    optional: true,
    options: [
      { value: toManagers, label: 'Tell each person’s manager, and the lead about the others', also: ['manager'] },
    ],
  },
  board: {
    kind: 'board',
    isMore: true,
    label: 'Channel that shows progress',
    hint: 'Invigilator must be a member: /invite @Invigilator',
    clause: { words: ['board'], example: say`board #training`, alone: 'here' },
    optional: true,
  },
  say: {
    kind: 'text',
    label: 'Your message',
    hint: 'Goes with the first message, in your name',
    clause: { words: ['say'], example: say`say “Please take it this week”` },
    maxLength: 300,
    optional: true,
  },
  complete: {
    kind: 'choice',
    isMore: true,
    label: 'Done when',
    hint: 'Leave empty for passed if the quiz is graded, otherwise submitted',
    clause: { words: ['complete'], filler: 'when', example: say`complete when passed` },
    optional: true,
    options: [
      { value: 'passed', label: 'Passed' },
      { value: 'submitted', label: 'Submitted' },
    ],
  },
} as const;

/** Every way to read what is typed after `start`, the likeliest first. “For food hygiene” alone can name the quiz, too. */
export function parseStartLine(line: string): [TextInput, ...TextInput[]] {
  const [first, ...others] = parseClauses(line, startFields, { subject: 'quiz', object: 'to', time: 'due' });
  const { quiz, to, ...rest } = first;
  const turned = quiz === undefined && to !== undefined ? [{ quiz: [to.join(', ')], ...rest }] : [];
  return [withManagers(first), ...others.map(withManagers), ...turned];
}

/** Works out what a campaign would do. It starts with a button on the answer. */
export const startCampaign = defineOperation({
  name: 'start-campaign',
  command:
    '/quiz-campaign start <quiz> for <to> [except …] [due 15 dec 17:00] [within 14d] [remind 7d, 1d] [overdue 1d] [escalate 3d to @lead] [board #channel] [complete when passed] [valid 12 months] [renew 30d] [say "…"]',
  synonyms: ['create', 'new', 'launch'],
  summary: 'Have people take a quiz by a due time, with reminders; shows what would happen first',
  hintForAgents:
    'Give people and groups in “to”, and leave out what the person didn’t say. Where people must pass within a time of joining, give “within” instead of “due”, and “every year” is “valid” 12 months. For one more person in a campaign that runs, there is add-to-campaign.',
  title: say`Start a campaign`,
  isCommon: true,
  buttons: { quiz: [{ label: 'Start a campaign…', in: ['page'], position: 3, opens: 'form' }] },
  ...ofPreview,
  right: 'edit_quizzes',
  fields: startFields,
  parse: parseStartLine,
  spread: (typed) => withKind(spreadAudience(typed)),
  check(chosen) {
    if (chosen.runs === 'standing' && chosen.within === undefined)
      throw new InvalidInputError('within', say`Say how long each person has, for example 14d.`);
    if (audienceOf(chosen).length === 0)
      throw new InvalidInputError('to', say`Choose who takes part: people, groups or channels.`);
  },
  async run(context, { to, people, channels, ...input }) {
    const { quiz, managers, board, complete } = input;
    const audience = audienceOf({ to, people, channels });
    const plan = await planCampaign(context, {
      ...input,
      to: audience,
      toManagers: managers?.includes(toManagers) ?? false,
      completeWhen: complete === 'passed' || complete === 'submitted' ? complete : undefined,
      words: input.say?.trim() || undefined,
    });
    const boardClosed = board && (await context.alerts.whyClosed(board.channel_id));
    if (board && boardClosed === undefined) await refuseForeignBoard(context, board);
    // People are named by their users, since the form has no other way to show them.
    const typed = spreadAudience({ ...enteredIn(startFields, input), to: audience.map(partId) });
    const entered = { operation: 'start-campaign', input: typed };
    return previewOf(context, plan, entered, { warning: assignmentWarning(quiz), boardClosed });
  },
});

/** A private channel can be named by its ID. Its board is for the people in it to start. @throws {InvalidInputError} */
export async function refuseForeignBoard(
  { actor, membersOf }: OperationContext,
  { channel_id: id, channel_name: name }: Channel,
): Promise<void> {
  const members = await membersOf({ kind: 'channel', id, name }, actor.personId, { atMost: Infinity });
  if ('problem' in members) throw new InvalidInputError('board', members.problem);
}

function audienceOf(chosen: Partial<Record<'to' | 'people' | 'channels', AudiencePart[] | undefined>>): AudiencePart[] {
  return [...(chosen.to ?? []), ...(chosen.people ?? []), ...(chosen.channels ?? [])];
}

/** Puts channels that were typed into their own input of the form. */
function spreadAudience({ to = [], channels = [], ...typed }: TextInput): TextInput {
  const isChannel = (text: string) => parseMention(text)?.kind === 'channel';
  const [own, others] = [[...channels, ...to.filter(isChannel)], to.filter((text) => !isChannel(text))];
  return { ...typed, ...given({ to: others, channels: own }) };
}

/** Chooses in the form what was typed: only a campaign that stands has it due within a time for each person. */
function withKind(typed: TextInput): TextInput {
  return typed['within'] !== undefined && typed['runs'] === undefined ? { ...typed, runs: ['standing'] } : typed;
}

/** The input as texts, things by their IDs. */
export function enteredIn(
  fields: Readonly<Record<string, Field>>,
  input: Readonly<Record<string, Value | undefined>>,
): TextInput {
  const entered = Object.entries(fields).flatMap(([name, field]) => {
    const value = input[name];
    return value === undefined ? [] : [[name, kindOf(field).identify(value)] as const];
  });
  return Object.fromEntries(entered);
}

const fields = {
  quiz: { kind: 'quiz', label: 'Quiz' },
  to: {
    kind: 'audience',
    from: 'account',
    label: 'Users and groups',
    clause: { words: ['for', 'from'], example: say`for Kitchen, @rosa` },
  },
  ...standingFields,
} as const;

/**
 * Works out how people come to have a quiz due: in the campaign that stands for it, as its own times have it, or else in a new
 * one. Both start with a button on the answer.
 */
export const requireQuiz = defineOperation({
  name: 'require-quiz',
  command: '/quiz-campaign require <quiz> for <to> [within 14d] [valid 12 months] [renew 30d]',
  summary: 'Have people pass a quiz and keep it valid: in its ongoing campaign, or in a new one; shows which first',
  title: say`Require a quiz`,
  ...ofPreview,
  right: 'edit_quizzes',
  fields,
  parse: (line) => parseClauses(line, fields, { subject: 'quiz', object: 'to' }),
  async run(context, { quiz, to, within, valid, renew }) {
    if (to.every(({ people }) => people.length === 0))
      throw new InvalidInputError(
        'to',
        say`Nobody who could take ${named(quiz.name)} is among them: they aren’t in the quiz account, or are suspended.`,
      );
    const campaign = await standingFor(context, quiz.quiz_id);
    if (campaign) return joining(campaign, to, context.now());
    if (within === undefined)
      throw new InvalidInputError(
        'within',
        say`There’s no ongoing campaign for ${named(quiz.name)} yet. Say how long each person has, for example within 14d.`,
      );
    const plan = await planCampaign(context, { quiz, to, within, renew, valid });
    const input = given({
      runs: 'standing',
      quiz: quiz.quiz_id,
      to: to.map(partId),
      within: kindOf(fields.within).identify(within),
      valid: valid && kindOf(fields.valid).identify(valid),
      renew: renew && kindOf(fields.renew).identify(renew),
    });
    const entered = { operation: startCampaign.name, input };
    return previewOf(context, { ...plan, isOnlyOne: true }, entered, { warning: assignmentWarning(quiz) });
  },
});

/** Of several, the one that has stood longest, so that everyone comes into the same. */
async function standingFor(context: OperationContext, quizId: string): Promise<Campaign | undefined> {
  const ofQuiz = (await visibleCampaigns(context)).filter(({ quiz }) => quiz.id === quizId);
  const standing = (await runningAmong(ofQuiz, context.campaigns)).filter(({ rule }) => rule.standing);
  return standing.toSorted((a, b) => a.startedAt - b.startedAt)[0];
}

/** What would become of people in a campaign that stands. */
export function joining(campaign: Campaign, to: readonly AudiencePart[], now: number): DoneResult {
  const known = new Map(campaign.members.map((member) => [member.userId, member]));
  const isSettled = (userId: string) => {
    const member = known.get(userId);
    return (
      member !== undefined && member.assignment !== 'failed' && personOf(member, campaign, now).state !== 'not required'
    );
  };
  const isIn = to.every(({ people }) => people.every(({ userId }) => isSettled(userId)));
  const add = runStep(say`Add`, addToCampaign, { people: to.map(partId), campaign: [campaign.id] });
  return unchanged(joiningMessage(campaign, to.map(partName), isIn), [...(isIn ? [] : [add]), viewStep(campaign.id)]);
}

/** @param names of the people and groups who were named */
export function joiningMessage(
  { quiz, rule: { standing } }: Campaign,
  names: readonly string[],
  isIn: boolean,
): string {
  if (isIn) {
    return say`${namedList(names)} ${names.length === 1 ? 'is' : 'are'} in the ongoing campaign for ${named(quiz.name)} already.`;
  }
  return sentences([
    say`There’s an ongoing campaign for ${named(quiz.name)}. Add ${namedList(names)} to it?`,
    standing !== null && say`They would have it due ${withinWords(standing)}.`,
  ]);
}
