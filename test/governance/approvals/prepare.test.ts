import { describe, expect, onTestFinished, test } from 'vitest';
import { ServiceError } from '../../../src/quiz-api/errors.ts';
import type { ApprovalRequest } from '../../../src/domain/approval-request.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { openGovernedAccount, teamId } from '../../support/governed-account.ts';

/** An account in which Uma has asked for something. */
async function open(request: Partial<ApprovalRequest> = {}, options?: Parameters<typeof openGovernedAccount>[0]) {
  const account = openGovernedAccount(options);
  onTestFinished(() => account.close());
  const asked = approvalRequest({ requesterId: 'UUMA', remindAt: 9_000_000, expiresAt: 9_000_000, ...request });
  await account.storage.approvals.add(asked);
  const review = (personId: string) => account.decisions.review({ teamId, id: asked.id, personId });
  return { ...account, review };
}

describe('who may look at a request and decide on it', () => {
  test('is an administrator, who sees it as things stand now', async () => {
    const { review, account } = await open();
    account.users[6] = { ...account.users[6]!, suspended: true, user_type: 'trainer' };
    expect(await review('UADA')).toMatchObject({
      kind: 'review',
      preview: { effect: 'Rosa Almeida cannot sign in until they are reinstated.', targets: [{ facts: { Type: 'trainer', Suspended: 'yes' } }] },
      changes: expect.arrayContaining(['Rosa Almeida: type was “respondent”, is “trainer”.']),
    });
  });

  test('is not who lacks the right', async () => {
    expect(await (await open()).review('UERIN')).toMatchObject({ kind: 'refused', message: expect.stringContaining('right to manage users') });
  });

  test('is not who has the right, where they could not do it at once', async () => {
    const { review, account } = await open({ requesterId: 'UADA' });
    expect(await review('UUMA')).toEqual({ kind: 'refused', message: 'Only administrators of the quiz account can do this.' });
    account.users.splice(6, 1);
    expect(await review('UUMA')).toEqual({ kind: 'refused', message: 'Only administrators of the quiz account can do this.' });
  });

  test('is who could do the same at once', async () => {
    const { review } = await open({ requesterId: 'UNORA', operation: 'close-quiz', input: { quiz: ['q-3'] } });
    expect(await review('UERIN')).toMatchObject({ kind: 'review', preview: { effect: 'Nobody can take “Ladders” until it is opened again.' } });
  });

  test('is decided on rights as the service has them now', async () => {
    const { review, account, directory } = await open();
    await directory.users.get();
    account.users[0] = { ...account.users[0]!, user_type: 'respondent' };
    expect(await review('UADA')).toMatchObject({ kind: 'refused' });
  });

  test('is nobody with two accounts in Slack, the other of which asked', async () => {
    const options = { people: { UADATWO: { emailAddress: 'ada@quiz.example' } } };
    const message = 'Nobody decides on their own request. Somebody else with the right has to.';
    expect(await (await open({ requesterId: 'UADATWO' }, options)).review('UADA')).toEqual({ kind: 'refused', message });
    expect(await (await open({ requesterId: 'UADATWO' }, { ...options, allowsSelfApproval: true })).review('UADA')).toMatchObject({ kind: 'review' });
  });

  test('is an owner where another owner asked, though neither is a user', async () => {
    const { review } = await open({ requesterId: 'UOLA' }, { owners: ['UOLA', 'UOTTO'] });
    expect(await review('UOTTO')).toMatchObject({ kind: 'review' });
  });

  test('is nobody whose own request it is, not even an owner who approved it while that was allowed', async () => {
    const own = { requesterId: 'UOLA', state: 'decided', decision: { verdict: 'approved', by: 'UOLA', comment: '', at: 0 } } as const;
    const { reconciler, requests, account } = await open(own, { owners: ['UOLA'] });
    await reconciler.all(teamId);
    expect(await requests()).toMatchObject([{ state: 'open', lastFailure: { message: 'Nobody decides on their own request. Somebody else with the right has to.' } }]);
    expect(account.users[6]).toMatchObject({ suspended: false });
  });

  test('is not taken for the requester because nobody knows who that is', async () => {
    const { review } = await open({ requesterId: 'UNOBODY' });
    expect(await review('UADA')).toMatchObject({ message: expect.stringContaining('may not have it any more') });
  });

  test('waits 20 seconds for the service at most', async () => {
    const { review, calls, clock } = await open();
    await review('UADA');
    for (const { options } of calls) expect(options?.deadline).toBe(clock.now + 20_000);
  });
});

describe('what cannot be carried out any more', () => {
  test('is what its requester may not ask for now', async () => {
    const { review, account, directory } = await open();
    await directory.users.get();
    account.users[2] = { ...account.users[2]!, suspended: true };
    expect(await review('UADA')).toEqual({
      kind: 'refused',
      message: 'Who asked for this may not have it any more: their rights in the quiz account have changed. Deny it, or let it expire.',
    });
  });

  test('is an operation that is not there any more', async () => {
    expect(await (await open({ operation: 'teleport-user' })).review('UADA')).toEqual({ kind: 'refused', message: 'This version of the bot cannot do this any more.' });
  });

  test('is what was deleted, whether the lists know it or not', async () => {
    const known = await open();
    await known.directory.users.get();
    known.account.users.splice(6, 1);
    expect(await known.review('UADA')).toMatchObject({ kind: 'gone', message: '“Rosa Almeida” is not in the quiz account any more.' });
    const unknown = await open({ input: { user: ['u-nobody'] } });
    expect(await unknown.review('UADA')).toMatchObject({ kind: 'gone', message: 'What this is about is not in the quiz account any more.' });
  });

  test('is what the operation itself finds gone, but not what it cannot find out', async () => {
    const { review, faults, account } = await open({ operation: 'delete-response', input: { quiz: ['q-1'], response: ['Rosa'] } });
    account.users[2] = { ...account.users[2]!, user_type: 'administrator' };
    expect(await review('UADA')).toMatchObject({ kind: 'gone', message: expect.stringContaining('“Rosa”') });
    faults.set('responses.list', new ServiceError({ operation: 'responses.list', method: 'GET', path: '/v1/quizzes/q-1/responses' }, 'answered 500'));
    await expect(review('UADA')).rejects.toThrow('answered 500');
  });
});

test('what the lists know is not read again', async () => {
  const { review, calls } = await open();
  await review('UADA');
  expect(calls.filter(({ call }) => call === 'users.list')).toHaveLength(1);
  expect(calls.map(({ call }) => call)).not.toContain('groups.list');
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
  faults.set('users.get u-rosa', new ServiceError({ operation: 'users.get', method: 'GET', path: '/v1/users/u-rosa' }, 'answered 500'));
  await expect(review('UADA')).rejects.toThrow('answered 500');
});
