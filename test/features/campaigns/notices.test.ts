import { expect, test } from 'vitest';
import { personQueue } from '../../../src/domain/queue-names.ts';
import { monday } from '../../support/builders/campaigns.ts';
import { openCampaign } from '../../support/campaign-bed.ts';

const minuteMs = 60_000;

test('when campaigns write to people is the latest notice that was posted, or waits to be', async () => {
  const { service, outbox, until, put } = await openCampaign();
  const notices = async () => Object.fromEntries(await service.noticedAt(['rosa', 'kim', 'tom']));
  // The first messages are handed over, and nobody knows yet what became of them.
  await until(monday + minuteMs);
  expect(await notices()).toEqual({ rosa: monday, kim: monday });

  await outbox.commit(personQueue('T1', 'rosa'), { version: 0, state: { noticedAt: monday + 1 }, isBusy: false });
  await put({ kind: 'delivery', userId: 'rosa', handedAt: monday, at: monday + 1, failure: null });
  await put({ kind: 'excuse', userIds: ['kim'], by: 'UTOM', reason: 'On leave', at: monday, until: null });
  expect(await notices()).toEqual({ rosa: monday + 1 });
});
