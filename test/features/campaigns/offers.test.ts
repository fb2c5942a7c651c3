import { expect, test } from 'vitest';
import { openCampaign } from '../../support/campaign-bed.ts';
import { monday } from '../../support/builders/campaigns.ts';
import { personQueue } from '../../../src/domain/queues.ts';

const ada = { ownerId: 'UADA', leads: ['ada'], timeZone: 'UTC' };
const offer = { at: monday, by: { personId: 'UTOM', userId: 'tom' }, to: { personId: 'UADA', userId: 'ada' } };

async function openOffered() {
  const bed = await openCampaign();
  const campaign = (await bed.campaign())!;
  await bed.service.offer(campaign, offer);
  return { ...bed, offered: campaign, owner: async () => (await bed.service.all())[0]?.ownerId };
}

test('it is accepted once, by whichever instance, and who asked reads it', async () => {
  const { service, offered, campaign, notesTo, owner } = await openOffered();
  const accepted = [1, 2, 3].map(async () => service.handOver(offered, ada, offer.at));
  expect((await Promise.all(accepted)).filter(Boolean)).toHaveLength(1);
  expect(await campaign()).toMatchObject({ ownerId: 'UADA', leads: ['ada'] });
  expect(await owner()).toBe('UADA');
  expect(await notesTo('tom')).toEqual([expect.stringContaining('answers for the campaign for *Fire safety* now')]);
});

test('of accepting and withdrawing at once, one counts', async () => {
  const { service, offered, campaign, owner } = await openOffered();
  const [isAccepted, isWithdrawn] = await Promise.all([
    service.handOver(offered, ada, offer.at),
    service.offer(offered, null),
  ]);
  expect(isAccepted).toBe(!isWithdrawn);
  expect((await campaign())?.ownerId).toBe(isAccepted ? 'UADA' : 'UTOM');
  expect(await owner()).toBe(isAccepted ? 'UADA' : 'UTOM');
});

test('nobody but the person who was asked accepts it', async () => {
  const { service, offered, owner } = await openOffered();
  const kim = { ownerId: 'UKIM', leads: ['kim'], timeZone: 'UTC' };
  expect(await service.handOver(offered, kim, offer.at)).toBe(false);
  expect(await owner()).toBe('UTOM');
});

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
