import { describe, expect, test, vi } from 'vitest';
import { named, plainSentence } from '../../../src/domain/said.ts';
import type { OperationRequest } from '../../../src/governance/perform/execute.ts';
import { serviceError } from '../../support/builders/governance.ts';
import { type House, openHouse, teamId } from '../../support/house.ts';

const ladders = { kind: 'quiz', id: 'q-3', name: 'Ladders' };

describe('what somebody may do at once', () => {
  test('is done, recorded and counted', async () => {
    const account = openHouse();
    expect(await account.act('UERIN', 'close-quiz', { quiz: ['ladders'] })).toMatchObject({
      kind: 'done',
      result: { kind: 'done', message: `Closed ${named('Ladders')}. Nobody can take it until you open it again.` },
    });
    expect(account.account.quizzes[2]).toMatchObject({ status: 'closed' });
    expect(await account.record()).toEqual([
      {
        at: account.clock.now,
        correlationId: 'ab12',
        by: 'UERIN',
        operation: 'close-quiz',
        action: 'done',
        through: 'command',
        change: `close ${named('Ladders')}`,
        targets: [ladders],
        details: [{ label: 'Quiz', value: 'Ladders' }],
      },
    ]);
    expect(await account.counted()).toEqual({ 'close-quiz done': 1 });
    expect(account.onRecorded).toHaveBeenCalledOnce();
  });

  test('is on the record before its first change, where it changes several users', async () => {
    const account = openHouse();
    await account.act('UERIN', 'assign-quiz', { quiz: ['ladders'], to: ['rosa', 'nora'] });
    const entries = await account.record();
    expect(entries.map(({ action, targets }) => [action, targets?.map(({ name }) => name)])).toEqual([
      ['begun', ['Ladders', 'Rosa Almeida', 'Nora']],
      ['done', ['Ladders', 'Rosa Almeida', 'Nora']],
    ]);
  });

  test('is made by a batch once the request is over in any case, and by none where the request made it', async () => {
    const account = openHouse();
    await account.act('UERIN', 'assign-quiz', { quiz: ['ladders'], to: ['rosa', 'nora'] });
    const [queue, ...others] = await account.storage.outbox.queues();
    const entries = await account.storage.outbox.waiting(queue!.queue, { limit: 10 });
    const takesOver = { correlationId: 'ab12', notBefore: account.clock.now + 30_000 };
    expect(entries.map(({ content }) => 'event' in content && content.event)).toMatchObject([
      { kind: 'start', batch: { ownerId: 'UERIN', operation: 'assign-quiz', takesOver } },
      { kind: 'call off' },
    ]);
    expect(others).toEqual([]);
    await account.act('UERIN', 'assign-quiz', { quiz: ['ladders'], to: ['sven'] });
    expect(await account.storage.outbox.queues()).toHaveLength(1);
  });

  test('is made, whatever becomes of what it leaves to be done', async () => {
    const account = openHouse();
    const away = new Error('the store is away');
    vi.spyOn(account.storage.outbox, 'put').mockResolvedValueOnce(undefined).mockRejectedValue(away);
    vi.spyOn(account.passwords, 'offer').mockRejectedValue(away);
    for (const [operation, input] of [
      ['assign-quiz', { quiz: ['ladders'], to: ['rosa', 'nora'] }],
      ['create-user', { user_name: ['ines'], user_type: ['respondent'] }],
    ] as const)
      expect(await account.act('UADA', operation, input)).toMatchObject({ kind: 'done' });
    const faults = account.logged().filter(({ error }) => error !== undefined);
    expect(faults.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', 'a change is looked at again, although it was made'],
      ['error', 'a new password could not be offered: /quiz-user reset-password offers another'],
    ]);
  });

  test('and makes a user offers their password to who made them', async () => {
    const account = openHouse();
    await account.act('UADA', 'create-user', { user_name: ['ines'], user_type: ['respondent'] });
    await account.settled();
    expect(account.offerPassword.mock.calls).toMatchObject([[{ personId: 'UADA', userId: 'u-new' }]]);
  });

  test('waits 20 seconds for the service at most, over all calls', async () => {
    const account = openHouse();
    await account.act('UERIN', 'close-quiz', { quiz: ['ladders'] });
    expect(account.calls.length).toBeGreaterThan(3);
    for (const { options } of account.calls) expect(options?.deadline).toBe(account.clock.now + 20_000);
  });

  test('is decided on rights as the service has them now, and the list learns of them; for reading, what is at hand will do', async () => {
    const account = openHouse();
    const atHand = await account.directory.users.get();
    account.account.users[1] = { ...account.account.users[1]!, edit_quizzes: false };
    expect(await account.act('UERIN', 'list-quizzes', {})).toMatchObject({ kind: 'done' });
    expect(await account.directory.users.get()).toBe(atHand);
    expect(account.calls.map(({ call }) => call)).not.toContain('users.get u-erin');
    await account.act('UERIN', 'close-quiz', { quiz: ['ladders'] });
    expect(account.calls.map(({ call }) => call)).toContain('users.get u-erin');
    expect(account.account.quizzes[2]).toMatchObject({ status: 'open' });
    expect((await account.directory.users.names()).byId('u-erin')).toMatchObject({ edit_quizzes: false });
  });

  test('and was not a moment ago is done: nobody is refused by the rights at hand', async () => {
    const account = openHouse();
    await account.directory.users.get();
    account.account.users[6] = { ...account.account.users[6]!, user_type: 'trainer', edit_quizzes: true };
    expect(await account.act('UROSA', 'close-quiz', { quiz: ['ladders'] })).toMatchObject({ kind: 'done' });
  });

  test('needs no question to the service where it knows nobody with the address, beyond looking for them', async () => {
    const account = openHouse({ people: { UNEW: { emailAddress: 'new@quiz.example' } } });
    await account.directory.users.get();
    account.calls.splice(0);
    expect(await account.act('UNEW', 'close-quiz', { quiz: ['ladders'] })).toMatchObject({ kind: 'refused' });
    expect(account.calls.map(({ call }) => call).filter((call) => call.startsWith('users'))).toEqual([
      'users.find new@quiz.example',
    ]);
  });

  test('has the quizzes loaded while it is found out who it is', async () => {
    const account = openHouse();
    await account.act('UERIN', 'who-am-i', {});
    expect(account.calls[0]?.call).toBe('quizzes.list');
    const another = openHouse();
    another.faults.set('quizzes.list', serviceError('service failed'));
    expect(await another.act('UERIN', 'who-am-i', {})).toMatchObject({ kind: 'done' });
  });
});

