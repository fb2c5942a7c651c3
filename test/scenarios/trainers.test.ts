import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { inTheAccount } from '../support/many-changes.ts';
import { commandReply, locationOf, quizId, safetyQuiz, submittedResponses } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { tom, erin, uma, nora } = people;
const forklift = 'Forklift theory test';

/** A bot over an account in which a person trains nothing but these quizzes and groups. */
async function startWith(name: string, trained: { quizzes?: string[]; groups?: string[] }): Promise<TestBed> {
  const testBed = await startTestBed();
  inTheAccount(testBed).train(name, trained);
  return testBed;
}

const reply = async (testBed: TestBed, personId: string, line: string) =>
  textOf(await commandReply(testBed, personId, line));

describe('a trainer of one quiz', () => {
  const start = () => startWith('erin', { quizzes: [forklift] });

  test('lists, opens and exports that quiz, and cannot name another', async () => {
    const testBed = await start();
    expect(await reply(testBed, erin.id, '/quiz list')).toContain('*1 quiz*');
    expect(await reply(testBed, erin.id, '/quiz results forklift')).toContain(forklift);
    for (const line of ['/quiz show', '/quiz results', '/quiz export', '/quiz close', '/quiz-alerts subscribe']) {
      expect(await reply(testBed, erin.id, `${line} ${safetyQuiz}`)).not.toMatch(
        /Submitted|[Cc]losed|[Cc]reated|messages|Subscribed/,
      );
    }
    const [response] = submittedResponses(testBed, safetyQuiz);
    expect(
      await reply(testBed, erin.id, `/quiz attempt ${quizId(testBed, safetyQuiz)} of ${response!.response_id}`),
    ).toContain('This isn’t there any more, or you can’t see it.');
    expect(testBed.requests.filter((request) => request.includes(quizId(testBed, safetyQuiz)))).toEqual([]);
    expect(testBed.workspace.directMessages(erin.id)).toEqual([]);
  });

  test('is offered only that quiz, in pickers and on the Home tab', async () => {
    const testBed = await start();
    const trainer = testBed.workspace.as(erin.id);
    const form = await (await trainer.shortcut('assign-quiz')).view();
    const offered = JSON.stringify(await trainer.options(form, 'quiz', ''));
    expect([offered.includes(forklift), offered.includes(safetyQuiz)]).toEqual([true, false]);
    await trainer.openHome();
    const home = await testBed.workspace.until(
      () => testBed.workspace.home(erin.id) && textOf(testBed.workspace.home(erin.id)),
    );
    expect(home).not.toContain(safetyQuiz);
  });

  test('assigns it to anybody by name, and sees nobody’s record', async () => {
    const testBed = await start();
    const warning = await commandReply(testBed, erin.id, '/quiz assign forklift to Rosa Almeida, Night shift');
    expect(warning.text).toContain(`*${forklift}* is closed`);
    await testBed.workspace.as(erin.id).click(locationOf(warning), 'choose:confirmed');
    await testBed.workspace.until(() =>
      textOf(testBed.workspace.ephemerals(erin.id)[0]).includes(
        'Assigned *Forklift theory test* to *Rosa Almeida* and the group *Night shift*',
      ),
    );
    expect(await reply(testBed, erin.id, '/quiz-user show Rosa Almeida')).toContain('You can’t manage users.');
    expect(await reply(testBed, erin.id, '/quiz-user suspend Rosa Almeida --reason no')).toContain(
      'You can’t manage users.',
    );
  });
});

describe('a trainer who manages users', () => {
  test('is told before they create somebody whom they couldn’t see, and chooses one of their groups', async () => {
    const testBed = await startWith('tom', { groups: ['Kitchen'] });
    const { workspace, requests } = testBed;
    const trainer = workspace.as(tom.id);
    const warning = await commandReply(testBed, tom.id, '/quiz-user create Kim Li kim.li@quiz.example');
    expect(textOf(warning)).toContain(
      'You wouldn’t see *Kim Li*: they’d be in none of your groups and quizzes. Choose one of your groups in the form, or an administrator adds them to one.',
    );
    expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
    const form = await (await trainer.click(locationOf(warning), 'form:create-user')).view();
    await trainer.submit(form, { groups: ['Kitchen'] });
    await workspace.until(() =>
      textOf(workspace.ephemerals(tom.id)[0]).includes('Created *Kim Li* as a respondent. They’re in *Kitchen*.'),
    );
    expect(await reply(testBed, tom.id, '/quiz-user show Kim Li')).toContain('Kitchen');
  });

  test('who can’t add to groups is told that an administrator can, and creates them all the same', async () => {
    const testBed = await startWith('uma', { groups: ['Kitchen'] });
    const warning = await commandReply(testBed, uma.id, '/quiz-user create Kim Li kim.li@quiz.example');
    expect(textOf(warning)).toContain('An administrator can add them to one of your groups.');
    await testBed.workspace.as(uma.id).click(locationOf(warning), 'choose:confirmed');
    await testBed.workspace.until(() => textOf(testBed.workspace.ephemerals(uma.id)[0]).includes('Created *Kim Li*'));
  });

  test('of one group sees and changes its members, and nobody else', async () => {
    const testBed = await startWith('uma', { groups: ['Kitchen'] });
    expect(await reply(testBed, uma.id, '/quiz-user show Rosa Almeida')).toContain('rosa@quiz.example');
    for (const line of ['show', 'suspend', 'delete', 'reinstate'])
      expect(await reply(testBed, uma.id, `/quiz-user ${line} Ravi Banerjee --reason no`)).toContain(
        'No user is called',
      );
    expect(await reply(testBed, uma.id, '/quiz-user find ravi@quiz.example')).toContain(
      'Nobody in the quiz account is called',
    );
    const list = await reply(testBed, uma.id, '/quiz-user list');
    expect(list).toContain('Rosa Almeida');
    expect(list).not.toContain('Ravi Banerjee');
  });

  test('of no quiz and no group manages nobody, and whoami says so and who can change it', async () => {
    const testBed = await startWith('uma', {});
    expect(await reply(testBed, uma.id, '/quiz-user list')).toContain('There are no users for you to see yet');
    const who = await reply(testBed, uma.id, '/quiz-admin whoami');
    expect(who).toContain(
      'You don’t train any quiz or group that the bot can read, so there are no users for you to manage.',
    );
    expect(who).toContain('An administrator of the quiz account can change that.');
  });

  test('learns from whoami what they manage', async () => {
    const testBed = await startWith('tom', { quizzes: [forklift], groups: ['Kitchen', 'Warehouse'] });
    const who = await reply(testBed, tom.id, '/quiz-admin whoami');
    expect(who).toContain('You can see the quizzes you train, edit quizzes, manage users and manage groups.');
    expect(who).toContain(
      'You train 1 quiz and 2 groups, and you can manage only the users and groups that belong to them.',
    );
    expect(await reply(testBed, nora.id, '/quiz-admin whoami')).not.toContain('You train');
  });
});
