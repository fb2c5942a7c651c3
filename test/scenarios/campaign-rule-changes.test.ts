import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { environmentOf, inTheAccount, manyChanges, storesFor } from '../support/many-changes.ts';
import { commandReply, locationOf, safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const stores = storesFor(import.meta.filename);

const { ada, tom, ravi, nora, rosa } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const mondayMorning = Date.UTC(2030, 0, 7, 11);

test.each(stores)(
  'over %s, another rule shows the difference it makes before it counts, and then people hear once of what is new to them',
  async (store) => {
    const bed = await openSkippedCampaigns(store, mondayMorning);
    const { clock, account, start, reply, press, answer, directMessage, written } = bed;
    account.pass('ravi', safetyQuiz, Date.UTC(2029, 2, 1, 10));
    await start(ada.id, `"${safetyQuiz}" for @ravi, @nora, @rosa within 14d valid 12 months remind none`);
    for (const { id } of [nora, rosa]) await directMessage(id, 'asks you to take');
    await clock.skip(dayMs);

    const preview = await reply(ada.id, '/quiz-campaign change workplace within 7d valid 6 months renew 14d');
    const said = textOf(preview);
    expect(said).toContain('Change the rules of the campaign for *Workplace safety basics*. Nothing changes until');
    expect(said).toContain('14 days after joining → 7 days after joining');
    expect(said).toContain('For 12 months, and is to be renewed 30 days before → for 6 months');
    expect(said).toContain('• People: 3 due (now 2), 0 valid (now 1).');
    expect(said).toContain('Ravi Banerjee would have to take it, and doesn’t have to now.');
    expect(said).toContain('Nora Fields, Rosa Almeida would have it due at another time.');
    expect(said).toMatch(/3 people would get their next messages sooner, the first <!date/);
    // Nothing counts yet.
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toContain('14 days after joining');
    expect(written(ravi.id)).toEqual([]);

    await press(ada.id, preview, 'Change the rules');
    const changed = await answer(ada.id, 'Changed the rules of the campaign for');
    expect(textOf(changed)).toContain('due: 7 days after joining');
    await directMessage(ravi.id, 'asks you to take');
    await clock.skip(dayMs);
    for (const { id } of [nora, rosa]) await directMessage(id, 'is due earlier now');
    await clock.skip(2 * dayMs);
    expect([ravi, nora, rosa].map(({ id }) => written(id).length)).toEqual([1, 2, 2]);
    expect((await bed.report(ada.id, 'workplace')).get('Rosa Almeida')).toMatchObject({
      'Due (UTC)': '2030-01-14T17:00:00.000Z',
    });

    const undo = await reply(ada.id, '/quiz-campaign change workplace within 14d valid 12 months renew 30d');
    expect(textOf(undo)).toContain('7 days after joining → 14 days after joining');
    expect(textOf(undo)).toContain('Ravi Banerjee wouldn’t have to take it any more.');
    await press(ada.id, undo, 'Change the rules');
    await answer(ada.id, 'due: 14 days after joining');
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toContain('14 days after joining');

    const trail = await bed.fileFor(ada.id, '/quiz-admin audit since 7d csv', 'of the audit trail');
    const record: Record<string, string>[] = parse(trail, { bom: true, columns: true });
    expect(record.filter(({ operation }) => operation === 'run-rule-change').map(({ details }) => details)).toEqual([
      expect.stringContaining('due: 7 days after joining (now 14 days after joining)'),
      expect.stringContaining('due: 14 days after joining (now 7 days after joining)'),
    ]);
  },
);

test('a round keeps its due time, and a rule that is none for it is refused with what to do instead', async () => {
  const { account, start, reply, press, answer } = await openSkippedCampaigns('SQLite', mondayMorning);
  await start(ada.id, `"${safetyQuiz}" for @ravi, @nora due 2030-01-18 12:00 remind none`);
  const said = async (line: string) => textOf(await reply(ada.id, `/quiz-campaign change ${line}`));
  expect(await said('workplace within 7d')).toContain('is one round, with one due time for everyone');
  expect(await said('workplace due friday')).toContain('type /quiz-campaign extend');
  expect(await said('workplace remind none')).toContain('has these rules already. Nothing changed.');
  expect(await said('workplace overdue 12h')).toContain('enter 1d or more');

  account.pass('ravi', safetyQuiz, Date.UTC(2029, 2, 1, 10));
  const preview = await reply(ada.id, '/quiz-campaign change workplace valid 6 months remind 1d escalate 3d');
  expect(textOf(preview)).toContain('For good → for 6 months');
  expect(textOf(preview)).toContain('Ravi Banerjee would have to take it');
  await press(ada.id, preview, 'Change the rules');
  await answer(ada.id, 'Changed the rules of the campaign for');
  expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toMatch(/0 of 2 people.*1 day before/s);

  await press(ada.id, await reply(ada.id, '/quiz-campaign end workplace'), 'End');
  await answer(ada.id, 'Ended the campaign');
  await reply(ada.id, '/quiz-campaign change workplace remind 2d');
  await answer(ada.id, 'There’s no running campaign');
});

test.each(stores)(
  'over %s, another rule by which people have to take the quiz whom the person doesn’t train is approved first',
  async (store) => {
    const testBed = await startApprovalsTestBed({
      env: { ALERTS_CHANNEL: '', OWNERS: '', ...(await environmentOf(store)) },
    });
    const account = inTheAccount(testBed);
    account.forgetAttempts();
    account.train('tom', { groups: ['Kitchen'] });
    const { workspace } = testBed;
    const half = new Date(Date.now() - 200 * dayMs).getTime();
    account.pass('ravi', safetyQuiz, half);
    const line = `/quiz-campaign start "${safetyQuiz}" for @ravi within 14d valid 12 months escalate 3d to Tom Lindqvist`;
    expect(await manyChanges(testBed, ada.id).start(await commandReply(testBed, ada.id, line))).toContain(
      'Started a campaign',
    );
    const change = '/quiz-campaign change workplace valid 6 months';
    const preview = await commandReply(testBed, tom.id, change);
    expect(textOf(preview)).toContain('You don’t train all of the people who would have to take it');
    const { channel, ts } = preview;
    const opened = await (await workspace.as(tom.id).click({ channel, ts }, 'form:run-rule-change')).view();
    const form = await workspace.until(() =>
      workspace
        .views(tom.id)
        .find((view) => view.id === opened.id && !textOf(view).includes('Asking the quiz service')),
    );
    expect((await workspace.as(tom.id).submit(form, { reason: 'The law has changed' })).errors).toBeUndefined();
    const { requests, approve, directMessageWith } = approvalActions(testBed);
    const request = await workspace.until(() => requests()[0]);
    expect(textOf(request)).toContain('1 person would have to take the quiz who doesn’t now: *Ravi Banerjee*');
    expect(workspace.directMessages(ravi.id)).toEqual([]);

    await approve(ada.id, request);
    expect(await directMessageWith(tom.id, 'approved:')).toContain('Changed the rules of the campaign');
    expect(textOf(await commandReply(testBed, ada.id, '/quiz-campaign show workplace'))).toContain('For 6 months');
    // An administrator trains everyone.
    const own = await commandReply(testBed, ada.id, '/quiz-campaign change workplace valid 5 months');
    await workspace.as(ada.id).click(locationOf(own), 'choose:run-rule-change');
    await workspace.until(() =>
      workspace.ephemerals(ada.id).find((message) => textOf(message).includes('Changed the rule')),
    );
  },
);
