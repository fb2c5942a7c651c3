import { describe, expect, test } from 'vitest';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { approvalRequest, serviceError } from '../../support/builders/governance.ts';
import { type HouseOptions, openHouse, teamId } from '../../support/house.ts';
import type { Approvals } from '../../../src/storage/records.ts';
import { quizResponse } from '../../support/builders/responses.ts';

/** An account in which Uma has asked for something. */
async function open(request: Partial<ApprovalRequest> = {}, options?: HouseOptions) {
  const account = openHouse(options);
  const asked = approvalRequest({ requesterId: 'UUMA', remindAt: 9_000_000, expiresAt: 9_000_000, ...request });
  await account.storage.approvals.add(asked);
  const participant = (personId: string) => ({ teamId, id: asked.id, personId });
  const review = (personId: string) => account.decisions.review(participant(personId));
  const decide = (personId: string, verdict: 'approved' | 'denied') =>
    account.decisions.decide({ ...participant(personId), verdict, comment: 'No' });
  return { ...account, review, decide };
}

describe('who may look at a request and decide on it', () => {
  test('is an administrator, who sees it as things stand now', async () => {
    const { review, account } = await open();
    account.users[6] = { ...account.users[6]!, suspended: true, user_type: 'trainer' };
    expect(await review('UADA')).toMatchObject({
      kind: 'review',
      preview: {
        effect: 'They couldn’t sign in until someone reinstates them.',
        targets: [{ facts: { Type: 'trainer', Suspended: 'yes' } }],
      },
      changes: expect.arrayContaining(['⁨Rosa Almeida⁩: type was “respondent”, is now “trainer”.']),
    });
  });

  test('is not who lacks the right', async () => {
    expect(await (await open()).review('UERIN')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('You can’t manage users.'),
    });
  });

  test('is not who has the right, where they could not do it at once', async () => {
    const { review, account } = await open({ requesterId: 'UADA' });
    expect(await review('UUMA')).toEqual({
      kind: 'refused',
      message: 'Only administrators of the quiz account can do this. Ask one of them to do it for you.',
    });
    account.users.splice(6, 1);
    expect(await review('UUMA')).toEqual({
      kind: 'refused',
      message: 'Only administrators of the quiz account can do this. Ask one of them to do it for you.',
    });
  });

  test('is only an administrator, where what it is about cannot be read any more', async () => {
    const { review } = await open({ requesterId: 'UNORA', operation: 'run-campaign', input: { plan: ['gone'] } });
    expect(await review('UERIN')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('administrators'),
    });
    expect(await review('UADA')).toMatchObject({ kind: 'gone', message: expect.stringContaining('too old') });
  });

  test('is not who may not see what it is about, for a review and for a denial', async () => {
    const { review, decide, account, requests } = await open({
      requesterId: 'UNORA',
      operation: 'close-quiz',
      input: { quiz: ['q-3'] },
    });
    expect(await review('UERIN')).toMatchObject({ kind: 'review' });
    Object.assign(account.users[1]!, { trainerquizzes: [{ quiz_id: 'q-1', name: '' }] });
    const refused = { kind: 'refused', message: expect.stringContaining('that you don’t manage') };
    expect(await decide('UERIN', 'denied')).toEqual(refused);
    expect(await decide('UERIN', 'approved')).toEqual(refused);
    expect(await requests()).toMatchObject([{ state: 'open' }]);
    expect(account.quizzes[2]).toMatchObject({ status: 'open' });
  });

  test('does not read how a request ended that they could not have decided on', async () => {
    const { review, decide, account, directory } = await open({
      requesterId: 'UADA',
      operation: 'reinstate-user',
      input: { user: ['u-rosa'] },
    });
    expect(await review('UUMA')).toMatchObject({ kind: 'review' });
    expect(await decide('UUMA', 'denied')).toMatchObject({ kind: 'decided' });
    expect(await review('UUMA')).toMatchObject({ kind: 'over' });
    Object.assign(account.users[2]!, { trainergroups: [] });
    await directory.users.refresh();
    expect(await review('UUMA')).toEqual({
      kind: 'refused',
      message: expect.stringContaining('that you don’t manage'),
    });
  });

  test('is nobody with two accounts in Slack, the other of which asked', async () => {
    const options = { people: { UADATWO: { emailAddress: 'ada@quiz.example' } } };
    const message = 'You can’t decide on your own request. Someone else has to.';
    expect(await (await open({ requesterId: 'UADATWO' }, options)).review('UADA')).toEqual({
      kind: 'refused',
      message,
    });
    expect(
      await (await open({ requesterId: 'UADATWO' }, { ...options, allowsSelfApproval: true })).review('UADA'),
    ).toMatchObject({ kind: 'review' });
  });

  test.each([
    ['the address of the requester’s user', { UOLA: { emailAddress: 'ada@quiz.example' } }],
    [
      'the address of the requester, whose user nobody can tell',
      { UOLA: { emailAddress: 'UMA@quiz.example' }, UADA: { emailAddress: 'uma@quiz.example' } },
    ],
  ])('is no owner with %s', async (_, people) => {
    const requesterId = 'UADA';
    const { review, decide } = await open({ requesterId }, { owners: ['UOLA'], people });
    const refused = { kind: 'refused', message: 'You can’t decide on your own request. Someone else has to.' };
    expect(await review('UOLA')).toEqual(refused);
    expect(await decide('UOLA', 'approved')).toMatchObject({ kind: 'refused' });
  });

  test('is an owner where another owner asked, though neither is a user', async () => {
    const { review } = await open({ requesterId: 'UOLA' }, { owners: ['UOLA', 'UOTTO'] });
    expect(await review('UOTTO')).toMatchObject({ kind: 'review' });
  });

  test('is nobody whose own request it is, not even an owner who approved it while that was allowed', async () => {
    const own = {
      requesterId: 'UOLA',
      state: 'decided',
      decision: { verdict: 'approved', by: 'UOLA', comment: '', at: 0 },
    } as const;
    const { reconciler, requests, account } = await open(own, { owners: ['UOLA'] });
    await reconciler.sweep(teamId);
    expect(await requests()).toMatchObject([
      { state: 'open', lastFailure: { message: 'You can’t decide on your own request. Someone else has to.' } },
    ]);
    expect(account.users[6]).toMatchObject({ suspended: false });
  });
});

