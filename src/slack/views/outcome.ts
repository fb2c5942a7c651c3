import type { KnownBlock } from '@slack/types';
import { say, amount, countOf, asSaid, isBlank, shortName } from '../../domain/said.ts';
import { fullName } from '../../directory/names.ts';
import type { ExecutionResult } from '../../governance/perform/execute.ts';
import { operationNamed } from '../../operations/catalog.ts';
import type { Operation, Confirmation } from '../../operations/operation.ts';
import { type TextInput, confirmationField, goneOrUnseen, isOpaqueId } from '../../operations/text-input.ts';
import { pageIn, formStep, replaceStep, type Page, type Step, type DoneResult } from '../../operations/page.ts';
import { askedPage, needsReason } from '../../features/administration/pages/requests.ts';
import { drawPage } from './blocks/page.ts';
import { typedCommand } from './help.ts';
import {
  textMessage,
  type Message,
  shownLabel,
  context,
  section,
  plain,
  stepButtons,
  buttonRow,
  operationButton,
} from './blocks/message.ts';
import { passwordOfferBlocks } from './users/password.ts';
import type { ResolvedInput } from '../../governance/perform/meaning.ts';
import { mentionsInWords } from '../../operations/typed-text.ts';

/** Every outcome of `execute` that has a message; an incomplete input opens a form instead. */
export type ShownOutcome = Exclude<ExecutionResult, { kind: 'incomplete' }>;

/** The answer to a command, a form or a click. */
export function outcomeMessage(operation: Operation, raw: TextInput, outcome: ShownOutcome): Message {
  switch (outcome.kind) {
    case 'done': {
      const { result, offered } = outcome;
      return result.kind === 'done' ? doneMessage(result, offered) : drawPage(pageIn(result), { offered });
    }
    case 'requested':
      return drawPage(askedPage(outcome.request));
    case 'unconfirmed':
      return confirmationMessage(operation, outcome);
    case 'unexplained':
      return unexplainedMessage(operation, outcome.input);
    case 'refused':
      return textMessage('🚫', outcome.message);
    case 'failed':
    case 'invalid':
      return textMessage('⚠️', outcome.message);
    case 'warned':
      return warningMessage(operation, outcome);
    case 'unclear':
      return drawPage(choicePage(operation, raw, outcome));
  }
}

const nextStepsAtMost = 3;

/**
 * Confirms a change, or says that there was none, with buttons for what the person may do next. What a button shows goes beside the
 * confirmation; what it changes goes in its place, so that nobody clicks it twice.
 */
export function doneMessage(
  { message, problems = [], passwordOf, next = [], isNoChange }: DoneResult,
  offered: ReadonlySet<string>,
): Message {
  const steps = next
    .filter((step) => offered.has(step.operation))
    .slice(0, nextStepsAtMost)
    .map((step): Step => ({
      ...step,
      opens: step.opens ?? (operationNamed(step.operation)?.access === 'read' ? undefined : 'replace'),
    }));
  const icon = isNoChange ? 'ℹ️' : '✅';
  const page: Page = {
    heading: say`${icon} ${message}`,
    parts: [{ lines: problems.map((problem) => say`⚠️ ${problem}`) }],
    steps,
  };
  const drawn = drawPage(page);
  const offer = passwordOf && passwordOfferBlocks({ userId: passwordOf.user.user_id, name: fullName(passwordOf.user) });
  return { ...drawn, blocks: [...drawn.blocks, ...(offer ?? [])] };
}

/** Asks for the reason of a change that needs approval. */
function unexplainedMessage(operation: Operation, input: TextInput): Message {
  const step: Step = { ...formStep(say`Give a reason`, operation, input), style: 'primary' };
  const notes = stepButtons([step]).length > 0 ? [] : [useForm(operation)];
  return drawPage({ heading: say`🙋 ${needsReason}`, steps: [step], notes });
}

type Unclear = Extract<ResolvedInput, { kind: 'unclear' }>;
type Noun = Unclear['noun'];

/** Buttons for the things that a name matches. */
const choicesAtMost = 10;

interface NounWords {
  /** That nothing is called so. */
  none: (name: string) => string;
  /** Where all of them are listed. */
  all: string;
  count: (count: number) => string;
  isItThis: (name: string) => string;
}

