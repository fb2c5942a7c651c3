import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { ResolvedInput } from '../../governance/resolve-input.ts';
import type { Operation } from '../../operations/operation.ts';
import type { TextInput } from '../../operations/text-input.ts';
import type { Message } from './message.ts';
import { md, plain, section, shortName, type Mrkdwn } from './mrkdwn.ts';

/** The action id of every button that runs an operation begins with this. */
export const choiceActionId = 'choose';

type Unclear = Extract<ResolvedInput, { kind: 'unclear' }>;

/** Buttons for the things that a name fits. */
const choicesAtMost = 10;
/** Slack's limit for a button's value. */
const longestValue = 2_000;

const lists = { quiz: '/quiz list', user: '/quiz-user list', group: '/quiz-group list', subscription: '/quiz-alerts list', attempt: '/quiz results' };

/** The things that a name could have meant, as buttons. A click runs the operation with one, as if it had been typed. */
export function choiceMessage(operation: Operation, raw: TextInput, unclear: Unclear): Message {
  const question = choiceQuestion(unclear);
  const blocks: KnownBlock[] = [section(question)];
  const buttons = choiceButtons(operation, raw, unclear);
  if (buttons.elements.length > 0) blocks.push(buttons);
  return { text: question.mrkdwn, blocks };
}

function choiceQuestion({ typed, noun, candidates, count, isAlike }: Unclear): Mrkdwn {
  const name = shortName(typed);
  if (noun === 'subscription') return md`Several alerts fit. Which ones?`;
  if (candidates.length === 0) return md`No ${noun} is called “${name}”. \`${lists[noun]}\` shows those there are.`;
  if (!isAlike) return md`No ${noun} is called “${name}”. Did you mean:`;
  if (count <= choicesAtMost) return md`“${name}” fits several ${plural[noun]}. Which one?`;
  return md`“${name}” fits ${count} ${plural[noun]}. Type more of the name, or choose one of these:`;
}

const plural = { quiz: 'quizzes', user: 'users', group: 'groups', subscription: 'alerts', attempt: 'attempts' };

function choiceButtons(operation: Operation, raw: TextInput, unclear: Unclear): ActionsBlock {
  const given = raw[unclear.field] ?? [];
  return {
    type: 'actions',
    elements: unclear.candidates
      .slice(0, choicesAtMost)
      .map(({ label, value }, index) => ({
        type: 'button' as const,
        action_id: `${choiceActionId}:${index}`,
        text: plain(shortName(label) || '(no name)', 75),
        value: JSON.stringify({ operation: operation.name, raw: { ...raw, [unclear.field]: given.length > unclear.index ? given.with(unclear.index, value) : [...given, value] } }),
      }))
      .filter((button) => button.value.length <= longestValue),
  };
}
