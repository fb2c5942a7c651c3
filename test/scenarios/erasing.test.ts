import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { expect, test, describe } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import { catalog } from '../../src/operations/catalog.ts';
import { people, teamId } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId, startApprovalsTestBed } from '../support/approvals.ts';
import { manyChanges, storyStores } from '../support/many-changes.ts';
import { safetyQuiz } from '../support/results.ts';
import { organization } from '../support/open-test-bed.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';
import { recordIn } from '../support/opened-links.ts';

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

test.each(storyStores)(
  'over %s, a person who is erased is in no file of the store, no log and no later pack, although the bot is killed in the middle',
  async (store) => {
    const bed = await openSkippedCampaigns(store, sundayEvening, {
      isKilled: true,
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
      .click(
        { view: await workspace.until(() => workspace.home(rosa.id)) },
        'menu:pick',
        JSON.stringify(['button', 'choose-language', { language: ['pl'] }]),
      );
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

/** People who are called like a group, a reason, a quiz, a result, a zone and the program’s own words: the case alone differs. */
const namesakes = [
  ['night', 'Night', 'Shift'],
  ['leave', 'On', 'Leave'],
  ['fire', 'Fire', 'Safety'],
  ['graded', 'Not', 'Graded'],
  ['europe', 'EUROPE', ''],
  ['erased', 'ERASED', 'Outcome'],
] as const;
const idsOf = (key: string) => ({
  userId: `u1-${key}`,
  personId: `U0${Buffer.from(key).toString('hex').toUpperCase()}`,
  address: `${key}@mail.example`,
});
const names = namesakes.map(([, first, last]) => `${first} ${last}`.trim());
/** What would be left of them. */
const traces = [
  ...names,
  ...namesakes.flatMap(([key, first, last]) => [
    `${key}@mail.example`,
    `Slackname ${key}`,
    ...(last ? [`${last}, ${first}`] : []),
  ]),
  'in hospital',
];

/** What reads, by its operation: what is typed, and what its answer says before and after. */
const answers: Readonly<Record<string, readonly (readonly [line: string, says: RegExp])[]>> = {
  'all-results': [['/quiz all-results', /Ravi Banerjee/]],
  'show-attempt': [['/quiz attempt "Fire safety basics" of @ravi', /Ravi Banerjee/]],
  'export-results': [['/quiz export "Fire safety basics"', /Sent you/]],
  'send-files': [['/quiz files "Fire safety basics" of @ravi', /no uploaded files/]],
  'list-quizzes': [['/quiz list', /Fire safety/]],
  'my-quizzes': [['/quiz mine', /You have no quizzes/]],
  'show-questions': [['/quiz questions "Fire safety basics"', /Fire safety/]],
  'show-missing': [['/quiz missing "Fire safety basics" in Night shift', /Gabriel Nunes/]],
  'show-results': [['/quiz results "Fire safety basics"', /Ravi Banerjee/]],
  'show-quiz': [['/quiz show "Fire safety basics"', /Fire safety/]],
  'show-today': [['/quiz today', /Fire safety/]],
  'show-undo': [['/quiz undo', /You did nothing|What you can undo/]],
  'list-requests': [['/quiz-admin approvals', /Rosa Almeida.*on leave/]],
  'show-audit': [
    ['/quiz-admin audit', /Night shift/],
    ['/quiz-admin audit verify', /is complete/],
  ],
  'show-status': [['/quiz-admin status', /Audit trail/]],
  'list-tokens': [['/quiz-admin tokens', /Agents are turned off/]],
  'who-am-i': [['/quiz-admin whoami', /Ada Okafor/]],
  'list-lent-rights': [['/quiz-admin workflows', /Steps of workflows are turned off/]],
  'list-alerts': [['/quiz-alerts list', /Fire safety/]],
  'change-campaign': [['/quiz-campaign change "Fire safety basics" remind 3d', /Fire safety/]],
  'send-evidence': [['/quiz-campaign evidence "Fire safety basics"', /Sent you/]],
  'list-campaigns': [['/quiz-campaign list', /Fire safety/]],
  'show-year': [['/quiz-campaign year', /Fire safety/]],
  'show-matrix': [
    ['/quiz-campaign matrix', /Fire safety/],
    ['/quiz-campaign matrix for Night shift', /Gabriel Nunes/],
  ],
  'report-campaign': [['/quiz-campaign report "Fire safety basics"', /Sent you the report/]],
  'require-quiz': [['/quiz-campaign require "Forklift theory test" for Kitchen within 14d', /Forklift/]],
  'show-campaign': [['/quiz-campaign show "Fire safety basics"', /Rosa Almeida.*on leave/is]],
  'start-campaign': [['/quiz-campaign start "Forklift theory test" for Night shift', /Forklift/]],
  'take-in': [['/quiz-campaign take-in "Fire safety basics"', /Fire safety.*is one round/]],
  'empty-group': [['/quiz-group empty Night shift', /Night shift/]],
  'list-groups': [['/quiz-group list', /Night shift/]],
  'show-group': [['/quiz-group show Night shift', /Gabriel Nunes/]],
  'find-user': [['/quiz-user find rosa@quiz.example', /Rosa Almeida/]],
  'import-users': [['/quiz-user import from #training', /training/]],
  'list-users': [['/quiz-user list', /Ravi Banerjee/]],
  'reinstate-group': [['/quiz-user reinstate-group Night shift', /aren’t suspended/]],
  'show-user': [['/quiz-user show @rosa', /Rosa Almeida/]],
  'suspend-departed': [['/quiz-user suspend-departed', /Nobody whom you manage has left/]],
  'suspend-group': [['/quiz-user suspend-group Night shift', /Night shift/]],
};

test('every command that reads is among those that are typed before and after', () => {
  const typed = catalog.flatMap(({ name, access, isTyped }) => (access === 'read' && isTyped !== false ? [name] : []));
  expect(Object.keys(answers).toSorted()).toEqual(typed.toSorted());
});

test.each(storyStores)(
  'over %s, people who are called like groups, quizzes, zones and reasons are erased, and nothing about others is',
  async (store) => {
    const bed = await openSkippedCampaigns(store, sundayEvening, {
      isKilled: true,
      env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
      async beforeStart(_, { workspace, quizService: { database } }) {
        database.run("UPDATE quizzes SET name = 'Fire safety basics' WHERE name = ?", [safetyQuiz]);
        for (const [key, first, last] of namesakes) {
          const { userId, personId, address } = idsOf(key);
          workspace.setPerson({
            id: personId,
            name: `handle-${key}`,
            realName: `Slackname ${key}`,
            title: '',
            email: address,
            timeZone: 'Europe/Berlin',
          });
          database.run(
            "INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, ?, ?, '2026-01-01 00:00:00')",
            [userId, address, address, address, first, last],
          );
          database.run(
            "INSERT INTO user_groups (user_id, group_id) SELECT ?, group_id FROM groups WHERE group_name = 'Kitchen'",
            [userId],
          );
        }
      },
    });
    const { clock, testBed, account, start, reply, workspace } = bed;
    const { ask, approve, review } = approvalActions(bed);
    const bot = testBed.bots[0]!;
    const ids = namesakes.map(([key]) => idsOf(key).userId);

    await start(
      ada.id,
      `"Fire safety basics" for @ravi, @rosa, Night shift, ${ids.join(', ')} due 2030-01-09 12:00 remind none`,
    );
    await reply(ada.id, '/quiz-alerts subscribe Fire safety basics');
    await clock.skip(15 * hourMs);
    account.pass('ravi', 'Fire safety basics');
    for (const id of ['@rosa', 'u1-night'])
      await reply(ada.id, `/quiz-campaign excuse "Fire safety basics" ${id} because on leave`);
    await reply(ada.id, '/quiz-campaign excuse "Fire safety basics" u1-europe because in hospital');
    await reply(ada.id, '/quiz-group add @rosa, u1-night, u1-fire to Night shift');
    await ask(uma.id, '/quiz-user suspend @rosa --reason "on leave"');
    const suspension = await ask(uma.id, '/quiz-user suspend u1-europe --reason "in hospital"');
    await review(ada.id, suspension);
    await manyChanges(bed, ada.id).previewImport(
      'E-mail;Name;Groups\r\nines@quiz.example;"Marques, Ines";Night shift\r\nnight@mail.example;"Shift, Night";Night shift\r\n',
    );
    async function everyCommandAnswers() {
      for (const [index, [line, says]] of Object.values(answers).flat().entries()) {
        // The requests of a person to the service are limited by the minute.
        if (index % 10 === 0) await clock.skip(minuteMs);
        const outcome = await workspace.as(ada.id).command(line);
        await expect.poll(() => outcome.replies.map(textOf).join('\n'), { message: line }).toMatch(says);
      }
    }
    await everyCommandAnswers();

    await bot.kill();
    testBed.quizService.database.run("DELETE FROM users WHERE user_id = 'u1-leave'");
    await bot.start();
    await expect.poll(async () => (await fetch(`${bot.url}/readyz`)).ok).toBe(true);
    // So many commands took the minute’s requests to the service.
    await clock.skip(minuteMs);

    // Another one was deleted in the account without the bot.
    await approve(ada.id, await ask(tom.id, '/quiz-user delete u1-graded --reason left'));
    await expect.poll(() => account.user('graded@mail.example')).toBeUndefined();
    for (const [index, id] of ids.entries()) {
      if (index % 3 === 0) await clock.skip(minuteMs);
      const request = await ask(tom.id, `/quiz-admin erase ${id} --reason asked`);
      expect(await approve(ada.id, request)).toContain('approved');
    }
    const finished = async () =>
      textOf(await reply(ada.id, '/quiz-admin audit erase-person')).match(/finished erasing a person from/g)?.length;
    for (let steps = 0; steps < 20 && (await finished()) !== ids.length; steps += 1) await clock.skip(5 * minuteMs);
    expect(await finished()).toBe(ids.length);
    await everyCommandAnswers();
    const left = () => {
      const files = filesIn(testBed.folder).map((path) => readFileSync(path));
      return traces.filter((trace) => files.some((file) => file.includes(trace)));
    };
    await expect.poll(left, { interval: 1_000 }).toEqual([]);
  },
);

describe('what is kept for good', () => {
  /** Every text that the tables of the store hold. */
  function textsOf(dataDir: string, ...tables: string[]): string {
    const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
    const texts = tables.map((table) => JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all()));
    database.close();
    return texts.join('\n');
  }

  test('what is kept for good holds no address of a new user, neither in the audit trail nor in a decided request', async () => {
    const dataDir = temporaryDirectory();
    const testBed = await startApprovalsTestBed({ env: { DATA_DIR: dataDir } });
    const { workspace } = testBed;
    const { requests, approve, directMessageWith } = approvalActions(testBed);
    const own = await (await workspace.as(ada.id).command('/quiz-user create nils@quiz.example')).view();
    await workspace.as(ada.id).submit(own, { first_name: 'Nils', email_address: 'nils.private@home.example' });
    const form = await (await workspace.as(uma.id).command('/quiz-user create ines@quiz.example')).view();
    await workspace
      .as(uma.id)
      .submit(form, { first_name: 'Ines', user_type: 'trainer', reason: 'Write to ines@quiz.example' });
    await approve(ada.id, await workspace.until(() => requests()[0]), 'ines@quiz.example is fine');
    await directMessageWith(uma.id, 'approved:');

    await expect.poll(() => textsOf(dataDir, 'queue_states')).toContain('announced');
    const kept = JSON.stringify(recordIn(dataDir)) + textsOf(dataDir, 'audit', 'queue_states');
    for (const name of ['Nils', 'Ines', 'n…@quiz.example', 'n…@home.example', 'i…@quiz.example'])
      expect(kept).toContain(name);
    expect(kept).not.toMatch(/(nils|ines|private)[\w.]*@/);
    expect(textOf(await (await workspace.as(ada.id).command('/quiz-admin audit verify')).reply())).toContain(
      'is complete',
    );
  });
});