describe('what cannot be carried out any more', () => {
  test('is an operation that this version does not know: an administrator can deny it, and nobody else', async () => {
    const { review, decide } = await open({ operation: 'teleport-user' });
    expect(await review('UERIN')).toEqual({
      kind: 'refused',
      message: 'Only administrators of the quiz account can do this. Ask one of them to do it for you.',
    });
    expect(await review('UADA')).toMatchObject({
      kind: 'gone',
      message: 'This version of the bot can’t do this any more.',
    });
    expect(await decide('UADA', 'approved')).toMatchObject({ kind: 'changed', review: { kind: 'gone' } });
    expect(await decide('UADA', 'denied')).toMatchObject({
      kind: 'decided',
      request: { decision: { verdict: 'denied' } },
    });
  });

  test.each([
    ['the requester is gone from the platform', { UUMA: { emailAddress: undefined, outsider: 'stranger' } }, undefined],
    ['the service gives an answer that cannot be read', {}, serviceError('invalid answer')],
    ['the service refuses to say', {}, serviceError('bad request')],
    ['the bot has a bug', {}, new TypeError('x is not a function')],
  ] as const)('can be denied where %s', async (_, people, fault) => {
    const { review, decide, faults, account } = await open({}, { people });
    if (fault) faults.set('users.get u-rosa', fault);
    expect(await review('UADA')).toMatchObject({ kind: 'gone' });
    expect(await decide('UADA', 'approved')).toMatchObject({ kind: 'changed', review: { kind: 'gone' } });
    expect(account.users[6]).toMatchObject({ suspended: false });
    expect(await decide('UADA', 'denied')).toMatchObject({
      kind: 'decided',
      request: { decision: { verdict: 'denied' } },
    });
  });

  test('is shown to nobody who may not decide, whatever fails', async () => {
    const { review, faults } = await open({ requesterId: 'UADA' });
    faults.set('users.get u-rosa', new TypeError('x is not a function'));
    expect(await review('UUMA')).toMatchObject({
      kind: 'refused',
      message: 'Only administrators of the quiz account can do this. Ask one of them to do it for you.',
    });
  });

  test('is what was deleted, whether the lists know it or not', async () => {
    const known = await open();
    await known.directory.users.get();
    known.account.users.splice(6, 1);
    expect(await known.review('UADA')).toMatchObject({
      kind: 'gone',
      message: '⁨Rosa Almeida⁩ isn’t in the quiz account any more.',
    });
    const unknown = await open({ input: { user: ['u-nobody'] } });
    expect(await unknown.review('UADA')).toMatchObject({
      kind: 'gone',
      message: 'What this is about isn’t in the quiz account any more.',
    });
  });

  test('is what the operation itself finds gone, but not what it cannot find out', async () => {
    const { review, faults, account } = await open({
      operation: 'delete-response',
      input: { quiz: ['q-1'], response: ['Rosa'] },
    });
    account.users[2] = { ...account.users[2]!, user_type: 'administrator' };
    expect(await review('UADA')).toMatchObject({ kind: 'gone', message: expect.stringContaining('Rosa') });
    faults.set('responses.list', serviceError('service failed'));
    await expect(review('UADA')).rejects.toThrow('service failed');
  });
});

