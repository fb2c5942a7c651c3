import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { safetyQuiz } from '../support/results.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { textOf } from '../support/test-bed.ts';

const { ada } = people;
const dayMs = 24 * 60 * 60_000;
const yearMs = 365 * dayMs;
const sundayEvening = Date.UTC(2030, 0, 6, 22);

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
    return parse<Record<string, string>>(Buffer.from(unzipSync(bytes)[`${table}.csv`]!), { bom: true, columns: true });
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
