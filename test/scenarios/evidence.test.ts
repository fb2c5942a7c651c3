import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { expect, test, describe } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { textOfSent } from '../support/csv-of.ts';
import { storyStores } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, ravi, nora, rosa } = people;
const hourMs = 60 * 60_000;
const sundayEvening = Date.UTC(2030, 0, 6, 22);
const verifier = new URL('../../src/features/evidence/verify.mjs', import.meta.url);

test.each(storyStores)(
  'over %s, anybody can check the evidence of a campaign with Node alone, against the key that the status shows',
  async (store) => {
    const bed = await openSkippedCampaigns(store, sundayEvening);
    const { clock, testBed, account, start, bytesFor, reply, directMessage, skipStopped } = bed;
    await start(ada.id, '"Workplace safety" for @ravi, @nora, @rosa due 2030-01-09 12:00 remind none');
    await clock.skip(15 * hourMs);
    for (const { id } of [ravi, nora, rosa]) await directMessage(id, 'asks you to take');
    await reply(ada.id, '/quiz-campaign excuse workplace @nora because on leave');
    account.pass('ravi', safetyQuiz);
    await clock.skip(4 * 24 * hourMs);

    const pack = async (line: string) => {
      const path = join(temporaryDirectory(), 'pack.zip');
      writeFileSync(path, await bytesFor(ada.id, line, 'Sent you the evidence pack'));
      return path;
    };
    const fingerprint = /key `([0-9a-f]{64})`/.exec(textOf(await reply(ada.id, '/quiz-admin status')))?.[1] ?? '';
    const check = (path: string) =>
      execFileSync(process.execPath, [verifier.pathname, path, fingerprint], { env: {}, encoding: 'utf8' });

    const path = await pack('/quiz-campaign evidence workplace');
    expect(check(path)).toContain('That is the key that you gave.');
    const files = unzipSync(readFileSync(path));
    const rows = (table: string) =>
      parse(Buffer.from(files[`${table}.csv`]!), { bom: true, columns: true }) as Record<string, string>[];
    const states = Object.fromEntries(
      rows('obligations').map((row) => [row['Person'], row['State at the end of the period']]),
    );
    expect(states).toEqual({ 'Ravi Banerjee': 'done', 'Nora Fields': 'excused', 'Rosa Almeida': 'overdue' });
    expect(rows('messages').every(({ Result }) => Result === 'arrived')).toBe(true);
    expect(rows('excuses')).toMatchObject([{ Person: 'Nora Fields', Because: 'on leave', By: 'Ada Okafor' }]);
    expect(rows('rules').map(({ What }) => What)).toEqual(expect.arrayContaining(['done: excuse-campaign']));
    expect(Buffer.from(files['summary.html']!).toString()).toContain('read from the quiz service');

    const sent = testBed.workspace.directMessages(ada.id).flatMap(({ files: some = [] }) => some);
    expect(sent.map(({ name }) => name)).toEqual([
      'Workplace safety basics evidence 2030-01-11.xlsx',
      'Workplace safety basics evidence 2030-01-11.zip',
    ]);
    const workbook = parse(await textOfSent(sent[0]!.url), { columns: true }) as Record<string, string>[];
    expect(workbook.map((row) => [row['Person'], row['State at the end of the period'], row['Late']])).toEqual(
      rows('obligations').map((row) => [row['Person'], row['State at the end of the period'], row['Late']]),
    );

    // The key is the store’s, and outlasts the process.
    await skipStopped(hourMs);
    expect(check(await pack('/quiz-campaign evidence all since 2030-01-01'))).toContain(
      'That is the key that you gave.',
    );
    expect(textOf(await reply(ada.id, '/quiz-campaign evidence since 2029-01-01 until 2029-06-30'))).toContain(
      'No campaign that you can see ran',
    );
    expect(textOf(await reply(rosa.id, '/quiz-campaign evidence'))).not.toContain('Sent');
    expect(textOf(await reply(tom.id, '/quiz-campaign evidence workplace since tomorrow'))).toContain(
      'The period would begin',
    );
    const logs = readdirSync(testBed.folder).filter((name) => name.endsWith('.log'));
    for (const log of logs) expect(readFileSync(join(testBed.folder, log), 'utf8')).not.toContain('MC4CAQAw');
    expect(logs).not.toEqual([]);
  },
);

describe('evidence of years ago', () => {
  const dayMs = 24 * hourMs;
  const yearMs = 365 * dayMs;

  test('evidence of the year before last names people and quizzes that are gone as they were, and campaigns of then are found by name', async () => {
    const { clock, account, start, reply, bytesFor, skipStopped } = await openSkippedCampaigns('SQLite', sundayEvening);
    await start(ada.id, '"Workplace safety" for @ravi, @nora due 2030-01-09 12:00 remind none');
    await clock.skip(2 * dayMs);
    account.pass('ravi', safetyQuiz, clock.now() - 60 * 60_000);
    const rowsOf = async (table: string) => {
      const bytes = await bytesFor(
        ada.id,
        '/quiz-campaign evidence since 2030-01-01 until 2030-12-31',
        'Sent you the evidence',
      );
      return parse<Record<string, string>>(Buffer.from(unzipSync(bytes)[`${table}.csv`]!), {
        bom: true,
        columns: true,
      });
    };
    const expected = [
      { person: 'Nora Fields', quiz: safetyQuiz, state: 'overdue' },
      { person: 'Ravi Banerjee', quiz: safetyQuiz, state: 'done' },
    ];
    const stated = async () =>
      (await rowsOf('obligations'))
        .map((row) => ({ person: row['Person'], quiz: row['Quiz'], state: row['State at the end of the period'] }))
        .toSorted((one, other) => one.person!.localeCompare(other.person!));
    await clock.skip(3 * dayMs);
    expect(await stated()).toEqual(expected);

    account.forget('ravi', safetyQuiz);
    account.remove('ravi');
    await clock.skip(dayMs);
    expect(textOf(await reply(ada.id, '/quiz-campaign matrix'))).toContain('2 people');
    expect(await stated()).toEqual(expected);
    account.removeQuiz(safetyQuiz);
    await clock.skip(2 * dayMs);
    await skipStopped(1.2 * yearMs);
    const list = await reply(ada.id, '/quiz-campaign list');
    expect(textOf(list)).toContain('1 campaign ended more than a year ago');
    expect(textOf(list)).not.toContain(safetyQuiz);
    expect(textOf(await reply(ada.id, '/quiz-campaign list workplace'))).toContain(safetyQuiz);
    expect(await stated()).toEqual(expected);
  });
});
