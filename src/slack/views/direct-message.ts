import { shownQuizName } from '../../operations/wording/shown-name.ts';
import { outcomeIcons } from '../../operations/wording/result-words.ts';
import type { Button } from '@slack/types';
import type { Announcement } from '../../domain/announcement.ts';
import { say, joinSaid, mention } from '../../domain/said.ts';
import { messagesStep } from '../../features/administration/own-settings.ts';
import { myQuizzes } from '../../features/quizzes/my-quizzes.ts';
import { linkButton, operationButton } from './blocks/buttons.ts';
import type { Message } from './blocks/message.ts';
import { stepButtons } from './blocks/item-actions.ts';
import { section } from './blocks/mrkdwn.ts';
import { earlierWords, figuresOf } from './alerts/submission.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

/** Says who assigned a quiz to the reader, with a link to take it where there is one. */
export function assignedMessage({ quizName, by, takeUrl }: Of<'assigned'>): Message {
  const buttons = [...takeButton(takeUrl), ...stepButtons([messagesStep('off')])];
  return message(say`📝 ${mention(by)} assigned you *${shownQuizName(quizName)}*.`, buttons);
}

/** A link to take a quiz. Empty where the account has none configured. `name` is unique within the block. */
export function takeButton(takeUrl: string | undefined, name = 'take', text = say`Take quiz`): Button[] {
  return linkButton(name, text, takeUrl ?? null).map((button) => ({ ...button, style: 'primary' }));
}

/** Tells the reader how their own submission went. */
export function ownResultMessage({ submission, reportUrl, takeUrl }: Of<'own-result'>): Message {
  const buttons = [
    ...takeButton(takeUrl, 'take', say`Take again`),
    ...operationButton('mine', { text: say`View your result`, doing: 'beside', operation: myQuizzes, raw: {} }),
    ...linkButton('report', say`Open report`, reportUrl ?? null),
    ...stepButtons([messagesStep('off')]),
  ];
  return message(
    say`${outcomeIcons[submission.outcome]} ${joinSaid([...correctedSentence(submission), resultSentence(submission)], ' ')}`,
    buttons,
  );
}

/** What stands before the result where another one was told before. */
function correctedSentence(submission: Of<'own-result'>['submission']): string[] {
  const { corrects } = submission;
  if (corrects === undefined || earlierWords(corrects) === earlierWords(submission)) return [];
  return [
    corrects.outcome === 'unmarked' ? say`Your trainer marked your submission.` : say`Your result was corrected.`,
  ];
}

function resultSentence(submission: Of<'own-result'>['submission']): string {
  const quiz = say`*${shownQuizName(submission.quizName)}*`;
  const { score, attempt } = figuresOf(submission);
  const figures = [...score, ...attempt].join(', ');
  // Without a score, the attempt is a remark.
  const quizAndAttempt = joinSaid([quiz, ...attempt.map((words) => say`${words}`)], ', ');
  switch (submission.outcome) {
    case 'passed':
      return score.length > 0 ? say`You passed ${quiz} with ${figures}.` : say`You passed ${quizAndAttempt}.`;
    case 'failed':
      return score.length > 0 ? say`You didn’t pass ${quiz}: ${figures}.` : say`You didn’t pass ${quizAndAttempt}.`;
    case 'unmarked':
      return say`You submitted ${quiz}. Your trainer still has to mark it.`;
    case 'not graded':
      return say`You submitted ${quiz}. It isn’t graded.`;
  }
}

function message(sentence: string, elements: Button[]): Message {
  return { text: sentence, blocks: [section(sentence), { type: 'actions', elements }] };
}