describe('what somebody may not do', () => {
  test('is refused before anything is read, so that they learn no names', async () => {
    const account = openHouse();
    const message = 'Only trainers can work with quizzes. To see yours, type `/quiz mine`.';
    for (const quiz of ['ladders', 'no such quiz'])
      expect(await account.act('UROSA', 'close-quiz', { quiz: [quiz] })).toEqual({ kind: 'refused', message });
    const [first] = await account.record();
    expect(first).toEqual({
      at: account.clock.now,
      correlationId: 'ab12',
      by: 'UROSA',
      operation: 'close-quiz',
      action: 'refused',
      through: 'command',
      message,
    });
    expect(await account.counted()).toEqual({ 'close-quiz refused': 2 });
  });

  test('and goes on the record once in ten minutes for each whom the account does not know, so that they cannot fill it', async () => {
    const account = openHouse();
    const entries = async (...people: string[]) => {
      const before = (await account.record()).length;
      for (const personId of people) await account.act(personId, 'close-quiz', { quiz: ['ladders'] });
      return (await account.record(before)).map(({ by }) => by);
    };
    expect(await entries('UNOBODY', 'UNOBODY', 'UNOONE', 'UROSA', 'UROSA')).toEqual([
      'UNOBODY',
      'UNOONE',
      'UROSA',
      'UROSA',
    ]);
    account.clock.now += 600_000 - 1;
    expect(await entries('UNOBODY')).toEqual([]);
    account.clock.now += 1;
    expect(await entries('UNOBODY', 'UNOBODY')).toEqual(['UNOBODY']);
  });
});