const words: Record<Exclude<Noun, 'subscription' | 'meaning'>, NounWords> = {
  quiz: {
    none: (name) => say`No quiz is called “${name}”.`,
    all: say`See all quizzes: \`/quiz list\``,
    count: (count) => countOf(count, 'quiz', 'quizzes'),
    isItThis: (name) => say`“${name}” is part of 1 name. Is this the quiz you mean?`,
  },
  user: {
    none: (name) => say`No user is called “${name}”.`,
    all: say`See all users: \`/quiz-user list\``,
    count: (count) => countOf(count, 'user', 'users'),
    isItThis: (name) => say`“${name}” is part of 1 name. Is this the user you mean?`,
  },
  group: {
    none: (name) => say`No group is called “${name}”.`,
    all: say`See all groups: \`/quiz-group list\``,
    count: (count) => countOf(count, 'group', 'groups'),
    isItThis: (name) => say`“${name}” is part of 1 name. Is this the group you mean?`,
  },
  'user or group': {
    none: (name) => say`No user or group is called “${name}”.`,
    all: say`See all users and groups: \`/quiz-user list\`, \`/quiz-group list\``,
    count: (count) => say`${amount(count)} users and groups`,
    isItThis: (name) => say`“${name}” is part of 1 name. Is this the user or group you mean?`,
  },
  attempt: {
    none: (name) => say`No attempt is called “${name}”.`,
    all: say`See all attempts: \`/quiz results\``,
    count: (count) => countOf(count, 'attempt', 'attempts'),
    isItThis: (name) => say`“${name}” is part of 1 name. Is this the attempt you mean?`,
  },
  campaign: {
    none: (name) => say`No campaign is called “${name}”.`,
    all: say`See all campaigns: \`/quiz-campaign list\``,
    count: (count) => countOf(count, 'campaign', 'campaigns'),
    isItThis: (name) => say`“${name}” is part of 1 name. Is this the campaign you mean?`,
  },
};

/** The things that a name could have meant, as buttons. A click runs the operation with one, as if it had been typed. */
export function choicePage(operation: Operation, raw: TextInput, unclear: Unclear): Page {
  const { candidates, field, index } = unclear;
  const typed = unclear.input ?? raw;
  const given = typed[field] ?? [];
  return {
    heading: choiceQuestion(operation, unclear),
    steps: candidates.slice(0, choicesAtMost).map(({ label, value, input }) =>
      replaceStep(
        input ? label : isBlank(label) ? say`Unnamed` : say`${shownLabel(label)}`,
        operation,
        input ?? {
          ...typed,
          [field]: given.length > index ? given.with(index, value) : [...given, value],
        },
      ),
    ),
  };
}

function choiceQuestion(operation: Operation, unclear: Unclear): string {
  const { typed, noun, candidates, count, isAlike, strange } = unclear;
  const name = shortName(mentionsInWords(typed));
  if (noun === 'subscription')
    return count === 1
      ? say`“${name}” is this one in the list now. Is this the subscription you mean?`
      : say`Several subscriptions match. Which one?`;
  if (noun === 'meaning') return say`“${name}” can mean two things. Which one?`;
  const { none, all, count: counted, isItThis } = words[noun];
  if (strange !== undefined)
    return say`I don’t know what “${shortName(mentionsInWords(strange))}” means here. Nothing changed. Type it like \`${typedCommand(operation)}\``;
  if (candidates.length === 0) return say`${isOpaqueId(typed) ? goneOrUnseen : none(name)} ${all}`;
  if (!isAlike)
    return candidates.length === 1
      ? say`${none(name)} ${say`Did you mean this one?`}`
      : say`${none(name)} ${say`Did you mean one of these?`}`;
  if (count === 1) return isItThis(name);
  return count <= choicesAtMost
    ? say`“${name}” matches ${counted(count)}. Which one?`
    : say`“${name}” matches ${counted(count)}. Choose one of these, or type more of the name.`;
}

/** Says what can go wrong, with a button that goes on, and one for the form. Where the input is too long for a button, the form goes on. */
export function warningMessage(
  operation: Operation,
  { message, input, confirmation }: Extract<ExecutionResult, { kind: 'warned' }>,
): Message {
  const said = textMessage('⚠️', message);
  const button = operationButton('confirmed', {
    text: say`${asSaid(operation.submit)} anyway`,
    doing: 'replace',
    operation,
    raw: { ...input, [confirmationField]: [confirmation] },
  });
  const instead = button.length === 0 ? [context(useForm(operation))] : [];
  const change = stepButtons([formStep(say`Change…`, operation, input)]);
  return { ...said, blocks: [...said.blocks, ...buttonRow([...button, ...change]), ...instead] };
}

/** Where a line has more than a button can hold. */
function useForm({ command }: Operation): string {
  return say`To go on, use the form: \`${asSaid(command.split(' ').slice(0, 2).join(' '))}\``;
}

/** The action id of every button that drops a question. */
export const cancelActionId = 'cancel';

/** A question before a change, with a button that makes it. */
export function confirmationMessage(operation: Operation, { question, label, input }: Confirmation): Message {
  const yes = operationButton('confirmed', { text: label, doing: 'replace', operation, raw: input, style: 'primary' });
  const no = { type: 'button', action_id: cancelActionId, text: plain(say`Cancel`) } as const;
  const below: KnownBlock =
    yes.length === 0
      ? context(
          say`That’s too many for one button in Slack. Put them in a group of the quiz account, and use the group.`,
        )
      : { type: 'actions', elements: [...yes, no] };
  return { text: question, blocks: [section(question), below] };
}
