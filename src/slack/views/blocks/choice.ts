import { isBlank } from '../../../domain/name-or-id.ts';
import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { ResolvedInput } from '../../../governance/perform/resolve-input.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { TextInput } from '../../../operations/text-input.ts';
import { mentionsInWords } from '../../../operations/typed-text.ts';
import type { Message } from './message.ts';
import { joinMrkdwn, md, plain, section, shortName, shownLabel, type Mrkdwn } from './mrkdwn.ts';

/** The action id of every button that runs an operation begins with this. */
export const choiceActionId = 'choose';

type Unclear = Extract<ResolvedInput, { kind: 'unclear' }>;
type Noun = Unclear['noun'];

/** Buttons for the things that a name matches. */
const choicesAtMost = 10;
/** Slack's limit for a button's value. */
const longestValue = 2_000;

const plurals: Record<Noun, string> = {
  quiz: 'quizzes',
  user: 'users',
  group: 'groups',
  'user or group': 'users and groups',
  subscription: 'subscriptions',
  attempt: 'attempts',
  campaign: 'campaigns',
};

const lists: Record<Noun, readonly Mrkdwn[]> = {
  quiz: [md`/quiz list`],
  user: [md`/quiz-user list`],
  group: [md`/quiz-group list`],
  'user or group': [md`/quiz-user list`, md`/quiz-group list`],
  subscription: [md`/quiz-alerts list`],
  attempt: [md`/quiz results`],
  campaign: [md`/quiz-campaign list`],
};

/** The things that a name could have meant, as buttons. A click runs the operation with one, as if it had been typed. */
export function choiceMessage(operation: Operation, raw: TextInput, unclear: Unclear): Message {
  const question = choiceQuestion(unclear);
  const blocks: KnownBlock[] = [section(question)];
  const buttons = choiceButtons(operation, unclear.input ?? raw, unclear);
  if (buttons.elements.length > 0) blocks.push(buttons);
  return { text: question.mrkdwn, blocks };
}

function choiceQuestion({ typed, noun, candidates, count, isAlike }: Unclear): Mrkdwn {
  const name = shortName(mentionsInWords(typed));
  if (noun === 'subscription') return md`Several subscriptions match. Which one?`;
  if (candidates.length === 0)
    return md`No ${noun} is called “${name}”. See all ${plurals[noun]}: ${joinMrkdwn(
      lists[noun].map((list) => md`\`${list}\``),
      ', ',
    )}`;
  if (!isAlike)
    return candidates.length === 1
      ? md`No ${noun} is called “${name}”. Did you mean this one?`
      : md`No ${noun} is called “${name}”. Did you mean one of these?`;
  if (count === 1) return md`“${name}” is part of 1 name. Is this the ${noun} you mean?`;
  if (count <= choicesAtMost) return md`“${name}” matches ${count} ${plurals[noun]}. Which one?`;
  return md`“${name}” matches ${count} ${plurals[noun]}. Choose one of these, or type more of the name.`;
}

function choiceButtons(operation: Operation, raw: TextInput, unclear: Unclear): ActionsBlock {
  const given = raw[unclear.field] ?? [];
  return {
    type: 'actions',
    elements: unclear.candidates
      .slice(0, choicesAtMost)
      .map(({ label, value }, index) => ({
        type: 'button' as const,
        action_id: `${choiceActionId}:${index}`,
        text: plain(isBlank(label) ? 'Unnamed' : shownLabel(label), 75),
        value: JSON.stringify({
          operation: operation.name,
          raw: {
            ...raw,
            [unclear.field]: given.length > unclear.index ? given.with(unclear.index, value) : [...given, value],
          },
        }),
      }))
      .filter((button) => button.value.length <= longestValue),
  };
}
