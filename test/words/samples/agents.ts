import { confirmationMessage } from '../../../src/slack/views/outcome.ts';
import { askedByMessage } from '../../../src/slack/assistant.ts';
import { actionOf } from '../../support/builders/changes.ts';
import { say } from '../../../src/domain/said.ts';
import { madePage, tokensPage } from '../../../src/features/agents/operations/agent-tokens.ts';
import { drawn } from '../../support/as-sent.ts';
import { closeQuiz } from '../../../src/features/quizzes/open-and-close.ts';
import { deleteQuiz } from '../../../src/features/quizzes/make-and-delete.ts';
import type { Sample } from '../sample.ts';

const token = { name: 'my editor', createdAt: Date.UTC(2026, 10, 1), expiresAt: Date.UTC(2026, 11, 1) };
const question = confirmationMessage(deleteQuiz, {
  question: say`An agent wants to ${actionOf('delete-quiz', { quiz: { name: 'Food hygiene' } })}.`,
  label: deleteQuiz.submit,
  input: {},
});

export const samples: readonly Sample[] = [
  {
    when: '/quiz-admin token my editor',
    shown: drawn(madePage({ secret: 'inv_T1_U1_x', ...token })),
  },
  {
    when: 'A message to the bot that means a change',
    shown: confirmationMessage(closeQuiz, {
      question: say`Nothing has changed yet. Press the button to ${actionOf('close-quiz', { quiz: { name: 'Food hygiene' } })}.`,
      label: closeQuiz.submit,
      input: {},
    }),
  },
  { when: '/quiz-admin tokens', shown: drawn(tokensPage([token])) },
  { when: '/quiz-admin tokens without one', shown: drawn(tokensPage([])) },
  { when: 'Slackbot asks for what a person has to press', shown: askedByMessage(question, undefined) },
  { when: 'An agent with a token asks for what a person has to press', shown: askedByMessage(question, 'my editor') },
];
