import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { Outcome } from '../../governance/execute.ts';
import type { RawInput } from '../../governance/read-input.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Result } from '../../operations/result.ts';
import type { Quiz } from '../../quiz-api/quizzes.ts';
import type { Message } from './message.ts';
import { md, plain, section, shortName, type Mrkdwn } from './mrkdwn.ts';
import { quizListMessage, quizMessage, statusWords } from './quizzes.ts';

/** Everything `execute` can answer that is shown; an incomplete input opens a form instead. */
export type ShownOutcome = Exclude<Outcome, { kind: 'incomplete' }>;

/** Every button that runs an operation has an action id that begins so. */
export const choiceActionId = 'choose';

/** Buttons offered where a name fits several quizzes. */
const choicesAtMost = 10;

/** What a person reads after a command. */
export function outcomeMessage(operation: Operation, raw: RawInput, outcome: ShownOutcome, timeZone: string): Message {
  switch (outcome.kind) {
    case 'done':
      return resultMessage(outcome.result, timeZone);
    case 'refused':
      return sentenceMessage('🚫', outcome.sentence);
    case 'failed':
      return sentenceMessage('⚠️', outcome.sentence);
    case 'invalid':
      return sentenceMessage('⚠️', outcome.sentence);
    case 'unclear':
      return choiceMessage(operation, raw, outcome);
  }
}

/** One sentence, in plain text. */
export function sentenceMessage(sign: string, sentence: string): Message {
  const text = md`${sign} ${shortName(sentence, 600)}`;
  return { text: text.mrkdwn, blocks: [section(text)] };
}

function resultMessage(result: Result, timeZone: string): Message {
  switch (result.kind) {
    case 'quizzes':
      return quizListMessage(result.quizzes, result.filter, timeZone);
    case 'quiz':
      return quizMessage(result.quiz, timeZone);
    case 'done':
      return sentenceMessage('✅', result.sentence);
  }
}

function choiceMessage(operation: Operation, raw: RawInput, unclear: Extract<Outcome, { kind: 'unclear' }>): Message {
  const question = choiceQuestion(unclear);
  const blocks: KnownBlock[] = [section(question)];
  const offered = unclear.quizzes.slice(0, choicesAtMost);
  if (offered.length > 0) blocks.push(choiceButtons(operation, raw, unclear.field, offered));
  return { text: question.mrkdwn, blocks };
}

function choiceQuestion({ typed, quizzes, alike }: Extract<Outcome, { kind: 'unclear' }>): Mrkdwn {
  const name = shortName(typed);
  if (quizzes.length === 0) return md`No quiz is called “${name}”. \`/quiz list\` shows those there are.`;
  if (!alike) return md`No quiz is called “${name}”. Did you mean:`;
  if (quizzes.length <= choicesAtMost) return md`“${name}” fits several quizzes. Which one?`;
  return md`“${name}” fits ${quizzes.length} quizzes. Type more of the name, or choose one of these:`;
}

function choiceButtons(operation: Operation, raw: RawInput, field: string, quizzes: readonly Quiz[]): ActionsBlock {
  return {
    type: 'actions',
    elements: quizzes.map((quiz, index) => ({
      type: 'button',
      action_id: `${choiceActionId}:${index}`,
      text: plain(`${statusWords[quiz.status].sign} ${shortName(quiz.name)}`, 75),
      value: JSON.stringify({ operation: operation.name, raw: { ...raw, [field]: quiz.quiz_id } }),
    })),
  };
}