describe('a denial', () => {
  test('reads the rights of who denies, and nothing else', async () => {
    const { review, decide, asks } = await open();
    await review('UADA');
    asks();
    expect(await decide('UADA', 'denied')).toMatchObject({
      kind: 'decided',
      request: { decision: { verdict: 'denied' } },
    });
    expect(asks()).toEqual(['users.get u-ada']);
  });

  test.each([
    ['who has the right no more', { user_type: 'respondent' }, 'Only trainers and administrators can manage users.'],
    ['who could not do it at once any more', { user_type: 'trainer', manage_users: true }, 'Only administrators'],
  ] as const)('by somebody %s is refused', async (_, ada, message) => {
    const { review, decide, account, requests, record } = await open();
    await review('UADA');
    account.users[0] = { ...account.users[0]!, ...ada };
    expect(await decide('UADA', 'denied')).toEqual({ kind: 'refused', message: expect.stringContaining(message) });
    expect(await requests()).toMatchObject([{ state: 'open', failures: 0 }]);
    expect(await record()).toMatchObject([{ by: 'UADA', action: 'refused' }]);
  });

  test('is possible where the requester lost their rights, and where the target is gone', async () => {
    for (const gone of [2, 6]) {
      const { review, decide, account } = await open();
      await review('UADA');
      account.users.splice(gone, 1);
      expect(await decide('UADA', 'denied')).toMatchObject({
        kind: 'decided',
        request: { decision: { verdict: 'denied' } },
      });
    }
  });

  test.each([
    ['a respondent', 'u-rosa', 'decided'],
    ['somebody who is gone', 'u-gone', 'refused'],
    ['a trainer', 'u-sven', 'refused'],
  ])('by somebody who manages users, of reinstating %s (%s), is %s', async (_, user, kind) => {
    const { decide, storage } = await open({
      requesterId: 'UADA',
      operation: 'reinstate-user',
      input: { user: [user] },
    });
    await storage.kv('shown-requests').set(`${teamId}:request-1:UUMA`, { preview: null, failures: 0 });
    expect(await decide('UUMA', 'denied')).toMatchObject({ kind });
  });

  test('is not for the requester from another account', async () => {
    const { review, decide, storage } = await open({}, { people: { UTWO: { emailAddress: 'uma@quiz.example' } } });
    await review('UADA');
    const shown = storage.kv('shown-requests');
    await shown.set(`${teamId}:request-1:UTWO`, await shown.get(`${teamId}:request-1:UADA`));
    expect(await decide('UTWO', 'denied')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('You can’t decide on your own'),
    });
  });
});