describe('what needs approval', () => {
  test('waits, with the reason, and is announced', async () => {
    const account = openHouse();
    const outcome = await account.act('UUMA', 'suspend-user', { user: ['rosa'], reason: ['  She has left '] });
    const [request] = await account.requests();
    expect(outcome).toMatchObject({
      kind: 'requested',
      request: { id: request?.id, reason: 'She has left', posts: { messages: [] } },
    });
    expect(request).not.toHaveProperty('isOfStep');
    expect(request).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      teamId,
      operation: 'suspend-user',
      input: { user: ['u-rosa'] },
      requesterId: 'UUMA',
      createdAt: account.clock.now,
      remindAt: account.clock.now + 1_800_000,
      expiresAt: account.clock.now + 3_600_000,
      asked: {
        action: `suspend ${named('Rosa Almeida')}`,
        effect: 'They couldn’t sign in until someone reinstates them.',
        targets: [{ kind: 'user', id: 'u-rosa' }],
        details: [{ label: 'User', value: 'Rosa Almeida' }],
      },
      state: 'open',
      isReminded: false,
      failures: 0,
    });
    expect(account.account.users[6]).toMatchObject({ suspended: false });
    expect(await account.record()).toMatchObject([
      {
        action: 'requested',
        request: request?.id,
        targets: [{ id: 'u-rosa' }],
        details: [{ label: 'User', value: 'Rosa Almeida' }],
      },
    ]);
    await account.settled();
    expect(account.post).toHaveBeenCalledOnce();
  });

  test.each([[{}], [{ reason: [] }], [{ reason: ['  '] }]])(
    'and has no reason (%j) has not begun, and stands in the log only',
    async (reason) => {
      const account = openHouse();
      expect(await account.act('UUMA', 'suspend-user', { user: ['rosa'], ...reason })).toEqual({
        kind: 'unexplained',
        input: { user: ['u-rosa'] },
      });
      expect(await account.requests()).toEqual([]);
      expect(await account.record()).toEqual([]);
      expect(account.logged()).toEqual([
        expect.objectContaining({
          level: 'info',
          msg: 'operation not begun',
          operation: 'suspend-user',
          by: 'UUMA',
          through: 'command',
          outcome: 'unexplained',
          correlationId: 'ab12',
        }),
      ]);
      expect(await account.counted()).toEqual({ 'suspend-user unexplained': 1 });
    },
  );

  test('is asked for without a question to the service, which changes nothing yet', async () => {
    const account = openHouse();
    await Promise.all([account.directory.users.get(), account.directory.quizzes.get()]);
    account.calls.splice(0);
    expect(await account.act('UUMA', 'suspend-user', { user: ['rosa'], reason: ['Gone'] })).toMatchObject({
      kind: 'requested',
    });
    expect(account.calls).toEqual([]);
  });

  test('and cannot be previewed is not asked for', async () => {
    const account = openHouse();
    account.faults.set('responses.list', serviceError('gone', { method: 'GET' }));
    expect(await account.act('UERIN', 'delete-quiz', { quiz: ['ladders'], reason: ['Old'] })).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('Someone may have deleted it'),
    });
    expect(await account.requests()).toEqual([]);
  });

  test('is kept where it cannot be announced, and the log says so', async () => {
    const account = openHouse();
    vi.spyOn(account.storage.leases, 'withLease').mockRejectedValueOnce(new Error('the store is away'));
    expect(await account.act('UUMA', 'suspend-user', { user: ['rosa'], reason: ['Gone'] })).toMatchObject({
      kind: 'requested',
    });
    await account.settled();
    const [request] = await account.requests();
    expect(account.logged()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        msg: 'request not announced yet',
        request: request?.id,
        error: expect.anything(),
      }),
    );
  });
});

