import { expect, test } from 'vitest';
import { monday, openDepartures } from '../../support/departures-bed.ts';

const hourMs = 3_600_000;
const tuesdayAt9 = Date.UTC(2030, 0, 8, 9);

test('whoever leaves is proposed at 9 on the next working day, all of a day in one proposal', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.set('rosa', false);
  await bed.pass(2);
  await bed.set('kim', false);
  await bed.until(tuesdayAt9 - 1);
  expect(await bed.notices()).toEqual([]);
  await bed.until(tuesdayAt9);
  expect(await bed.notices()).toMatchObject([
    {
      kind: 'proposal',
      postedAt: tuesdayAt9,
      readers: [{ channelId: 'C1' }],
      people: [
        { userId: 'rosa', at: monday },
        { userId: 'kim', at: monday + 2 * hourMs },
      ],
    },
  ]);
  expect(await bed.refreshes('n-1')).toBe(1);
  await bed.pass(48);
  expect(await bed.notices()).toHaveLength(1);
});

test('whoever leaves on a Friday is proposed on Monday, and a bot that stood still proposes when it runs, in working hours', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.until(Date.UTC(2030, 0, 11, 16));
  await bed.set('rosa', false);
  await bed.until(Date.UTC(2030, 0, 14, 8));
  expect(await bed.notices()).toEqual([]);
  await bed.standStill(Date.UTC(2030, 0, 14, 20));
  expect(await bed.notices()).toEqual([]);
  await bed.until(Date.UTC(2030, 0, 15, 9));
  expect(await bed.notices()).toMatchObject([{ kind: 'proposal', postedAt: Date.UTC(2030, 0, 15, 9) }]);
});

test('everybody is read once a day, and nobody who had left before the bot knew them is proposed', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom'], { leftBefore: ['kim'] });
  expect(bed.readings()).toBe(1);
  await bed.pass(3 * 24);
  expect(bed.readings()).toBe(4);
  expect(await bed.notices()).toEqual([]);
  expect(await bed.departures.departed('T1')).toEqual(new Set(['U-kim']));
});

test('an event that is lost is made up for by the reading of the day, with the time at which the person left', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.set('rosa', false, { isHeard: false });
  expect(await bed.departures.departed('T1')).toEqual(new Set());
  await bed.until(tuesdayAt9);
  expect(await bed.departures.departed('T1')).toEqual(new Set(['U-rosa']));
  expect(await bed.notices()).toMatchObject([{ people: [{ userId: 'rosa', at: monday }] }]);
});

test('an event about somebody who is active again, or about whom nothing is new, changes nothing', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.departures.personChanged('T1', { personId: 'U-rosa', isDeactivated: true });
  await bed.departures.personChanged('T1', { personId: 'U-stranger', isDeactivated: true });
  await bed.departures.personChanged('T1', { personId: 'U-kim', isDeactivated: false });
  await bed.pass(0);
  expect(await bed.departures.departed('T1')).toEqual(new Set());
  await bed.pass(72);
  expect(await bed.notices()).toEqual([]);
});

test('who is back before anybody acted is taken out, and proposed again when they leave again', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.set('rosa', false);
  await bed.set('kim', false);
  await bed.until(tuesdayAt9);
  await bed.set('rosa', true);
  expect(await bed.proposed()).toEqual([{ rosa: 'back', kim: 'open' }]);
  expect(await bed.refreshes('n-1')).toBe(2);
  expect(await bed.service.left('n-1')).toEqual([{ userId: 'kim', isProtected: false }]);
  await bed.set('kim', true);
  expect(await bed.service.left('n-1')).toBeUndefined();
  expect(await bed.departures.live('T1', 'departures-n-1.0')).toMatchObject({ isFinal: true });
  await bed.set('rosa', false);
  await bed.pass(24);
  expect(await bed.proposed()).toEqual([{ rosa: 'back', kim: 'back' }, { rosa: 'open' }]);
});

test('who is suspended meanwhile, deleted or left active drops out, and is not proposed again', async () => {
  const others = Array.from({ length: 30 }, (_, index) => `p-${index}`);
  const bed = await openDepartures(['rosa', 'kim', 'tom', 'ben', ...others]);
  for (const name of ['rosa', 'kim']) await bed.set(name, false);
  await bed.until(tuesdayAt9);
  bed.suspend('rosa');
  await bed.service.dismiss('n-1', ['kim', 'tom'], 'UADA');
  await bed.pass(0);
  expect(await bed.proposed()).toEqual([{ rosa: 'suspended', kim: 'dismissed' }]);
  await bed.set('ben', false);
  await bed.until(tuesdayAt9 + 24 * hourMs);
  bed.users.delete('ben');
  await bed.departures.accountChanged('T1');
  await bed.pass(0.01);
  await bed.pass(24 * 7);
  expect(await bed.proposed()).toEqual([{ rosa: 'suspended', kim: 'dismissed' }, { ben: 'deleted' }]);
});

