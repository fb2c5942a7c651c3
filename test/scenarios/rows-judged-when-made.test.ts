import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import {
  addCrew,
  changesIn,
  environmentOf,
  inTheAccount,
  lineOf,
  manyChanges,
  storyStores,
} from '../support/many-changes.ts';
import { fastTime } from '../support/fast-clock.ts';
import { commandReply, quizId } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, erin, uma } = people;
const everyGroup = ['Kitchen', 'Warehouse', 'Front desk', 'Night shift'];
const creationOf = (name: string) => new RegExp(`^POST /api/v1/users user_name=${name}@quiz\\.example&`);
const isCreationOf = (name: string) => (line: string) => creationOf(name).test(line);
/** The message about the progress changes every two seconds, and a row waits as long after an answer that was lost. */
const optionsFor = async (store: string) => ({
  ...fastTime(3),
  env: { ALERTS_CHANNEL: '', ...(await environmentOf(store)) },
});

describe.each(storyStores)('over %s, a row of an import that makes a trainer', (store) => {
  const content = [
    'E-mail,Name,Type',
    'ines@quiz.example,Ines Marques,Respondent',
    'karl@quiz.example,Karl Berg,Respondent',
    'boss@quiz.example,Bea Boss,Trainer',
    '',
  ].join('\n');

  async function start(): Promise<TestBed> {
    const testBed = await startTestBed(await optionsFor(store));
    inTheAccount(testBed).change('tom', "user_type = 'administrator'");
    return testBed;
  }

  /** Another administrator makes the person who imports a trainer who manages users. */
  function demote(testBed: TestBed): void {
    inTheAccount(testBed).change('ada', "user_type = 'trainer'");
    inTheAccount(testBed).train('ada', { groups: everyGroup });
  }

  async function expectNoTrainer(testBed: TestBed): Promise<void> {
    const { said, lines } = await manyChanges(testBed, ada.id).ended();
    expect(changesIn(testBed)).toEqual([
      expect.stringMatching(creationOf('ines')),
      expect.stringMatching(creationOf('karl')),
    ]);
    expect(lineOf(lines, 'ines@')).toMatch(/,created,/);
    expect(lineOf(lines, 'karl@')).toMatch(/,created,/);
    expect(lineOf(lines, 'boss@')).toMatch(/approv/i);
    expect(lineOf(lines, 'boss@')).not.toMatch(/,created,/);
    expect(said).toMatch(/approv/i);
  }

  test('is not made where the person became a trainer while the import runs', async () => {
    const testBed = await start();
    const { previewImport, startImport } = manyChanges(testBed, ada.id);
    const first = testBed.holdChange(isCreationOf('ines'));
    await startImport(await previewImport(content));
    await first.arrived;
    expect(changesIn(testBed)).toHaveLength(1);
    demote(testBed);
    first.release();
    await expectNoTrainer(testBed);
  });

  test('is not made where the person became a trainer while it is paused', async () => {
    const testBed = await start();
    const { previewImport, startImport, pauseAt, resume } = manyChanges(testBed, ada.id);
    const first = testBed.holdChange(isCreationOf('ines'));
    await startImport(await previewImport(content));
    await pauseAt(first);
    expect(changesIn(testBed)).toHaveLength(1);
    demote(testBed);
    await resume();
    await expectNoTrainer(testBed);
  });
});

