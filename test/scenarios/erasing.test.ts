import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { people, teamId } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { stores } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { organization } from '../support/open-test-bed.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, tom, uma, ravi, rosa } = people;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const sundayEvening = Date.UTC(2030, 0, 6, 22);
const verifier = new URL('../../src/features/evidence/verify.mjs', import.meta.url);
/** The key of the language that she chose, in SQLite and in Redis. */
const languageKeys = [':', '::'].flatMap((colons) =>
  [teamId, organization.id].map((team) => `person-languages${colons}${team}:${rosa.id}`),
);
/** What names Rosa, and what was entered about her. */
const canaries = ['Rosa', 'Almeida', 'rosa@', '|rosa', 'Lisbon', 'Porto', ...languageKeys];

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** Which canaries are in which files. */
function foundIn(files: Readonly<Record<string, Uint8Array>>): string[] {
  return Object.entries(files).flatMap(([name, bytes]) =>
    canaries.filter((canary) => Buffer.from(bytes).includes(canary)).map((canary) => `${canary} in ${name}`),
  );
}

test.each(stores)(
  'over %s, a person who is erased is in no file of the store, no log and no later pack, although the bot is killed in the middle',
  async (store) => {
    const bed = await openSkippedCampaigns(store, sundayEvening, {
      env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
    });
    const { clock, testBed, account, start, bytesFor, reply, directMessage, workspace } = bed;
    const { ask, approve } = approvalActions(bed);
    const bot = testBed.bots[0]!;
    const kept = () => foundIn(Object.fromEntries(filesIn(testBed.folder).map((path) => [path, readFileSync(path)])));

    await start(ada.id, `"${safetyQuiz}" for @ravi, @rosa due 2030-01-09 12:00 remind none`);
    await clock.skip(15 * hourMs);
    await directMessage(rosa.id, 'asks you to take');
    account.pass('ravi', safetyQuiz);
    await reply(ada.id, '/quiz-campaign excuse workplace @rosa because she is in Lisbon');
    await reply(ada.id, '/quiz-group add @rosa to Kitchen');
    await ask(uma.id, '/quiz-user suspend @rosa --reason "moves to Porto"');
    const userId = account.userId('rosa');
    await workspace.as(rosa.id).openHome();
    await workspace
      .as(rosa.id)
      .click({ view: await workspace.until(() => workspace.home(rosa.id)) }, 'choose-language', 'pl');
    await expect.poll(kept).toContainEqual(expect.stringContaining(rosa.id));

    const request = await ask(tom.id, '/quiz-admin erase @rosa --reason "Rosa Almeida asked for it"');
    expect(textOf(request)).toContain('would be deleted for good in the quiz account');
    expect(textOf(request)).toContain('What stays: ');
    await approve(ada.id, request);
    await expect.poll(() => account.user('rosa@quiz.example')).toBeUndefined();
    await bot.kill();
    await bot.start();

    const finished = async () => textOf(await reply(ada.id, '/quiz-admin audit erase-person'));
    for (let steps = 0; steps < 20; steps += 1) {
      if (/finished erasing a person from \d+ texts/.test(await finished())) break;
      await clock.skip(5 * minuteMs);
    }
    expect(await finished()).toMatch(/finished erasing a person from \d+ texts/);
    await expect.poll(kept, { interval: 1_000 }).toEqual([]);
    expect(textOf(await reply(ada.id, '/quiz-admin audit verify'))).toContain('is complete');
    expect(textOf(await reply(ada.id, '/quiz-campaign show workplace'))).not.toMatch(/Rosa|Lisbon/);

    const path = join(temporaryDirectory(), 'pack.zip');
    writeFileSync(path, await bytesFor(ada.id, '/quiz-campaign evidence workplace', 'Sent you the evidence pack'));
    const files = unzipSync(readFileSync(path));
    expect(foundIn(files)).toEqual([]);
    const rows: Record<string, string>[] = parse(Buffer.from(files['population.csv']!), { bom: true, columns: true });
    expect(new Set(rows.map((row) => row['Person']))).toEqual(new Set(['Ravi Banerjee', 'an erased person']));
    expect(rows.map((row) => Object.values(row)).join()).toContain(userId);
    const checked = execFileSync(process.execPath, [verifier.pathname, path], { env: {}, encoding: 'utf8' });
    expect(checked).toContain('are of people who were erased');
    expect(checked).toContain('RIGHT  Every count follows from its rows.');
    expect(workspace.directMessages(ravi.id).length).toBeGreaterThan(0);
  },
);

test('a user who was deleted before is erased by the ID that the record has', async () => {
  const bed = await openSkippedCampaigns('SQLite', sundayEvening, {
    env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
  });
  const { clock, testBed, account, reply } = bed;
  const { ask, approve, directMessageWith } = approvalActions(bed);
  const userId = account.userId('rosa');
  await approve(ada.id, await ask(tom.id, '/quiz-user delete @rosa --reason left'));
  await directMessageWith(tom.id, 'approved your request');
  const request = await ask(tom.id, `/quiz-admin erase ${userId} --reason asked`);
  expect(textOf(request)).not.toContain('would be deleted');
  await approve(ada.id, request);
  for (let steps = 0; steps < 20; steps += 1) {
    if (/finished erasing a person from \d+ texts/.test(textOf(await reply(ada.id, '/quiz-admin audit erase-person'))))
      break;
    await clock.skip(5 * minuteMs);
  }
  const kept = () => foundIn(Object.fromEntries(filesIn(testBed.folder).map((path) => [path, readFileSync(path)])));
  await expect.poll(kept, { interval: 1_000 }).toEqual([]);
});