describe('right before a run, the service is asked', () => {
  test('and nothing is run where the person who approves it has lost their rights', async () => {
    const { review, decide, account, requests, record } = await open();
    await review('UADA');
    account.users[0] = { ...account.users[0]!, user_type: 'trainer', manage_users: true };
    expect(await decide('UADA', 'approved')).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('Only administrators'),
    });
    expect(account.users[6]).toMatchObject({ suspended: false });
    expect(await requests()).toMatchObject([{ state: 'open', failures: 0 }]);
    expect((await requests())[0]).not.toHaveProperty('decision');
    expect(await record()).toMatchObject([{ by: 'UADA', action: 'refused' }]);
  });

  const trainer = { user_name: ['ines@quiz.example'], user_type: ['administrator'] };
  const losses: [string, Partial<ApprovalRequest>, (account: Awaited<ReturnType<typeof open>>['account']) => void][] = [
    ['is suspended', {}, ({ users }) => (users[2] = { ...users[2]!, suspended: true })],
    ['is deleted', {}, ({ users }) => users.splice(2, 1)],
    ['no longer manages users', {}, ({ users }) => (users[2] = { ...users[2]!, manage_users: false })],
    ['no longer manages the target', {}, ({ users }) => (users[2] = { ...users[2]!, trainergroups: [] })],
    [
      'may only ask for respondents now',
      { operation: 'create-user', input: trainer },
      ({ users }) => (users[2] = { ...users[2]!, manage_users: false }),
    ],
  ];
  test.each(losses)(
    'and nothing is run where the person who asked for it %s: the request is closed, and nobody gets a password',
    async (_, request, change) => {
      const { review, decide, account, calls, storage, settled, offerPassword, record } = await open(request);
      expect(await review('UADA')).toMatchObject({ kind: 'review' });
      change(account);
      const message = expect.stringContaining('no longer has the rights for this');
      expect(await decide('UADA', 'approved')).toMatchObject({
        kind: 'decided',
        request: { outcome: { kind: 'not run', message } },
      });
      await settled();
      expect(calls.filter(({ call }) => /create|update|delete/.test(call))).toEqual([]);
      expect(offerPassword).not.toHaveBeenCalled();
      const stored = await storage.approvals.byId(teamId, 'request-1');
      expect(stored?.request).toMatchObject({ state: 'announced', decision: { verdict: 'approved', by: 'UADA' } });
      expect(stored?.request.outcome).not.toHaveProperty('passwordOffer');
      expect(await record()).toMatchObject([
        { by: 'UADA', action: 'approved' },
        { by: 'UADA', action: 'failed', message },
      ]);
    },
  );

  test('and what has changed goes back to the reviewer, whose next step reads it again', async () => {
    const { review, decide, account, requests, record, asks } = await open();
    await review('UADA');
    account.users[6] = { ...account.users[6]!, user_type: 'administrator' };
    asks();
    expect(await decide('UADA', 'approved')).toMatchObject({
      kind: 'changed',
      review: { kind: 'review', preview: { targets: [{ facts: { Type: 'administrator' } }] } },
    });
    expect(asks()).toEqual(['users.get u-ada', 'users.get u-uma', 'users.get u-rosa']);
    expect(await requests()).toMatchObject([{ state: 'open', failures: 0 }]);
    expect(await record()).toEqual([]);
    expect(await review('UADA')).toMatchObject({ preview: { targets: [{ facts: { Type: 'administrator' } }] } });
    expect(await decide('UADA', 'approved')).toMatchObject({ kind: 'decided', request: { outcome: { kind: 'done' } } });
  });
});

