import { describe, expect, test } from 'vitest';
import type { Approvals } from '../../../src/storage/records.ts';
import { openHouse, teamId } from '../../support/house.ts';
import { quizResponse } from '../../support/builders/responses.ts';

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