describe.each(storyStores)('over %s, an approved import that changes an address', (store) => {
  test('leaves the address of a user who became an administrator while it is paused', async () => {
    const testBed = await startApprovalsTestBed(await optionsFor(store));
    const { userId, change, user } = inTheAccount(testBed);
    const { previewImport, requestImport, pauseAt, resume, ended } = manyChanges(testBed, uma.id);
    const { requests, approve } = approvalActions(testBed);
    const content = [
      'User name,E-mail,First name,Last name',
      'ravi@quiz.example,ravi.new@quiz.example,Ravi,Banerjee',
      'rosa@quiz.example,rosa.new@quiz.example,Rosa,Almeida',
      'chiara@quiz.example,chiara.new@quiz.example,Chiara,Lombardi',
      '',
    ].join('\n');
    await requestImport(await previewImport(content, { existing: ['update'] }), 'New addresses');
    const request = await testBed.workspace.until(() => requests()[0]);
    const isChangeOf = (name: string) => (line: string) => line.startsWith(`POST /api/v1/users/${userId(name)} `);
    const first = testBed.holdChange(isChangeOf('ravi'));
    await approve(ada.id, request);
    await pauseAt(first);
    change('rosa', "user_type = 'administrator', manage_users = 1");
    await resume();

    const { lines } = await ended();
    expect(changesIn(testBed)).toEqual([
      `POST /api/v1/users/${userId('ravi')} email_address=ravi.new@quiz.example`,
      `POST /api/v1/users/${userId('chiara')} email_address=chiara.new@quiz.example`,
    ]);
    expect(user('rosa@quiz.example')).toMatchObject({ email_address: 'rosa@quiz.example' });
    expect(lineOf(lines, 'rosa.new@')).toMatch(/approv|changed since|administrator/i);
    expect(lineOf(lines, 'rosa.new@')).not.toMatch(/,updated,/);
    expect(lineOf(lines, 'chiara.new@')).toMatch(/,updated,/);
  });
});

describe.each(storyStores)('over %s, a group that a trainer reinstates', (store) => {
  test('is reinstated without the member who became an administrator since the preview', async () => {
    const testBed = await startApprovalsTestBed(await optionsFor(store));
    const { userId, change, user } = inTheAccount(testBed);
    const { start, ended } = manyChanges(testBed, uma.id);
    // To name the group.
    change('uma', 'manage_groups = 1');
    for (const name of ['chiara', 'elif']) change(name, 'suspended = 1');
    const preview = await commandReply(testBed, uma.id, '/quiz-user reinstate-group kitchen');
    change('chiara', "user_type = 'administrator', manage_users = 1");
    await start(preview);

    const { lines } = await ended();
    expect(changesIn(testBed).toSorted()).toEqual(
      ['elif', 'quynh'].map((name) => `POST /api/v1/users/${userId(name)} suspended=false`).toSorted(),
    );
    expect(user('chiara@quiz.example')).toMatchObject({ suspended: 1 });
    expect(lineOf(lines, 'Chiara')).toMatch(/approv|administrator/i);
  });

  test('is reinstated without the member whom the trainer no longer manages since the row before', async () => {
    const testBed = await startApprovalsTestBed(await optionsFor(store));
    const { userId, change, user } = inTheAccount(testBed);
    const { start, ended } = manyChanges(testBed, uma.id);
    change('uma', 'manage_groups = 1');
    for (const name of ['chiara', 'elif']) change(name, 'suspended = 1');
    const isOf = (name: string) => (line: string) => line.startsWith(`POST /api/v1/users/${userId(name)} `);
    const first = testBed.holdChange((line) => isOf('chiara')(line) || isOf('elif')(line));
    await start(await commandReply(testBed, uma.id, '/quiz-user reinstate-group kitchen'));
    await first.arrived;
    const other = changesIn(testBed).some(isOf('chiara')) ? 'elif' : 'chiara';
    for (const table of ['user_groups', 'user_quizzes'])
      testBed.quizService.database.run(`DELETE FROM ${table} WHERE user_id = :id`, { id: userId(other) });
    first.release();

    await ended();
    expect(changesIn(testBed).filter(isOf(other))).toEqual([]);
    expect(user(`${other}@quiz.example`)).toMatchObject({ suspended: 1 });
  });
});

