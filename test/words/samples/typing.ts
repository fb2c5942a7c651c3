import { say, asSaid, capitalized, joinSaid } from '../../../src/domain/said.ts';
import { choicePage, confirmationMessage } from '../../../src/slack/views/outcome.ts';
import { actionOf, inputs } from '../../support/builders/changes.ts';
import { subscription } from '../../support/builders/alerts.ts';
import { subscriptionWords } from '../../../src/operations/fields/subscription.ts';
import { InvalidInputError } from '../../../src/operations/text-input.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import type { ResolvedInput } from '../../../src/governance/perform/meaning.ts';
import { readPauseEnd } from '../../../src/features/alerts/operations/pause-and-resume.ts';
import { readDelivery } from '../../../src/features/alerts/operations/spec.ts';
import { parseAuditFilter } from '../../../src/features/administration/show-audit.ts';
import { filterWords } from '../../../src/features/results/filter.ts';
import { readPeriod } from '../../../src/operations/fields/period.ts';
import { typedFilter } from '../../support/parse-line.ts';
import { membersQuestion } from '../../../src/features/quizzes/assign-and-unassign.ts';
import { addingQuestion } from '../../../src/features/campaigns/operations/add.ts';
import { peopleWords } from '../../../src/features/campaigns/pages/words.ts';
import { tooMany } from '../../../src/operations/fields/mentioned-members.ts';
import { commandAndVerb, isTyped } from '../../../src/operations/line/line.ts';
import {
  formOfferPage,
  groupsInServicePage,
  helpMessage,
  leaverPage,
  notUnderstood,
  shortHelpPage,
  suggestedLinesMessage,
  unknownClause,
} from '../../../src/slack/views/help.ts';
import { textMessage, type Message } from '../../../src/slack/views/blocks/message.ts';
import { quizUser } from '../../support/builders/users.ts';
import { drawn } from '../../support/as-sent.ts';
import type { Samples } from '../collect.ts';
import { askedByMessage } from '../../../src/slack/assistant.ts';
import { madePage, tokensPage } from '../../../src/features/agents/operations/agent-tokens.ts';
import { closeQuiz } from '../../../src/features/quizzes/open-and-close.ts';
import { deleteQuiz } from '../../../src/features/quizzes/make-and-delete.ts';

type Unclear = Extract<ResolvedInput, { kind: 'unclear' }>;

/** A Sunday. */
const setting = { nowMs: Date.parse('2026-11-22T10:15:00Z'), timeZone: 'Europe/Berlin' };
const ofCommand = (command: string) =>
  catalog.filter((operation) => isTyped(operation) && commandAndVerb(operation).command === command);

function choice(name: string, unclear: Partial<Unclear> & Pick<Unclear, 'typed' | 'noun' | 'candidates'>): Message {
  const complete: Unclear = {
    kind: 'unclear',
    field: 'quiz',
    index: 0,
    count: unclear.candidates.length,
    isAlike: false,
    ...unclear,
  };
  return drawn(choicePage(operationNamed(name)!, {}, complete));
}

const named = (...labels: string[]) => labels.map((label) => ({ label, value: label }));

/** What a person reads when their words are refused. */
function refused(work: () => unknown): Message {
  try {
    work();
  } catch (error) {
    if (error instanceof InvalidInputError) return textMessage('⚠️', error.message);
    throw error;
  }
  throw new Error('nothing was refused');
}

const people = (count: number) => Array.from({ length: count }, (_, index) => quizUser({ user_id: `u-${index}` }));
const quiz = { name: 'Food hygiene' };
const training = { name: '#training', users: people(14), withoutUser: ['Zoe Park', 'Kim Doe', 'Ana Ruiz'] };
const everyone = { name: say`the quiz account`, users: people(74), withoutUser: [] };
const kitchen = { name: '@kitchen-team', users: people(1), withoutUser: ['Zoe Park'] };
const question = (change: Parameters<typeof membersQuestion>[0], operation = 'assign-quiz') =>
  confirmationMessage(operationNamed(operation)!, {
    ...membersQuestion(change, operation === 'assign-quiz' ? 'assign' : 'unassign'),
    input: { quiz: ['q-1'], to: ['users:u-1 u-2'] },
  });

