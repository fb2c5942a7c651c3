import { denialMessage } from '../../../src/governance/rights/rights.ts';
import { named, say } from '../../../src/domain/said.ts';
import type { Actor } from '../../../src/directory/identity.ts';
import { explainFailure } from '../../../src/governance/perform/failures.ts';
import { ownLoss } from '../../../src/governance/perform/judge.ts';
import { catalog, operationNamed } from '../../../src/operations/catalog.ts';
import { nobodyLeft } from '../../../src/features/campaigns/operations/remind.ts';
import { nobodyWaitsMessage } from '../../../src/features/campaigns/operations/add.ts';
import { assigned, unassigned } from '../../../src/features/quizzes/assign-and-unassign.ts';
import {
  copiedMessage,
  stepsOfCopy as copySteps,
  createdMessage as createdQuizMessage,
  stepsOfNew as newQuizSteps,
} from '../../../src/features/quizzes/make-and-delete.ts';
import type { DoneResult } from '../../../src/operations/page.ts';
import { unconfirmed } from '../../../src/operations/wording/words.ts';
import { QuizApiError } from '../../../src/quiz-api/errors.ts';
import { PlatformError } from '../../../src/domain/errors.ts';
import { translateSlackError } from '../../../src/slack/errors.ts';
import { doneMessage, outcomeMessage } from '../../../src/slack/views/outcome.ts';
import {
  passwordOfferMessage,
  passwordSorryMessage,
  passwordView,
  passwordWaitingView,
} from '../../../src/slack/views/users/password.ts';
import { StoreAwayError } from '../../../src/storage/storage.ts';
import {
  actionsSaid,
  doneOf,
  inputs,
  noChangeOf,
  nobodyAddedSaid,
  noChangesSaid,
  outcomesSaid,
  proposalsSaid,
  type Worded,
} from '../../support/builders/changes.ts';
import { campaignOf, standingRule } from '../../support/builders/campaigns.ts';
import { actor } from '../../support/builders/users.ts';
import { createdMessage, nextSteps as newUserSteps } from '../../../src/features/users/create-user.ts';
import { resetMessage } from '../../../src/features/users/state.ts';
import type { Samples } from '../collect.ts';

const { quiz, closedQuiz, group, rosa, rosaAndKitchen } = inputs;
const platform = { name: 'Slack' };
const everything = new Set(catalog.map(({ name }) => name));

/** The wordings of one kind, with a number where an operation has several. */
function worded(kind: string, said: readonly Worded[]): Samples {
  return Object.fromEntries(
    said.map(([operation, shown], index) => {
      const earlier = said.slice(0, index).filter(([other]) => other === operation).length;
      return [`${kind}, ${operation.replaceAll('-', ' ')}${earlier === 0 ? '' : ` (${earlier + 1})`}`, shown];
    }),
  );
}

const noChange = (message: string): DoneResult => ({ kind: 'done', message, isNoChange: true });

const done: Readonly<Record<string, DoneResult>> = {
  'A trainer closes a quiz': doneOf('close-quiz', { quiz }),
  'A trainer closes a quiz that was closed': {
    kind: 'done',
    message: noChangeOf('close-quiz', { quiz: closedQuiz }),
    isNoChange: true,
    next: doneOf('close-quiz', { quiz: closedQuiz }).next!,
  },
  'The service does not confirm that a quiz is closed': {
    ...doneOf('close-quiz', { quiz }),
    message: `${doneOf('close-quiz', { quiz }).message} ${unconfirmed}`,
  },
  'A trainer takes people into a campaign for which nobody waits': noChange(
    nobodyWaitsMessage(campaignOf(standingRule)),
  ),
  'A trainer takes people into a campaign that is one round': noChange(nobodyWaitsMessage(campaignOf())),
  'A trainer reminds someone who has nothing to take': noChange(nobodyLeft([], named('Rosa Almeida'))),
  'A trainer reminds someone who has nothing to take in a campaign': noChange(
    nobodyLeft([campaignOf()], named('Rosa Almeida')),
  ),
  'A trainer reminds a campaign in which everyone is done': noChange(nobodyLeft([campaignOf()], undefined)),
  'A trainer opens a closed quiz': doneOf('open-quiz', { quiz: closedQuiz }),
  'A trainer opens a quiz in design': doneOf('open-quiz', { quiz: { ...quiz, status: 'in_design' } }),
  'A trainer creates a quiz': {
    kind: 'done',
    message: createdQuizMessage('Winter driving 2026', 'certain'),
    next: newQuizSteps(quiz),
  },
  'A trainer renames a quiz': doneOf('rename-quiz', { quiz, name: 'Fire safety 2027' }),
  'A trainer copies a quiz': {
    kind: 'done',
    message: copiedMessage(quiz, 'Fire safety 2027', 'certain'),
    next: copySteps(quiz),
  },
  'A trainer assigns a quiz, and the service doesn’t answer for one of three assignees': {
    kind: 'done',
    ...assigned(quiz, { assignees: rosaAndKitchen, added: rosaAndKitchen }),
    problems: [
      `${say`Couldn’t assign it to ${named('Tom Lindqvist')}`}: ${say`the quiz service didn’t answer, so check whether it was done`}.`,
    ],
  },
  'A trainer unassigns a quiz': {
    kind: 'done',
    ...unassigned(quiz, rosaAndKitchen),
  },
  'A trainer assigns a quiz to a group': doneOf('assign-to-group', { quiz, group }),
  'A trainer adds a user to a group': doneOf('add-to-group', { user: [rosa], group }),
  'An administrator suspends a user': doneOf('suspend-user', { user: rosa }),
  'An administrator reinstates a user': doneOf('reinstate-user', { user: rosa }),
  'An administrator creates a user': {
    kind: 'done',
    message: createdMessage(rosa, { isSuspended: false, password: 'offered' }),
    next: newUserSteps(rosa),
    passwordOf: { user: rosa, isNew: true },
  },
  'An administrator resets a password': {
    kind: 'done',
    message: resetMessage(rosa),
    passwordOf: { user: rosa, isNew: false },
  },
};

