import { expect, test } from 'vitest';
import { approvalRequest, auditEntry } from '../../support/builders/governance.ts';
import { openHouse, teamId } from '../../support/house.ts';

test('a person’s world has their rights, sight and place, and sends files to them alone', async () => {
  const account = openHouse();
  const context = await account.readerFor('UUMA', 'C1');
  expect(context.actor.user?.user_id).toBe('u-uma');
  expect([...context.rights]).toEqual(['known', 'staff', 'manage_users']);
  expect(context.visibility.group({ group_id: 'g-1', group_name: 'Crew' })).toBe(false);
  expect(context).toMatchObject({
    channelId: 'C1',
    timeZone: 'Europe/Berlin',
    call: { deadline: account.clock.now + 1_000 },
  });
  expect(context.now()).toBe(account.clock.now);
  expect(context.makePassword()).toBe('a-new-password');
  const file = { name: 'results.csv' } as never;
  await context.sendFile(file);
  expect(account.sendFile.mock.calls).toEqual([['UUMA', file]]);
});

test('the records in it are those of the workspace', async () => {
  const { readerFor, storage } = openHouse();
  const { records } = await readerFor('UADA');
  await storage.approvals.add(approvalRequest());
  await storage.approvals.add(approvalRequest({ id: 'request-2', state: 'closed' }));
  await storage.approvals.add(approvalRequest({ id: 'request-3', teamId: 'T0OTHER' }));
  expect((await records.openRequests()).map(({ id }) => id)).toEqual(['request-1']);

  for (const correlationId of ['a', 'b', 'c']) await storage.audit.append(teamId, auditEntry({ correlationId }));
  await storage.audit.append('T0OTHER', auditEntry({ correlationId: 'other' }));
  const references = (links: { text: string }[]) =>
    links.map(({ text }) => (JSON.parse(text) as { correlationId: string }).correlationId);
  expect(references(await records.latestLinks(2))).toEqual(['c', 'b']);
  expect(references(await records.latestLinks(2, 3))).toEqual(['b', 'a']);
  expect(references(await records.linksSince(1, 1))).toEqual(['b']);
  expect(await records.auditHead()).toEqual(await storage.audit.head(teamId));
  expect(await records.status()).toHaveProperty('undelivered');
});