const token = { name: 'my editor', createdAt: Date.UTC(2026, 10, 1), expiresAt: Date.UTC(2026, 11, 1) };
const deletion = confirmationMessage(deleteQuiz, {
  question: say`An agent wants to ${actionOf('delete-quiz', { quiz: { name: 'Food hygiene' } })}.`,
  label: deleteQuiz.submit,
  input: {},
});

const agents: Samples = {
  '/quiz-admin token my editor': drawn(madePage({ secret: 'inv_T1_U1_x', ...token })),
  'A message to the bot that means a change': confirmationMessage(closeQuiz, {
    question: say`Nothing has changed yet. Press the button to ${actionOf('close-quiz', { quiz: { name: 'Food hygiene' } })}.`,
    label: closeQuiz.submit,
    input: {},
  }),
  '/quiz-admin tokens': drawn(tokensPage([token])),
  '/quiz-admin tokens without one': drawn(tokensPage([])),
  'Slackbot asks for what a person has to press': askedByMessage(deletion, undefined),
  'An agent with a token asks for what a person has to press': askedByMessage(deletion, 'my editor'),
};

export const samples: Samples = {
  '`/quiz lst`': suggestedLinesMessage('/quiz lst', [{ command: '/quiz', text: 'list', shown: asSaid('/quiz list') }]),
  '`/quiz-campaign start data for kitchen remind banana`': textMessage(
    '⚠️',
    unknownClause({ typed: 'remind banana', example: 'remind 7d, 1d' }),
  ),
  '“delete user rosa”, in a message to the bot': drawn(
    formOfferPage(operationNamed('delete-user')!, { user: ['rosa'] }),
  ),
  '`/quiz suspend rosa`': suggestedLinesMessage('/quiz suspend', [
    {
      command: '/quiz-user',
      text: 'suspend rosa',
      shown: joinSaid([asSaid('/quiz-user suspend'), 'rosa'], ' '),
      change: capitalized(actionOf('suspend-user', { user: inputs.rosa })),
    },
  ]),
  '`/quiz-user assign food to rosa`': suggestedLinesMessage('/quiz-user assign', [
    { command: '/quiz', text: 'assign food to rosa', shown: joinSaid([asSaid('/quiz assign'), 'food to rosa'], ' ') },
    {
      command: '/quiz-group',
      text: 'assign food to rosa',
      shown: joinSaid([asSaid('/quiz-group assign'), 'food to rosa'], ' '),
    },
  ]),
  '`/quiz assign food to rosa by friday`': suggestedLinesMessage(
    '/quiz assign',
    [
      {
        command: '/quiz-campaign',
        text: 'start food to rosa by friday',
        shown: joinSaid([asSaid('/quiz-campaign start'), 'food to rosa by friday'], ' '),
      },
    ],
    { isKnown: true },
  ),
  '`/quiz wobble`': helpMessage('/quiz', ofCommand('/quiz'), { isWhole: false, unknownVerb: 'wobble' }),
  ...Object.fromEntries(
    ['/quiz', '/quiz-user', '/quiz-group', '/quiz-alerts', '/quiz-admin'].map((command) => [
      `\`${command} help\``,
      helpMessage(command, ofCommand(command), { isWhole: false }),
    ]),
  ),
  '`/quiz help all`': helpMessage('/quiz', ofCommand('/quiz'), { isWhole: true }),
  'A name matches two quizzes': choice('show-quiz', {
    typed: 'fire',
    noun: 'quiz',
    candidates: named('Fire safety', 'Fire drill'),
    isAlike: true,
  }),
  '`/quiz close food tomorrow`': choice('close-quiz', {
    typed: 'food tomorrow',
    noun: 'quiz',
    candidates: [],
    isAlike: false,
    strange: 'tomorrow',
  }),
  'A name matches two users of the same name': choice('show-user', {
    typed: 'kim',
    noun: 'user',
    candidates: named('Kim Lee, Kitchen, kim.lee@quiz.example', 'Kim Lee, Warehouse, kim2@quiz.example'),
    isAlike: true,
  }),
  '`/quiz-campaign remind fire`, where a campaign and a group are called so': choice('remind-campaign', {
    typed: 'fire',
    noun: 'meaning',
    candidates: [
      {
        value: '',
        label: capitalized(actionOf('remind-campaign', { campaign: [{ quiz: { name: 'Fire safety' } }] })),
        input: { campaign: ['c-1'] },
      },
      {
        value: '',
        label: capitalized(actionOf('remind-campaign', { people: inputs.rosaAndKitchen.slice(1) })),
        input: { people: ['group:g-1'] },
      },
    ],
    isAlike: true,
  }),
  'A few letters of a name, for a change': choice('suspend-user', {
    typed: 'eid',
    noun: 'user',
    candidates: named('Rosa Almeida'),
    isAlike: true,
  }),
  'A name matches 40 users': choice('show-user', {
    typed: 'a',
    noun: 'user',
    candidates: named('Ada Okafor', 'Rosa Almeida'),
    count: 40,
    isAlike: true,
  }),
  'No quiz has the name, and one is near': choice('show-quiz', {
    typed: 'food higene',
    noun: 'quiz',
    candidates: named('Food hygiene'),
  }),
  'No quiz has the name, and none is near': choice('show-quiz', { typed: 'chess', noun: 'quiz', candidates: [] }),
  'No user or group has the name, and some are near': choice('assign-quiz', {
    field: 'to',
    typed: 'kitchn',
    noun: 'user or group',
    candidates: named('Chiara Lombardi', 'Kitchen'),
  }),
  'No user or group has the name, and none is near': choice('assign-quiz', {
    field: 'to',
    typed: 'xyzzy',
    noun: 'user or group',
    candidates: [],
  }),
  'A channel has several subscriptions': choice('unsubscribe-channel', {
    field: 'subscription',
    typed: '',
    noun: 'subscription',
    candidates: named(
      ...[subscription(), subscription({ quiz: { id: 'q-1', name: 'Fire safety' }, filter: { kind: 'failed' } })].map(
        subscriptionWords,
      ),
    ),
    isAlike: true,
  }),
  'A quiz is assigned to a channel': question({ quiz, members: [training], count: 14, hasGroups: false }),
  'A quiz is assigned to a user group with one person': question({
    quiz,
    members: [kitchen],
    count: 1,
    hasGroups: false,
  }),
  'A quiz is assigned to a channel, a user group and a group': question({
    quiz,
    members: [training, kitchen],
    count: 16,
    hasGroups: true,
  }),
  'A quiz is unassigned from a channel': question(
    { quiz, members: [{ ...training, withoutUser: [] }], count: 14, hasGroups: false },
    'unassign-quiz',
  ),
  '`/quiz-campaign add everyone to food`': confirmationMessage(operationNamed('add-to-campaign')!, {
    question: addingQuestion({ quiz: { id: 'q-food', ...quiz } }, [everyone]),
    label: say`Add ${peopleWords(71)}`,
    input: { people: ['everyone'] },
  }),
  'Somebody asks the bot for help': drawn(shortHelpPage()),
  'Somebody writes that a user has left': drawn(leaverPage(say`suspend ${'Ravi Banerjee'}`, ['u-ravi'])),
  'Somebody asks the bot to create a group': drawn(groupsInServicePage()),
  'The bot does not understand a message': notUnderstood(
    'the weather is lovely',
    textMessage('✅', say`Nothing needs you now`),
  ),
  'The channel has too many people': textMessage('⚠️', tooMany('#general')),
  'A filter asks for passed and failed': refused(() => typedFilter('passing failures')),
  'A filter mentions two people': refused(() => typedFilter('person:U1|ada person:U2|ben')),
  'A filter says since and no time': refused(() => typedFilter('since kitchen')),
  'A filter says since tomorrow': refused(() => readPeriod(['since tomorrow'], setting)),
  'A filter says since 3/4': refused(() => readPeriod(['since 3/4'], setting)),
  'A filter says since 30 feb': refused(() => readPeriod(['since 30 feb'], setting)),
  'A filter in words': filterWords(
    { outcome: 'failed', period: { since: '2026-11-15' }, person: 'Kitchen' },
    setting.nowMs,
  ),
  'A filter of the audit trail names a channel': refused(() =>
    parseAuditFilter('channel:C1', { ...setting, me: 'UADA' }),
  ),
  'A pause for an unknown time': refused(() => readPauseEnd('none', setting)),
  'A pause that is over': refused(() => readPauseEnd('until yesterday', setting)),
  'A pause for two years': refused(() => readPauseEnd('for 800d', setting)),
  'A digest at an unknown time': refused(() => readDelivery('daily', '25:00')),
  ...agents,
};