const denials: [string, Parameters<typeof denialMessage>][] = [
  ...(
    [
      'guest',
      'stranger',
      'bot',
      'deactivated',
      'no e-mail address',
      'unconfirmed e-mail address',
      'no quiz user',
      'several quiz users',
    ] as const
  ).map((nobody): [string, Parameters<typeof denialMessage>] => [
    nobody,
    [actor(undefined, { nobody }), 'known', platform],
  ]),
  ['suspended', [actor({ suspended: true }), 'known', platform]],
  ['what trainers do, by a respondent', [actor({}), 'staff', platform]],
  ...refusedTo('a respondent', actor({})),
  ...refusedTo('a trainer', actor({ user_type: 'trainer' })),
];

function refusedTo(who: string, person: Actor): [string, Parameters<typeof denialMessage>][] {
  return ['show-results', 'close-quiz', 'suspend-user', 'add-to-group', 'delete-response'].map((name) => {
    const operation = operationNamed(name)!;
    return [`${name.replaceAll('-', ' ')} by ${who}`, [person, operation.right, platform, operation]];
  });
}

const call = { operation: 'quizzes.update', method: 'POST', path: '/v1/quizzes/q-1' };
const failures: Readonly<Record<string, unknown>> = {
  'the store is away': new StoreAwayError(new Error('refused')),
  'the quiz service is away': new QuizApiError('no connection', call, 'found no connection'),
  'the person has used up their share': new QuizApiError('share spent', call, 'was not sent', {
    availableAt: new Date(40_000),
  }),
  'the request budget is spent': new QuizApiError('budget spent', call, 'was not sent', {
    availableAt: new Date(20_000),
  }),
  'the address is wrong': new QuizApiError('wrong address', call, 'answered 301'),
  'https is missing': new QuizApiError('SSL required', call, 'answered 403'),
  'a firewall refuses': new QuizApiError('firewall', call, 'answered 403'),
  'a page instead of an answer': new QuizApiError('gone or elsewhere', call, 'answered 404'),
  'the quiz is gone': new QuizApiError('gone', call, 'answered 404'),
  'the service refuses the input': new QuizApiError('bad request', call, 'answered 422', {
    serviceMessage: 'The user name is taken.',
  }),
  'the service refuses without a reason': new QuizApiError('bad request', call, 'answered 400'),
  'the service refuses the key': new QuizApiError('forbidden', call, 'answered 403'),
  'the answer cannot be read': new QuizApiError('invalid answer', call, 'answered 200'),
  'the disk is full': Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR' }),
  'a bug': new TypeError('x is not a function'),
};

const shownOutcome = (outcome: Parameters<typeof outcomeMessage>[2]) =>
  outcomeMessage(operationNamed('close-quiz')!, {}, outcome);

export const samples: Samples = {
  ...worded('Requested', actionsSaid),
  ...worded('Proposed', proposalsSaid),
  ...worded('Done', outcomesSaid),
  ...worded('No change', noChangesSaid),
  ...worded('Nobody added', nobodyAddedSaid),
  ...Object.fromEntries(Object.entries(done).map(([when, result]) => [when, doneMessage(result, everything)])),
  ...Object.fromEntries(
    denials.map(([when, denied]) => [
      `Denied: ${when}`,
      shownOutcome({ kind: 'refused', message: denialMessage(...denied) }),
    ]),
  ),
  'A person suspends themselves': shownOutcome({ kind: 'refused', message: ownLoss }),
  ...Object.fromEntries(
    Object.entries(failures).map(([when, error]) => [
      `Failed: ${when}`,
      shownOutcome({ kind: 'failed', message: explainFailure(error, 'ab12cd34', 0).message }),
    ]),
  ),
  ...Object.fromEntries(
    ['not_in_channel', 'is_archived', 'restricted_action', 'no_permission'].map((code) => {
      const refusal = { code: 'slack_webapi_platform_error', data: { ok: false, error: code } };
      const translated = translateSlackError(refusal);
      return [
        `The bot cannot post in a channel: ${code.replaceAll('_', ' ')}`,
        (translated instanceof PlatformError && translated.explanation) || '',
      ];
    }),
  ),
  'A password is offered': passwordOfferMessage({ userId: 'u-rosa', name: 'Rosa Almeida' }),
  'A password is shown': passwordView({
    kind: 'shown',
    name: 'Rosa Almeida',
    userName: 'rosa@quiz.example',
    password: 'A7kPq2mXs9TzBw4c',
  }),
  'A password is being set': passwordWaitingView(),
  'A password could not be set': passwordSorryMessage(
    'u-rosa',
    say`A new password is being set for them right now. Try again in a few seconds.`,
  ),
};
