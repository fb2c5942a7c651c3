import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { storesFor } from '../support/many-changes.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const stores = storesFor(import.meta.filename);

const { ada, ravi, nora, rosa } = people;
const hourMs = 60 * 60_000;
const sundayEvening = Date.UTC(2030, 0, 6, 22);

/** Several days pass, in messages that come at their times. */
test.each(stores)('over %s, a campaign says of each person what arrived and what did not, and why', async (store) => {
  const { clock, workspace, start, reply, report } = await openSkippedCampaigns(store, sundayEvening);
  await start(ada.id, '"Workplace safety" for @ravi, @nora, @rosa due 2030-01-11 12:00 remind 3d, 1d');
  workspace.setPerson({ ...people.rosa, isDeleted: true });
  await clock.skip(16 * hourMs);
  await clock.skip(48 * hourMs);

  const show = async () => textOf(await reply(ada.id, '/quiz-campaign show workplace'));
  await expect.poll(show).toContain('not reached: nobody in Slack has their address');
  const shown = await show();
  expect(shown).toMatch(/Nora.*reminded/);
  expect(shown).toMatch(/Rosa Almeida · not reached: nobody in Slack has their address/);

  const rows = await report(ada.id, 'workplace');
  const cell = (name: string, title: string) => rows.get(name)?.[title];
  /** Slack’s times of the messages that a person got. */
  const gotAt = (id: string) =>
    workspace.directMessages(id).map(({ ts }) => new Date(Math.floor(Number(ts) * 1_000)).toISOString().slice(0, 16));
  for (const [name, { id }] of [
    ['Ravi Banerjee', ravi],
    ['Nora Fields', nora],
    ['Rosa Almeida', rosa],
  ] as const) {
    const arrived = [cell(name, 'First message (UTC)'), ...(cell(name, 'Reminded (UTC)') ?? '').split(' ')];
    expect(arrived.filter(Boolean).map((at) => at!.slice(0, 16))).toEqual(gotAt(id));
  }
  expect(cell('Rosa Almeida', 'Not reached')).toContain('nobody in Slack has their address');
  expect(cell('Nora Fields', 'Not reached')).toBe('');
});
