import { expect, test } from 'vitest';
import { campaignCandidates, campaignFacts, withStarters } from '../../../src/operations/fields/campaign.ts';
import { campaignOf, dayMs, monday, openEnd } from '../../support/builders/campaigns.ts';
import { asSent } from '../../support/as-sent.ts';

test('a campaign is told from others by its due time and who started it', () => {
  expect(asSent(campaignFacts({ ...campaignOf(), starter: 'Tom Lindqvist' }))).toBe(
    'due 7 Dec 2026, 10:00, by “Tom Lindqvist”',
  );
  expect(asSent(campaignFacts(campaignOf({ ...openEnd })))).toBe('started 23 Nov 2026, 10:00');
  expect(asSent(campaignFacts(campaignOf({ endedAt: monday + dayMs })))).toBe('ended 24 Nov 2026');
  expect(asSent(campaignFacts(campaignOf({ leads: ['tom'], timeZone: 'Asia/Tokyo' })))).toBe('due 7 Dec 2026, 19:00');
});

test('of campaigns with the same due time and starter, the choices name the start', () => {
  const campaigns = [
    campaignOf({ id: 'c-1' }),
    campaignOf({ id: 'c-2', startedAt: monday + dayMs }),
    campaignOf({ id: 'c-3', dueAt: monday }),
  ];
  const choices = campaignCandidates(campaigns).map(({ value, label }) => ({ value, label: asSent(label, 'label') }));
  expect(choices).toEqual([
    { value: 'c-1', label: 'Fire safety, started 23 Nov 2026, 10:00' },
    { value: 'c-2', label: 'Fire safety, started 24 Nov 2026, 10:00' },
    { value: 'c-3', label: 'Fire safety, due 23 Nov 2026, 10:00' },
  ]);
});

test('a choice fits on a button with its due time and starter, however long the names are', () => {
  const starter = 'Wolfeschlegelsteinhausenbergerdorff Anna-Maria';
  const quiz = { id: 'q-1', name: 'Everything that is to be known about lifts and ladders' };
  const [choice] = campaignCandidates([{ ...campaignOf({ quiz }), starter }]);
  const label = asSent(choice?.label ?? '', 'label');
  expect(label.length).toBeLessThanOrEqual(75);
  expect(label).toMatch(/^Everything that is.*…, due 7 Dec 2026, 10:00, by Wolfeschlegelstei…$/);
});

test('the name is left out where nobody says who started it', async () => {
  const actorOf = async (personId: string) => {
    if (personId === 'UTOM') throw new Error('Slack is away');
    return { personId, isOwner: false, user: undefined, nobody: undefined, name: 'Ada' };
  };
  const found = await withStarters([campaignOf(), campaignOf({ ownerId: 'UADA' })], { actorOf });
  expect(found.map(({ starter }) => starter)).toEqual([undefined, 'Ada']);
});
