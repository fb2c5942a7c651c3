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
import type { Sample } from '../sample.ts';

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

export const samples: readonly Sample[] = [
  {
    when: '`/quiz lst`',
    shown: suggestedLinesMessage('/quiz lst', [{ command: '/quiz', text: 'list', shown: asSaid('/quiz list') }]),
  },
  {
    when: '`/quiz-campaign start data for kitchen remind banana`',
    shown: textMessage('⚠️', unknownClause({ typed: 'remind banana', example: 'remind 7d, 1d' })),
  },
  {
    when: '“delete user rosa”, in a message to the bot',
    shown: drawn(formOfferPage(operationNamed('delete-user')!, { user: ['rosa'] })),
  },
  {
    when: '`/quiz suspend rosa`',
    shown: suggestedLinesMessage('/quiz suspend', [
      {
        command: '/quiz-user',
        text: 'suspend rosa',
        shown: joinSaid([asSaid('/quiz-user suspend'), 'rosa'], ' '),
        change: capitalized(actionOf('suspend-user', { user: inputs.rosa })),
      },
    ]),
  },
  {
    when: '`/quiz-user assign food to rosa`',
    shown: suggestedLinesMessage('/quiz-user assign', [
      { command: '/quiz', text: 'assign food to rosa', shown: joinSaid([asSaid('/quiz assign'), 'food to rosa'], ' ') },
      {
        command: '/quiz-group',
        text: 'assign food to rosa',
        shown: joinSaid([asSaid('/quiz-group assign'), 'food to rosa'], ' '),
      },
    ]),
  },
  {
    when: '`/quiz assign food to rosa by friday`',
    shown: suggestedLinesMessage(
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
  },
  {
    when: '`/quiz wobble`',
    shown: helpMessage('/quiz', ofCommand('/quiz'), { isWhole: false, unknownVerb: 'wobble' }),
  },
  ...['/quiz', '/quiz-user', '/quiz-group', '/quiz-alerts', '/quiz-admin'].map((command): Sample => ({
    when: `\`${command} help\``,
    shown: helpMessage(command, ofCommand(command), { isWhole: false }),
  })),
  { when: '`/quiz help all`', shown: helpMessage('/quiz', ofCommand('/quiz'), { isWhole: true }) },
  {
    when: 'A name matches two quizzes',
    shown: choice('show-quiz', {
      typed: 'fire',
      noun: 'quiz',
      candidates: named('Fire safety', 'Fire drill'),
      isAlike: true,
    }),
  },
  {
    when: '`/quiz close food tomorrow`',
    shown: choice('close-quiz', {
      typed: 'food tomorrow',
      noun: 'quiz',
      candidates: [],
      isAlike: false,
      strange: 'tomorrow',
    }),
  },
  {
    when: 'A name matches two users of the same name',
    shown: choice('show-user', {
      typed: 'kim',
      noun: 'user',
      candidates: named('Kim Lee, Kitchen, kim.lee@quiz.example', 'Kim Lee, Warehouse, kim2@quiz.example'),
      isAlike: true,
    }),
  },
  {
    when: '`/quiz-campaign remind fire`, where a campaign and a group are called so',
    shown: choice('remind-campaign', {
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
  },
  {
    when: 'A few letters of a name, for a change',
    shown: choice('suspend-user', { typed: 'eid', noun: 'user', candidates: named('Rosa Almeida'), isAlike: true }),
  },
  {
    when: 'A name matches 40 users',
    shown: choice('show-user', {
      typed: 'a',
      noun: 'user',
      candidates: named('Ada Okafor', 'Rosa Almeida'),
      count: 40,
      isAlike: true,
    }),
  },
  {
    when: 'No quiz has the name, and one is near',
    shown: choice('show-quiz', { typed: 'food higene', noun: 'quiz', candidates: named('Food hygiene') }),
  },
  {
    when: 'No quiz has the name, and none is near',
    shown: choice('show-quiz', { typed: 'chess', noun: 'quiz', candidates: [] }),
  },
  {
    when: 'No user or group has the name, and some are near',
    shown: choice('assign-quiz', {
      field: 'to',
      typed: 'kitchn',
      noun: 'user or group',
      candidates: named('Chiara Lombardi', 'Kitchen'),
    }),
  },
  {
    when: 'No user or group has the name, and none is near',
    shown: choice('assign-quiz', { field: 'to', typed: 'xyzzy', noun: 'user or group', candidates: [] }),
  },
  {
    when: 'A channel has several subscriptions',
    shown: choice('unsubscribe-channel', {
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
  },
  {
    when: 'A quiz is assigned to a channel',
    shown: question({ quiz, members: [training], count: 14, hasGroups: false }),
  },
  {
    when: 'A quiz is assigned to a user group with one person',
    shown: question({ quiz, members: [kitchen], count: 1, hasGroups: false }),
  },
  {
    when: 'A quiz is assigned to a channel, a user group and a group',
    shown: question({ quiz, members: [training, kitchen], count: 16, hasGroups: true }),
  },
  {
    when: 'A quiz is unassigned from a channel',
    shown: question(
      { quiz, members: [{ ...training, withoutUser: [] }], count: 14, hasGroups: false },
      'unassign-quiz',
    ),
  },
  {
    when: '`/quiz-campaign add everyone to food`',
    shown: confirmationMessage(operationNamed('add-to-campaign')!, {
      question: addingQuestion({ quiz: { id: 'q-food', ...quiz } }, [everyone]),
      label: say`Add ${peopleWords(71)}`,
      input: { people: ['everyone'] },
    }),
  },
  { when: 'Somebody asks the bot for help', shown: drawn(shortHelpPage()) },
  {
    when: 'Somebody writes that a user has left',
    shown: drawn(leaverPage(say`suspend ${'Ravi Banerjee'}`, ['u-ravi'])),
  },
  { when: 'Somebody asks the bot to create a group', shown: drawn(groupsInServicePage()) },
  {
    when: 'The bot does not understand a message',
    shown: notUnderstood('the weather is lovely', textMessage('✅', say`Nothing needs you now`)),
  },
  { when: 'The channel has too many people', shown: textMessage('⚠️', tooMany('#general')) },
  { when: 'A filter asks for passed and failed', shown: refused(() => typedFilter('passing failures')) },
  { when: 'A filter mentions two people', shown: refused(() => typedFilter('person:U1|ada person:U2|ben')) },
  { when: 'A filter says since and no time', shown: refused(() => typedFilter('since kitchen')) },
  { when: 'A filter says since tomorrow', shown: refused(() => readPeriod(['since tomorrow'], setting)) },
  { when: 'A filter says since 3/4', shown: refused(() => readPeriod(['since 3/4'], setting)) },
  { when: 'A filter says since 30 feb', shown: refused(() => readPeriod(['since 30 feb'], setting)) },
  {
    when: 'A filter in words',
    shown: filterWords({ outcome: 'failed', period: { since: '2026-11-15' }, person: 'Kitchen' }, setting.nowMs),
  },
  {
    when: 'A filter of the audit trail names a channel',
    shown: refused(() => parseAuditFilter('channel:C1', { ...setting, me: 'UADA' })),
  },
  { when: 'A pause for an unknown time', shown: refused(() => readPauseEnd('none', setting)) },
  { when: 'A pause that is over', shown: refused(() => readPauseEnd('until yesterday', setting)) },
  { when: 'A pause for two years', shown: refused(() => readPauseEnd('for 800d', setting)) },
  { when: 'A digest at an unknown time', shown: refused(() => readDelivery('daily', '25:00')) },
];
