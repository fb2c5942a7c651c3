import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { storyStores, environmentOf, inTheAccount, manyChanges } from '../support/many-changes.ts';
import { actionIdOf, safetyQuiz, commandReply, locationOf } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';
import { parse } from 'csv-parse/sync';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';

const { ada, tom, ravi, nora, rosa } = people;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const sundayEvening = Date.UTC(2030, 0, 6, 22);
const mondayMorning = Date.UTC(2030, 0, 7, 11);

test.each(storyStores)(
  'over %s, excuses, “Not me” and due times are taken back, and everybody hears once of a new due time',
  async (store) => {
    const { clock, account, start, reply, press, directMessage, answer, report, written } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    await start(ada.id, '"Workplace safety" for @ravi, @nora, @rosa due 2030-01-18 12:00 remind none');
    await clock.skip(15 * hourMs);
    for (const { id } of [ravi, nora, rosa]) await directMessage(id, 'asks you to take');

    const excused = await reply(ada.id, '/quiz-campaign excuse workplace @nora because on leave');
    expect(textOf(excused)).toContain('They get no more reminders.');
    await press(ada.id, excused, 'Undo');
    await answer(ada.id, 'Included *Nora Fields* in');
    expect(textOf(await reply(ada.id, '/quiz-campaign excuse workplace @ravi until 9 jan because on leave'))).toMatch(
      /until <!date\^\d+\^{date_long_pretty}\|Wed 9 Jan>\. They get no reminders/,
    );

    const asked = await directMessage(rosa.id, 'asks you to take');
    await press(rosa.id, asked, 'Not me');
    await press(ada.id, await directMessage(ada.id, 'isn’t for them'), 'Keep in');
    await answer(ada.id, 'Included *Rosa Almeida* in');

    const moved = await reply(ada.id, '/quiz-campaign extend workplace to 1 week');
    expect(textOf(moved)).toMatch(
      new RegExp(`Moved the due time of the campaign for \\*${safetyQuiz}\\* to <!date[^|]*\\|Fri 25 Jan, 12:00>`),
    );
    expect(textOf(moved)).toContain('2 people will get a message about it');
    await press(ada.id, moved, 'Undo');
    expect(textOf(await answer(ada.id, '|Fri 18 Jan, 12:00>'))).not.toContain('will get a message');
    await clock.skip(24 * hourMs);
    expect(written(nora.id)).toHaveLength(1);
    await directMessage(rosa.id, 'is for you after all');

    expect(textOf(await reply(ada.id, '/quiz-campaign extend workplace to 2030-01-16 12:00'))).toContain(
      '|Wed 16 Jan, 12:00>',
    );
    await clock.skip(24 * hourMs);
    for (const { id } of [nora, rosa]) await directMessage(id, 'is due earlier now');
    // Ravi’s excuse has ended.
    await directMessage(ravi.id, /is due earlier now|Reminder/);
    await clock.skip(48 * hourMs);
    expect([written(nora.id).length, written(rosa.id).length, written(ravi.id).length]).toEqual([2, 3, 2]);
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toMatch(/Nora Fields[^\n]* · messaged /);
    const noras = (await report(ada.id, 'workplace')).get('Nora Fields');
    expect([noras?.['Reminded (UTC)'], noras?.['New due time sent (UTC)']]).toEqual([
      '',
      expect.stringMatching(/^2030-01-/),
    ]);

    account.remove('nora');
    await clock.skip(30 * hourMs);
    expect(textOf(await reply(ada.id, '/quiz-campaign extend workplace to 1 week'))).toContain(
      '2 people will get a message about it',
    );
  },
);

