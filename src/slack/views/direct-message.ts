import { shownQuizName } from '../../operations/wording/shown-name.ts';
import { outcomeIcons } from '../../operations/wording/result-words.ts';
import type { Button, KnownBlock } from '@slack/types';
import type { Announcement } from '../../domain/announcement.ts';
import { say, joinSaid, asSaid, mention } from '../../domain/said.ts';
import { myQuizzes } from '../../features/quizzes/my-quizzes.ts';
import { linkButton, operationButton } from './blocks/buttons.ts';
import type { Message } from './blocks/message.ts';
import { context, section, plain } from './blocks/mrkdwn.ts';
import { earlierWords, figuresOf } from './alerts/submission.ts';

type Of<Kind extends Announcement['kind']> = Extract<Announcement, { kind: Kind }>;

/** The action IDs of the buttons that turn direct messages on and off. */
export const messagesActionIds = { off: 'direct-messages:off', on: 'direct-messages:on' } as const;

/** What **Stop these messages** does not stop. */
export const stillComing = say`Campaigns still write to you, unless they let people stop that.`;

/** A button that turns direct messages on or off for the person who clicks it. */
export function messagesButton(to: 'on' | 'off'): Button {
  return {
    type: 'button',
    action_id: messagesActionIds[to],
    text: plain(asSaid(to === 'off' ? say`Stop these messages` : say`Turn messages on`)),
  };
}

/** Says who assigned a quiz to the reader, with a link to take it where there is one. */
export function assignedMessage({ quizName, by, takeUrl }: Of<'assigned'>): Message {
  const buttons = [...takeButton(takeUrl), messagesButton('off')];
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
    messagesButton('off'),
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

/** The blocks of a direct message after its reader turned these messages on or off: the button does the opposite now. */
export function afterTurning(blocks: readonly KnownBlock[], to: 'on' | 'off'): KnownBlock[] {
  const isOwnNote = (block: KnownBlock) => block.block_id === noteBlockId;
  const swapped = blocks
    .filter((block) => !isOwnNote(block))
    .map((block): KnownBlock => {
      if (block.type !== 'actions') return block;
      const isTurning = (id: string | undefined) => id === messagesActionIds.on || id === messagesActionIds.off;
      // With a new ID, since Slack keeps the state of a block that keeps its ID.
      const { block_id: _, ...others } = block;
      return {
        ...others,
        elements: block.elements.map((element) =>
          isTurning(element.action_id) ? messagesButton(to === 'on' ? 'off' : 'on') : element,
        ),
      };
    });
  return [...swapped, { ...context(to === 'off' ? stopped : started), block_id: noteBlockId }];
}

const noteBlockId = 'messages-turned';
const stopped = say`You won’t get messages about quizzes you’re assigned and your results anymore. ${stillComing}`;
const started = say`You’ll get a message when someone assigns you a quiz, and when your result is in.`;