describe.each(storyStores)('over %s, an assignment to 30 people', (store) => {
  test('is not made where the trainer lost the quiz since the preview, as the single command says', async () => {
    const testBed = await startTestBed(await optionsFor(store));
    const { train } = inTheAccount(testBed);
    const quiz = 'Data protection refresher';
    train('erin', { quizzes: [quiz, 'Forklift theory test'] });
    addCrew(testBed.quizService, 30);
    const crew = Array.from({ length: 30 }, (_, at) => `u-crew-${at}`).join(', ');
    const preview = await commandReply(testBed, erin.id, `/quiz assign ${quizId(testBed, quiz)} to ${crew}`);
    expect(textOf(preview)).toContain(`Assign *${quiz}* to 30 people`);
    train('erin', { quizzes: ['Forklift theory test'] });

    expect(await manyChanges(testBed, erin.id).start(preview)).toMatch(/No quiz is called/);
    expect(textOf(await commandReply(testBed, erin.id, `/quiz assign "${quiz}" to Rosa Almeida`))).toMatch(
      /No quiz is called/,
    );
    expect(changesIn(testBed)).toEqual([]);
    // Nothing was started that could go on.
    expect(testBed.workspace.directMessages(erin.id)).toEqual([]);
  });
});

describe.each(storyStores)('over %s, a row of an import whose answer is lost', (store) => {
  const content = [
    'User name,E-mail,Name,Type,Rights,Groups',
    'ines,ines@quiz.example,Ines Marques,Trainer,edit quizzes,Kitchen',
    '',
  ].join('\n');

  const others = [
    ['another address', "'ines@elsewhere.example'", { edit_quizzes: 1, manage_users: 0 }],
    ['no address', "''", { edit_quizzes: 1, manage_users: 0 }],
    ['more rights', "'ines@quiz.example'", { edit_quizzes: 1, manage_users: 1 }],
    ['fewer rights', "'ines@quiz.example'", { edit_quizzes: 0, manage_users: 0 }],
  ] as const;

  // How the users differ is compared before the store has a part: over Redis, whose time cannot run fast, one of them is enough.
  test.each(store === 'SQLite' ? others : others.slice(0, 1))(
    'does not take a user for its own who has the same names and type, and %s',
    async (_, emailAddress, rights) => {
      const testBed = await startTestBed(await optionsFor(store));
      const { previewImport, startImport, ended } = manyChanges(testBed, ada.id);
      const isCreation = (line: string) => line.startsWith('POST /api/v1/users user_name=ines&');
      const shown = await previewImport(content);
      let isThere = false;
      // The creation is lost on its way, and somebody else creates a user in the quiz service meanwhile.
      testBed.setServiceFault('HTML', (line) => {
        if (!isCreation(line) || isThere) return false;
        isThere = true;
        testBed.quizService.database.run(
          `INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, edit_quizzes, manage_users, date_created)
         VALUES ('u-other-ines', 'ines', 'ines', 'trainer', ${emailAddress}, 'Ines', 'Marques', ${rights.edit_quizzes}, ${rights.manage_users}, '2026-01-01 00:00:00')`,
        );
        return true;
      });
      await startImport(shown);

      const { lines } = await ended();
      expect(changesIn(testBed).filter((line) => !isCreation(line))).toEqual([]);
      expect(lineOf(lines, 'Ines Marques')).toMatch(/,failed,/);
      expect(
        testBed.workspace.directMessages(ada.id).filter((message) => /show-password/.test(textOf(message))),
      ).toEqual([]);
    },
  );

  test('takes the user for its own who has all that was asked', async () => {
    const testBed = await startTestBed(await optionsFor(store));
    const { previewImport, startImport, ended } = manyChanges(testBed, ada.id);
    const isCreation = (line: string) => line.startsWith('POST /api/v1/users user_name=ines&');
    const shown = await previewImport(content);
    testBed.setServiceFault('lost answers', isCreation);
    await startImport(shown);

    const { lines } = await ended();
    expect(changesIn(testBed)).toEqual([
      expect.stringMatching(/^POST \/api\/v1\/users user_name=ines&/),
      expect.stringMatching(/^POST \/api\/v1\/users\/[\w-]+\/groups group_id=/),
    ]);
    expect(lineOf(lines, 'Ines Marques')).toMatch(/,created,/);
  });
});
