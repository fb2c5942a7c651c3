import { expect, test } from 'vitest';
import { createAsk } from '../../../src/governance/approvals/requests.ts';
import { suspendUser } from '../../../src/features/users/state.ts';
import type { Storage } from '../../../src/storage/records.ts';
import { approvalRequest } from '../../support/builders/governance.ts';
import { openOffice, reviewerContext, type Diary } from '../../support/approvals-bed.ts';
import { inBothStores } from '../../support/open-stores.ts';
import { quizUser } from '../../support/builders/users.ts';

const decisionsAtOnce = 1_000;

/** A thousand reviewers decide at once, half of them against, on as many instances as there are storages. */
async function decideAtOnce(storages: readonly Storage[]) {
  // What a reviewer was shown is kept until the request expires, by the machine's clock: on a busy one, reviewing takes seconds.
  const request = approvalRequest({ expiresAt: 3_600_000 });
  await storages[0]!.approvals.add(request);
  const diary: Diary = [];
  const offices = storages.map((storage) => openOffice(storage, { diary }));
  await offices[0]!.reconciler.sweep(request.teamId);
  const officeOf = (n: number) => offices[n % offices.length]!;
  const reviewer = Array.from({ length: decisionsAtOnce }, (_, n) => ({
    teamId: request.teamId,
    id: request.id,
    personId: `UREVIEWER${n}`,
  }));
  await Promise.all(reviewer.map((one, n) => officeOf(n).decisions.review(one)));

  const decided = await Promise.all(
    reviewer.map((one, n) =>
      officeOf(n).decisions.decide({ ...one, verdict: n % 4 < 2 ? 'approved' : 'denied', comment: 'No' }),
    ),
  );

  const kept = await storages[0]!.approvals.byId(request.teamId, request.id);
  const trail = (await storages[0]!.audit.latest(request.teamId, 2 * decisionsAtOnce)).map(
    ({ text }) => (JSON.parse(text) as { action: string }).action,
  );
  return {
    took: decided.filter(({ kind }) => kind === 'decided').length,
    cameTooLate: decided.filter(({ kind }) => kind === 'over').length,
    runs: diary.filter((line) => line.startsWith('run')).length,
    runsWanted: kept?.request.decision?.verdict === 'approved' ? 1 : 0,
    notified: diary.filter((line) => line.startsWith('tell') || line.startsWith('requester gets')),
    state: kept?.request.state,
    decisionsOnRecord: trail.filter((action) => action === 'approved' || action === 'denied').length,
    refusalsOnRecord: trail.filter((action) => action === 'refused').length,
  };
}

const asksAtOnce = 100;

/** A person asks for the same change many times at once, each time with one of two reasons. */
async function askAtOnce(storages: readonly Storage[]) {
  const added: string[] = [];
  const { teamId, requesterId: personId } = approvalRequest();
  const asks = storages.map(({ approvals }, n) => {
    let count = 0;
    return createAsk({
      approvals,
      ttlMs: 3_600_000,
      now: () => 1_000,
      newId: () => `request-${n}-${count++}`,
      announceNew: ({ request }) => void added.push(request.id),
      announceAgain: () => {},
    });
  });
  const asked = await Promise.all(
    Array.from({ length: asksAtOnce }, (_, n) =>
      asks[n % asks.length]!({
        teamId,
        personId,
        operation: suspendUser,
        input: { user: quizUser() },
        reason: n % 4 < 2 ? 'Left' : 'Gone',
        isOfStep: false,
        context: reviewerContext([]),
      }),
    ),
  );
  const kept = await storages[0]!.approvals.pending(teamId);
  return {
    kept: kept.map(({ id }) => added.includes(id)),
    added: added.length,
    answered: new Set(asked.map(({ id }) => id)).size,
    reasons: kept.map(({ reason }) => reason.split(' · Added: ').toSorted()),
  };
}

const oneRequest: Awaited<ReturnType<typeof askAtOnce>> = {
  kept: [true],
  added: 1,
  answered: 1,
  reasons: [['Gone', 'Left']],
};

type Came = Awaited<ReturnType<typeof decideAtOnce>>;
const once = ({ runsWanted }: Came): Came => ({
  took: 1,
  cameTooLate: decisionsAtOnce - 1,
  runs: runsWanted,
  runsWanted,
  notified: ['requester gets open', 'tell closed'],
  state: 'announced',
  decisionsOnRecord: 1,
  refusalsOnRecord: decisionsAtOnce - 1,
});

inBothStores((openStorages) => {
  test(`${decisionsAtOnce} decisions at once take effect once`, async () => {
    const came = await decideAtOnce(await openStorages());
    expect(came).toEqual(once(came));
  });

  test(`${asksAtOnce} requests at once for the same change are one`, async () => {
    expect(await askAtOnce(await openStorages())).toEqual(oneRequest);
  });
});