describe('what can come to nothing', () => {
  const assign = (account: House, who: string, more: Record<string, string[]> = {}) =>
    account.act(who, 'assign-quiz', { quiz: ['ladders'], to: ['sven'], ...more });
  function openWithClosedQuiz() {
    const account = openHouse();
    Object.assign(account.account.quizzes[2]!, { status: 'closed' });
    return account;
  }

  test('is not begun until the person confirms the sentence they read', async () => {
    const account = openWithClosedQuiz();
    const warned = await assign(account, 'UADA');
    expect(warned).toEqual({
      kind: 'warned',
      message: '⁨Ladders⁩ is closed, so nobody can take it until it’s open. ⁨Sven⁩ is suspended and can’t sign in.',
      input: { quiz: ['q-3'], to: ['user:u-sven'] },
      confirmation: expect.any(String),
    });
    expect(await account.record()).toEqual([]);
    expect(await account.counted()).toEqual({ 'assign-quiz warned': 1 });
    const confirmation = warned.kind === 'warned' ? warned.confirmation : '';
    expect(await assign(account, 'UADA', { confirmed: ['yes'] })).toMatchObject({ kind: 'warned' });
    expect(await assign(account, 'UADA', { confirmed: [confirmation] })).toMatchObject({ kind: 'done' });
    Object.assign(account.account.quizzes[2]!, { status: 'in_design' });
    await account.directory.quizzes.refresh();
    expect(await assign(account, 'UADA', { to: ['rosa'], confirmed: [confirmation] })).toMatchObject({
      kind: 'warned',
      message: expect.stringContaining('in design'),
    });
  });

  test('is told with the question before what a message asks for, and one yes is for both', async () => {
    const account = openWithClosedQuiz();
    const [reason] = [['They asked']];
    const assigning = { quiz: ['ladders'], to: ['sven'], reason };
    const asked = await account.act('UADA', 'assign-quiz', assigning, { through: 'message' });
    expect(asked).toEqual({
      kind: 'unconfirmed',
      label: 'Assign quiz',
      question: `Nothing has changed yet. Press the button to assign ${named('Ladders')} to ${named('Sven')}. ${named('Ladders')} is closed, so nobody can take it until it’s open. ${named('Sven')} is suspended and can’t sign in.`,
      input: { quiz: ['q-3'], to: ['user:u-sven'], reason, confirmed: [expect.any(String)] },
    });
    const input = asked.kind === 'unconfirmed' ? asked.input : {};
    expect(await account.act('UADA', 'assign-quiz', input, { through: 'choice' })).toMatchObject({ kind: 'done' });
  });

  test('is no question where it changes nothing', async () => {
    const account = openWithClosedQuiz();
    const quizzes = [{ quiz_id: 'q-3', name: 'Ladders', date_assigned: null }];
    Object.assign(
      account.account.users.find(({ user_id }) => user_id === 'u-sven')!,
      { quizzes },
    );
    expect(await assign(account, 'UADA')).toMatchObject({ kind: 'done', result: { isNoChange: true } });
  });

  test.each<[string, Record<string, readonly string[]>, object]>([
    [
      'with others',
      { C1: ['Acme', 'Globex'] },
      { kind: 'warned', message: '#C1 is shared with “Acme” and “Globex”. Everyone in it would see the results.' },
    ],
    ['with nobody', { C2: ['Acme'] }, { kind: 'done' }],
  ])('names the companies that would read the results in a channel shared %s', async (_, companies, expected) => {
    const account = openHouse({ companies });
    const outcome = await account.act('UADA', 'subscribe-channel', { channel: ['channel:C1'] });
    expect('message' in outcome ? { ...outcome, message: plainSentence(outcome.message) } : outcome).toMatchObject(
      expected,
    );
  });

  test('is left to the reviewers where it needs approval', async () => {
    const account = openWithClosedQuiz();
    Object.assign(
      account.account.users.find(({ user_id }) => user_id === 'u-uma')!,
      { trainergroups: [{ group_id: 'g-1', group_name: 'Crew' }] },
    );
    expect(await assign(account, 'UUMA', { reason: ['Asked for'] })).toMatchObject({ kind: 'requested' });
  });

  test('says nothing of a suspension to people who may not see the user', async () => {
    const account = openHouse();
    expect((await assign(account, 'UERIN')).kind).not.toBe('warned');
  });

  test('costs one read when a quiz is opened in a form, and none otherwise', async () => {
    const account = openHouse();
    Object.assign(account.account.quizzes[2]!, { status: 'in_design' });
    await account.directory.quizzes.refresh();
    const openLadders = (through: 'form' | 'command') =>
      account.act('UADA', 'open-quiz', { quiz: ['ladders'] }, { through });
    expect(await openLadders('form')).toMatchObject({
      kind: 'warned',
      message: expect.stringContaining('Nobody has taken ⁨Ladders⁩ yet'),
    });
    expect(account.calls.filter(({ call }) => call.startsWith('responses.list'))).toHaveLength(1);
    account.calls.length = 0;
    expect(await openLadders('command')).toMatchObject({ kind: 'done' });
    expect(account.calls.filter(({ call }) => call.startsWith('responses'))).toEqual([]);
  });
});