test('what is newer than the lists is found by reading them again', async () => {
  const { review, account, directory, clock } = await open();
  const [rosa] = account.users.splice(6, 1);
  await directory.users.get();
  account.users.push(rosa!);
  clock.now += 10_000;
  expect(await review('UADA')).toMatchObject({ kind: 'review' });
});

test('a service that is away is no reason to take anything for gone', async () => {
  const { review, faults } = await open();
  faults.set('users.get u-rosa', serviceError('service failed'));
  await expect(review('UADA')).rejects.toThrow('service failed');
});

/** A person asks, an administrator reviews and approves, and it is run and announced. Between the steps, more time passes than anything read is used for. */
async function approve(operation: string, input: Record<string, string[]>, personId: string) {
  const account = openHouse();
  account.account.responses.push(quizResponse());
  await Promise.all([account.directory.users.get(), account.directory.quizzes.get()]);
  const stored = countCalls(account.storage.approvals);

  async function step(act: () => Promise<unknown>) {
    account.clock.now += 11_000;
    account.calls.splice(0);
    stored.start();
    await act();
    await account.settled();
    return { store: stored.counts(), service: account.calls.map(({ call }) => call) };
  }

  const asked = await step(() => account.act(personId, operation, { ...input, reason: ['Left'] }));
  const [request] = await account.requests();
  const participant = { teamId, id: request!.id, personId: 'UADA' };
  const reviewed = await step(() => account.decisions.review(participant));
  const decided = await step(() => account.decisions.decide({ ...participant, verdict: 'approved', comment: '' }));
  expect((await account.storage.approvals.byId(teamId, request!.id))?.request).toMatchObject({
    state: 'announced',
    outcome: { kind: 'done' },
  });
  return { asked, reviewed, decided };
}

/** Counts the calls of a store of requests. */
function countCalls(approvals: Approvals) {
  const counts = { reads: 0, writes: 0 };
  for (const [name, kind] of [
    ['byId', 'reads'],
    ['pending', 'reads'],
    ['addUnlessOpen', 'writes'],
    ['replace', 'writes'],
  ] as const) {
    const call = approvals[name].bind(approvals) as (...args: unknown[]) => unknown;
    Object.assign(approvals, { [name]: (...args: unknown[]) => ((counts[kind] += 1), call(...args)) });
  }
  return { start: () => void Object.assign(counts, { reads: 0, writes: 0 }), counts: () => ({ ...counts }) };
}

describe('a whole approval', () => {
  test('reads and writes its request so often', async () => {
    const { asked, reviewed, decided } = await approve('suspend-user', { user: ['rosa'] }, 'UUMA');
    // Is the same request open already? What is to be announced? Was it changed meanwhile? It is added, and then its messages.
    expect(asked.store).toEqual({ reads: 3, writes: 2 });
    expect(reviewed.store).toEqual({ reads: 1, writes: 0 });
    // Before the decision, before the run, and after all of it. The decision, the start of the run, its end, and the announcement.
    expect(decided.store).toEqual({ reads: 3, writes: 4 });
  });

  test('asks the service for the target when it is reviewed, and for everything right before it is run', async () => {
    const { asked, reviewed, decided } = await approve('suspend-user', { user: ['rosa'] }, 'UUMA');
    expect(asked.service).toEqual([]);
    expect(reviewed.service).toEqual(['users.get u-rosa']);
    expect(decided.service).toEqual(['users.get u-ada', 'users.get u-uma', 'users.get u-rosa', 'users.update u-rosa']);
  });

  test('that counts responses counts them for the requester, for the reviewer, and right before it is run', async () => {
    const { asked, reviewed, decided } = await approve('delete-quiz', { quiz: ['ladders'] }, 'UERIN');
    expect(asked.service).toEqual(['responses.list q-3']);
    expect(reviewed.service).toEqual(['quizzes.get q-3', 'responses.list q-3']);
    expect(decided.service).toEqual([
      'users.get u-ada',
      'users.get u-erin',
      'quizzes.get q-3',
      'responses.list q-3',
      'quizzes.delete q-3',
    ]);
  });
});