test('the owner reads that another company can see the channel of the board', async () => {
  const { clock, workspace, start, directMessage } = await openSkippedCampaigns('SQLite', sundayEvening);
  await start(ada.id, '"Workplace safety" for @ravi due 2030-01-18 12:00 board #training');
  workspace.setChannel(workspace.channels.training.id, { sharedWith: [{ id: 'T0PARTNER', name: 'Partner' }] });
  await clock.skip(15 * hourMs);
  const note = textOf(await directMessage(ada.id, 'Another company can read'));
  expect(note).toMatch(/<#\w+> now, where the campaign for \*Workplace safety basics\* shows its progress/);
});

test('an excuse that was given anew since then, or a due time that was moved, goes back only once that is confirmed, and so does what takes it back', async () => {
  const { clock, start, reply, press, answer } = await openSkippedCampaigns('SQLite', sundayEvening);
  await start(ada.id, '"Workplace safety" for @ravi due 2030-01-18 12:00 remind none');
  const excused = await reply(ada.id, '/quiz-campaign excuse workplace @ravi because on leave');
  await clock.skip(hourMs);
  await reply(tom.id, '/quiz-campaign excuse workplace @ravi until 16 jan because parental leave');
  await press(ada.id, excused, 'Undo');
  const asked = await answer(ada.id, 'was excused anew since then: *parental leave*. Include them all the same?');
  await press(ada.id, asked, 'Include');
  const included = await answer(ada.id, 'Included *Ravi Banerjee* in');
  await reply(tom.id, '/quiz-campaign excuse workplace @ravi because he is ill');
  await press(ada.id, included, 'Undo');
  const again = await answer(ada.id, 'was excused anew since then: *he is ill*. Excuse them as before all the same?');
  await press(ada.id, again, 'Excuse');
  expect(textOf(await answer(ada.id, 'Excused *Ravi Banerjee* from'))).toContain('|Wed 16 Jan>');

  const moved = await reply(ada.id, '/quiz-campaign extend workplace to 1 week');
  await reply(tom.id, '/quiz-campaign extend workplace to 2030-02-15 12:00');
  await press(ada.id, moved, 'Undo');
  await press(ada.id, await answer(ada.id, 'since then. Move it back all the same?'), 'Move it back');
  await answer(ada.id, /Moved the due time of the campaign[^]*\|Fri 18 Jan, 12:00>/);
});

test('what takes back an excuse that took the place of another excuses as before', async () => {
  const { start, reply, press, answer } = await openSkippedCampaigns('SQLite', sundayEvening);
  await start(ada.id, '"Workplace safety" for @ravi, @nora due 2030-01-18 12:00 remind none');
  const leave = '/quiz-campaign excuse workplace @ravi until 9 jan because on leave';
  await reply(ada.id, leave);
  const longer = await reply(ada.id, '/quiz-campaign excuse workplace @ravi until 16 jan because parental leave');
  await press(ada.id, longer, 'Undo');
  await answer(ada.id, /Excused \*Ravi Banerjee\* from .*\|Wed 9 Jan>/);
  expect(textOf(await reply(ada.id, leave))).toContain('was excused already. Nothing changed.');
  const other = '/quiz-campaign excuse workplace @ravi until 9 jan because on sick leave';
  expect(textOf(await reply(ada.id, other))).toContain('Excused *Ravi Banerjee* from');
  expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toContain('on sick leave');
  // No one button takes both back.
  const both = await reply(ada.id, '/quiz-campaign excuse workplace @ravi, @nora because they left');
  expect(() => actionIdOf(both, 'Undo')).toThrow();
});

test.each(storyStores)(
  'over %s, a campaign rests while its quiz is closed, goes on under its new name, and ends when it is deleted',
  async (store) => {
    const { clock, account, start, reply, press, directMessage, answer, written } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    await start(ada.id, '"Workplace safety" for @ravi, @nora due 2030-01-09 12:00 remind 1d overdue 1d');
    account.setStatus(safetyQuiz, 'closed');
    await clock.skip(15 * hourMs);
    const paused = await directMessage(ada.id, 'isn’t open any more, so its campaign is paused');
    expect([...written(ravi.id), ...written(nora.id)]).toEqual([]);
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toContain('The quiz isn’t open');

    await press(ada.id, paused, 'Open quiz');
    await answer(ada.id, `Opened *${safetyQuiz}*`);
    for (const { id } of [ravi, nora]) await directMessage(id, `asks you to take *${safetyQuiz}*`);

    account.rename(safetyQuiz, 'Safety first 2030');
    await clock.skip(24 * hourMs);
    await directMessage(ravi.id, /Reminder from .*please take \*Safety first 2030\*/);
    expect(textOf(await reply(ada.id, '/quiz-campaign show safety first'))).toContain(
      'Campaign for *Safety first 2030*',
    );

    account.removeQuiz('Safety first 2030');
    await clock.skip(48 * hourMs);
    await directMessage(ada.id, 'is over, since the quiz was deleted');
    expect([written(ravi.id).length, written(nora.id).length]).toEqual([2, 2]);
  },
);

test.each(storyStores)(
  'over %s, a campaign is handed over when whoever started it leaves, and its report knows who passes after the end',
  async (store) => {
    const { clock, account, start, reply, press, directMessage, answer, report } = await openSkippedCampaigns(
      store,
      sundayEvening,
    );
    await start(tom.id, '"Workplace safety" for @ravi, @rosa due 2030-01-09 12:00 remind 1d escalate 1d');
    await clock.skip(15 * hourMs);
    account.remove('tom');
    await clock.skip(24 * hourMs);
    const orphaned = await directMessage(ada.id, 'Nobody answers for the campaign');
    await press(ada.id, orphaned, 'Take over');
    await answer(ada.id, 'Handed the campaign');
    const shown = textOf(await reply(ada.id, '/quiz-campaign show workplace'));
    expect(shown).toMatch(new RegExp(`Started by <@${tom.id}> .* · <@${ada.id}> answers for it`));
    await clock.skip(48 * hourMs);
    await directMessage(ada.id, '2 people still have to take');
    await press(ada.id, await reply(ada.id, '/quiz-campaign end workplace'), 'End anyway');
    await answer(ada.id, 'Ended the campaign');
    account.pass('ravi', safetyQuiz);
    const rows = await report(ada.id, 'workplace');
    expect(rows.get('Ravi Banerjee')).toMatchObject({ State: 'done', 'State at the end': 'missing' });
    expect(rows.get('Rosa Almeida')).toMatchObject({ State: 'missing', 'State at the end': 'missing' });
  },
);

test.each(storyStores)(
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
  const preview = await reply(ada.id, '/quiz-campaign change workplace valid 6 months remind 14d, 1d escalate 3d');
  const missed = 'No reminder comes 14 days before it’s due: that’s over already.';
  expect(textOf(preview)).toContain(missed);
  expect(textOf(preview)).toContain('For good → for 6 months');
  expect(textOf(preview)).toContain('Ravi Banerjee would have to take it');
  await press(ada.id, preview, 'Change the rules');
  expect(textOf(await answer(ada.id, 'Changed the rules of the campaign for'))).toContain(missed);
  expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).toMatch(/0 of 2 people.*1 day before/s);

  await press(ada.id, await reply(ada.id, '/quiz-campaign end workplace'), 'End anyway');
  await answer(ada.id, 'Ended the campaign');
  await reply(ada.id, '/quiz-campaign change workplace remind 2d');
  await answer(ada.id, 'There’s no running campaign');
});

test.each(storyStores)(
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