test('who is back after being suspended for it can be reinstated, also where the bot learns both at once', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.set('rosa', false);
  await bed.until(tuesdayAt9);
  bed.suspend('rosa');
  await bed.set('rosa', true);
  await bed.pass(0);
  expect(await bed.notices()).toMatchObject([
    { kind: 'proposal', people: [{ userId: 'rosa', end: { kind: 'suspended' } }] },
    { kind: 'return', people: [{ userId: 'rosa', at: tuesdayAt9 }] },
  ]);
  bed.suspend('rosa', false);
  await bed.pass(2);
  expect(await bed.notices()).toMatchObject([{}, { people: [{ end: { kind: 'reinstated' } }] }]);
});

test('a person who was suspended for another reason, and leaves and comes back, is nobody’s matter', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  bed.suspend('rosa');
  await bed.set('rosa', false);
  await bed.pass(48);
  await bed.set('rosa', true);
  await bed.pass(48);
  expect(await bed.notices()).toEqual([]);
});

test('owners and the last administrator are never proposed', async () => {
  const names = ['ada', 'otto', 'rosa', ...Array.from({ length: 40 }, (_, index) => `p-${index}`)];
  const bed = await openDepartures(names, { owners: ['U-otto'] });
  bed.users.set('ada', { ...bed.users.get('ada')!, user_type: 'administrator', manage_users: true });
  for (const name of ['ada', 'otto', 'rosa']) await bed.set(name, false);
  await bed.until(tuesdayAt9);
  expect(await bed.proposed()).toEqual([{ rosa: 'open' }]);
  expect(await bed.service.left()).toContainEqual({ userId: 'otto', isProtected: true });
});

test('a proposal on which nobody decides is over after 30 days, and forgotten after 60', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.set('rosa', false);
  await bed.pass(24 * 20);
  expect(await bed.proposed()).toEqual([{ rosa: 'open' }]);
  await bed.pass(24 * 12);
  expect(await bed.proposed()).toEqual([{ rosa: 'expired' }]);
  await bed.set('kim', false);
  await bed.pass(24 * 36);
  expect(await bed.proposed()).toEqual([{ kim: 'expired' }]);
});

test('a mass deactivation is told once, and none of them is proposed later', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `p-${index}`);
  const bed = await openDepartures(names);
  for (const name of names.slice(0, 5)) await bed.set(name, false);
  await bed.until(tuesdayAt9);
  expect(await bed.notices()).toMatchObject([{ kind: 'mass', count: 5, of: 40 }]);
  await bed.pass(24 * 5);
  expect(await bed.notices()).toHaveLength(1);
});

test('while Slack does not say who is there, nobody has left, and it is read again', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  bed.platform.isAway = true;
  await bed.set('rosa', false);
  await bed.pass(30);
  expect(await bed.departures.departed('T1')).toEqual(new Set());
  bed.platform.isAway = false;
  await bed.pass(1);
  expect(await bed.departures.departed('T1')).toEqual(new Set(['U-rosa']));
  expect(await bed.proposed()).toEqual([{ rosa: 'open' }]);
});

test('where nobody can be asked, people are proposed another day', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  bed.platform.readers = [];
  await bed.set('rosa', false);
  await bed.until(tuesdayAt9);
  expect([bed.unasked, await bed.notices()]).toEqual([[tuesdayAt9], []]);
  bed.platform.readers = [{ personId: 'UADA' }, { personId: 'UTOM' }];
  await bed.pass(24);
  expect(await bed.proposed()).toEqual([{ rosa: 'open' }]);
  expect([await bed.refreshes('n-1', 0), await bed.refreshes('n-1', 1)]).toEqual([1, 1]);
  expect(await bed.departures.live('T1', 'departures-n-1.1')).toMatchObject({
    to: { personId: 'UTOM' },
    isFinal: false,
  });
  expect(await bed.departures.live('T1', 'departures-n-1.2')).toBeUndefined();
});

test('a person who is back is found by asking, though no event says so, and taken out of the proposal', async () => {
  const bed = await openDepartures(['rosa', 'kim', 'tom']);
  await bed.set('rosa', false);
  await bed.set('kim', false);
  await bed.until(tuesdayAt9);
  await bed.set('kim', true, { isHeard: false });
  const isGone = async (name: string) => bed.service.isGone(bed.users.get(name)!);
  expect([await isGone('rosa'), await isGone('kim')]).toEqual([true, false]);
  await bed.until(tuesdayAt9 + 1);
  expect(await bed.proposed()).toEqual([{ rosa: 'open', kim: 'back' }]);
});