describe('what is not typed by a person', () => {
  const press = (question: string) => ({
    kind: 'unconfirmed',
    label: 'Close quiz',
    question,
    input: { quiz: ['q-3'] },
  });
  test.each<[OperationRequest['through'], string, Record<string, string[]>, object]>([
    ['agent', 'make-token', {}, { kind: 'refused', message: 'Only people can do this, not agents.' }],
    ['agent', 'close-quiz', { quiz: ['ladders'] }, { kind: 'done' }],
    ['assistant', 'reset-password', { user: ['rosa'] }, { kind: 'unconfirmed', label: 'Reset password' }],
    [
      'message',
      'close-quiz',
      { quiz: ['ladders'] },
      press(`Nothing has changed yet. Press the button to close ${named('Ladders')}.`),
    ],
    ['message', 'open-quiz', { quiz: ['ladders'] }, { kind: 'done', result: { isNoChange: true } }],
    ['message', 'list-quizzes', {}, { kind: 'done' }],
    [
      'agent',
      'subscribe-channel',
      { channel: ['channel:C1'] },
      { kind: 'unconfirmed', question: expect.stringMatching(/^An agent wants to subscribe .*\nIn .*C1/s) },
    ],
    [
      'workflow',
      'delete-user',
      { user: ['rosa'], reason: ['Gone'] },
      { kind: 'requested', request: { isOfStep: true } },
    ],
    [
      'message',
      'delete-user',
      { user: ['rosa'], reason: ['Gone'] },
      { kind: 'unconfirmed', input: { user: ['u-rosa'], reason: ['Gone'] } },
    ],
  ])('is judged by where it comes from (%s): %s %j', async (through, operation, input, outcome) => {
    const account = openHouse();
    expect(await account.act('UADA', operation, input, { through })).toMatchObject(outcome);
    expect(account.account.quizzes[2]).toMatchObject({
      status: through === 'agent' && operation === 'close-quiz' ? 'closed' : 'open',
    });
  });
});

describe('what cannot be read', () => {
  test.each([
    ['is left out', 'rename-quiz', { quiz: ['ladders'] }, { kind: 'incomplete', field: 'name' }],
    ['fits several', 'close-quiz', { quiz: ['fire'] }, { kind: 'unclear', field: 'quiz', isAlike: true, count: 2 }],
    [
      'does not go together',
      'create-user',
      { user_name: ['ines'], user_type: ['respondent'], flags: ['edit_quizzes'] },
      { kind: 'invalid', field: 'flags', message: expect.stringContaining('Respondents') },
    ],
  ])('because it %s has not begun', async (_, name, raw, outcome) => {
    const account = openHouse();
    expect(await account.act('UADA', name, raw)).toMatchObject(outcome);
    expect(await account.record()).toEqual([]);
  });
});
