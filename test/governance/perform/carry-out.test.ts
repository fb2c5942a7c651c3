import { describe, expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { inEnglish, named } from '../../../src/domain/said.ts';
import { previewOf } from '../../../src/governance/approvals/preview.ts';
import { resolveInput } from '../../../src/governance/perform/meaning.ts';
import { operationNamed } from '../../../src/operations/catalog.ts';
import { approvalRequest, serviceError } from '../../support/builders/governance.ts';
import { type House, openHouse, teamId } from '../../support/house.ts';

const ladders = { kind: 'quiz', id: 'q-3', name: 'Ladders' };

describe('what fails', () => {
  const close = (account: House) => account.act('UERIN', 'close-quiz', { quiz: ['ladders'] });

  test.each([
    ['the service is away', serviceError('service failed'), 'warn', 'isn’t answering'],
    ['the key is refused', serviceError('forbidden'), 'error', 'API key'],
    ['the bot has a bug', new TypeError('x is not a function'), 'error', 'Something went wrong'],
  ])('because %s is told, recorded and logged', async (_, error, level, words) => {
    const account = openHouse();
    account.faults.set('quizzes.update', error);
    const outcome = await close(account);
    expect(outcome).toEqual({ kind: 'failed', message: expect.stringContaining(words) });
    expect(await account.record()).toMatchObject([
      { action: 'failed', targets: [ladders], message: (outcome as { message: string }).message },
    ]);
    expect(account.logged()).toContainEqual(
      expect.objectContaining({
        level,
        msg: 'operation failed',
        correlationId: 'ab12',
        operation: 'close-quiz',
        error: expect.anything(),
      }),
    );
    expect(await account.counted()).toEqual({ 'close-quiz failed': 1 });
  });

  test.each([
    ['The user name is taken', { kind: 'invalid', field: 'user_name' }],
    ['EMAIL_ADDRESS is no address', { kind: 'invalid', field: 'email_address' }],
    [
      'user name and first name: choose another first name, that user name is taken',
      { kind: 'invalid', field: 'first_name' },
    ],
    ['Not today', { kind: 'failed' }],
    [undefined, { kind: 'failed' }],
  ])('because the service refuses “%s” is told at the field it names', async (serviceMessage, outcome) => {
    const account = openHouse();
    account.faults.set(
      'users.create',
      serviceError('bad request', {
        serviceMessage,
      }),
    );
    expect(await account.act('UADA', 'create-user', { user_name: ['ines'], user_type: ['respondent'] })).toMatchObject({
      ...outcome,
      message: serviceMessage
        ? `The quiz service refused this: ${serviceMessage}.`
        : 'The quiz service refused this and gave no reason. Check what you entered.',
    });
  });

  const caution = 'It may have worked all the same, so check the list before you try again.';
  test.each([
    ['timed out', true],
    ['bad request', false],
  ] as const)(
    'is told to be looked up before it is made again, where it may have been made: %s',
    async (reason, may) => {
      const { act, faults } = openHouse();
      faults.set('quizzes.create', serviceError(reason));
      const { message } = (await act('UERIN', 'create-quiz', { name: ['Steps'] })) as { message: string };
      expect(inEnglish(message).endsWith(` ${caution}`)).toBe(may);
      expect(inEnglish(message).includes(caution)).toBe(may);
    },
  );
});

describe('a change whose answer is lost', () => {
  const lost = serviceError('service failed');
  const noTurn = serviceError('budget spent');
  const sent = 'quizzes.update q-3';
  const [read, checked] = [
    'quizzes.get q-3',
    '⁨Ladders⁩. Nobody can take it until you open it again. The quiz service didn’t confirm it, so the bot checked.',
  ];
  const made = { kind: 'done', result: { message: expect.stringContaining(checked) } };
  const failed = (words: string) => ({ kind: 'failed', message: expect.stringContaining(words) });

  /** What comes of the calls to come: an error before the change, or one after it; nothing else fails. */
  type Fates = readonly ('ok' | 'made' | Error)[];
  async function close(changes: Fates, reads: Fates = []) {
    const account = openHouse();
    const fates = new Map([
      [sent, [...changes]],
      [read, [...reads]],
    ]);
    account.faults.get = (call: string) => {
      const fate = fates.get(call)?.shift() ?? 'ok';
      if (fate === 'made') account.account.quizzes[2]!.status = 'closed';
      if (fate === 'ok') return undefined;
      return fate === 'made' ? lost : fate;
    };
    await account.directory.quizzes.get();
    account.asks();
    const outcome = await account.act('UERIN', 'close-quiz', { quiz: ['ladders'] });
    return { outcome, asked: account.asks().filter((call) => call.startsWith('quizzes')) };
  }

  test.each<[string, Fates, Fates, object, string[]]>([
    ['is told as made where it is', ['made'], [], made, [sent, read]],
    ['is sent again where it is not', [lost], [], { kind: 'done' }, [sent, read, sent]],
    [
      'is sent three times at most',
      [lost, lost, lost],
      [],
      failed('isn’t answering'),
      [sent, read, sent, read, sent, read],
    ],
    ['is told as made by a later one', [lost, 'made'], [], made, [sent, read, sent, read]],
    ['has failed where nobody can look', [lost], [lost], failed('isn’t answering'), [sent, read]],
    [
      'has failed as it was sent first where it has no turn later',
      [lost, noTurn],
      [],
      failed('isn’t answering'),
      [sent, read, sent],
    ],
    [
      'has failed where the service may still be at it',
      [serviceError('timed out')],
      [],
      { kind: 'failed' },
      [sent, read],
    ],
    ['has failed where it is refused', [serviceError('forbidden')], [], failed('API key'), [sent]],
    ['has failed where it had no turn', [noTurn], [], { kind: 'failed' }, [sent]],
  ])('%s', async (_, changes, reads, expected, asked) => {
    const came = await close(changes, reads);
    expect(came.outcome).toMatchObject(expected);
    expect(came.asked).toEqual(asked);
  });
});

describe('what was approved', () => {
  /** A request that Ada approved as things are now. */
  async function decided({ readerFor }: House, more: Partial<ApprovalRequest>): Promise<ApprovalRequest> {
    const request = approvalRequest({
      expiresAt: 9_000_000,
      remindAt: 9_000_000,
      requesterId: 'UUMA',
      state: 'decided',
      ...more,
    });
    const operation = operationNamed(request.operation)!;
    const context = await readerFor('UADA');
    const resolved = await resolveInput(operation, request.input, context);
    const preview = await previewOf(operation, resolved.kind === 'read' ? resolved.input : {}, context);
    return { ...request, decision: { verdict: 'approved', by: 'UADA', comment: '', at: 900_000, preview } };
  }

  test('is run as who approved it, recorded and counted', async () => {
    const account = openHouse();
    await account.storage.approvals.add(await decided(account, {}));
    await account.reconciler.sweep(teamId);
    expect(account.account.users[6]).toMatchObject({ suspended: true });
    expect((await account.record())[1]).toEqual({
      at: account.clock.now,
      correlationId: 'ab12',
      by: 'UADA',
      operation: 'suspend-user',
      action: 'done',
      through: 'approval',
      request: 'request-1',
      change: `suspend ${named('Rosa Almeida')}`,
      targets: [{ kind: 'user', id: 'u-rosa', name: 'Rosa Almeida' }],
      details: [{ label: 'User', value: 'Rosa Almeida' }],
    });
    expect(await account.counted()).toEqual({ 'suspend-user done': 1 });
  });

  test('and fails is recorded with the sentence', async () => {
    const account = openHouse();
    account.faults.set('users.update', serviceError('service failed'));
    await account.storage.approvals.add(await decided(account, {}));
    await account.reconciler.sweep(teamId);
    const message =
      'The quiz service isn’t answering right now. Try again in a minute. If it keeps failing, give your administrator the reference ab12.';
    expect((await account.record())[1]).toMatchObject({ action: 'failed', message, request: 'request-1' });
    expect(await account.requests()).toMatchObject([{ state: 'open', lastFailure: { message } }]);
    expect(await account.counted()).toEqual({ 'suspend-user failed': 1 });
  });

  const gone = serviceError('gone');
  const deletion = { operation: 'delete-user' };
  const naming = { operation: 'update-user', input: { user: ['u-rosa'], user_name: ['uma'] } };
  const taken = 'The user name is taken';
  const begun = { startedAt: 900_000 };
  test.each<[string, Partial<ApprovalRequest>, string, Error, string, string | undefined]>([
    [
      'and the service refuses for a field has failed',
      naming,
      'users.update',
      serviceError('bad request', { serviceMessage: taken }),
      'update-user failed',
      `The quiz service refused this: ${taken}.`,
    ],
    [
      'and is to be deleted, but gone after a crash, is done',
      { ...deletion, ...begun },
      'users.delete',
      gone,
      'delete-user done',
      undefined,
    ],
    [
      'and is to be deleted, but gone without a crash, has failed',
      deletion,
      'users.delete',
      gone,
      'delete-user failed',
      'This is no longer in the quiz service.',
    ],
    [
      'and is to be changed, but gone after a crash, has failed',
      begun,
      'users.update',
      gone,
      'suspend-user failed',
      'This is no longer in the quiz service.',
    ],
    [
      'and is to be deleted, but fails after a crash for another reason, has failed',
      { ...deletion, ...begun },
      'users.delete',
      serviceError('service failed'),
      'delete-user failed',
      'isn’t answering',
    ],
  ])('%s', async (_, more, call, fault, counted, message) => {
    const account = openHouse();
    account.faults.set(call, fault);
    await account.storage.approvals.add(await decided(account, more));
    await account.reconciler.sweep(teamId);
    expect(await account.counted()).toEqual({ [counted]: 1 });
    const [request] = await account.requests();
    expect([request?.state, request?.failures]).toEqual(message === undefined ? [undefined, undefined] : ['open', 1]);
    expect(request?.lastFailure?.message ?? '').toContain(message ?? '');
  });
});
