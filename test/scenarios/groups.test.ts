import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import {
  administrator,
  both,
  canariesIn,
  forKitchen,
  otherAdministrator,
  outside,
  owner,
  ownQuiz,
  ownQuizId,
  plantOthers,
  trainerOfBoth,
} from '../support/other-groups.ts';
import { fileSentTo, quizId, safetyQuiz } from '../support/results.ts';
import type { TestBedOptions } from '../support/open-test-bed.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

/** A bot that has read which groups have which quizzes. */
async function start(options: TestBedOptions = {}): Promise<TestBed> {
  const env = { ...forKitchen, ALERTS_CHANNEL: '', ...options.env };
  const testBed = await startTestBed({ prepare: plantOthers, ...options, env });
  await expect.poll(() => testBed.requests, { timeout: 20_000 }).toContain(`GET /api/v1/quizzes/${ownQuizId}/groups`);
  return testBed;
}
/** All that comes of a command, once something came that is no loading message. */
async function reply(
  { workspace }: Pick<TestBed, 'workspace'>,
  line: string,
  personId: string = owner,
): Promise<string> {
  const before = new Set(workspace.ephemerals(personId).map(textOf));
  await workspace.as(personId).command(line);
  return workspace.until(() => {
    const answers = workspace.ephemerals(personId).map(textOf);
    const since = answers.filter((answer) => !before.has(answer) && !answer.includes('🔑 Set a password'));
    return since.length > 0 && since.every((answer) => !answer.includes('Asking the quiz service'))
      ? since.join('\n')
      : undefined;
  });
}
const all = <Row extends object>({ quizService: { database } }: TestBed, sql: string) => database.all<Row>(sql);
const changes = ({ requests }: TestBed) => requests.filter((request) => !/^GET |\/users\/find /.test(request));

const inKitchen = `SELECT user_id FROM user_groups JOIN groups USING (group_id) WHERE group_name = 'Kitchen'`;
const trainsKitchen = `SELECT user_id FROM trainer_groups JOIN groups USING (group_id) WHERE group_name = 'Kitchen'`;
const karl = 'Karl Kitchener';

/** Moves a user to another group in the account itself. */
function moveToOthers({ quizService: { database } }: TestBed, userId: string): void {
  database.run('UPDATE user_groups SET group_id = ? WHERE user_id = ?', [outside.group.id, userId]);
}

describe('a bot for a group', () => {
  test('knows its people by their address, and no other administrator of the account', async () => {
    const testBed = await start();
    expect(await reply(testBed, '/quiz-admin whoami', administrator.id)).toContain('administrator');
    expect(await reply(testBed, '/quiz list', otherAdministrator.id)).toContain('Nobody in the quiz account has your');
    expect(await reply(testBed, '/quiz mine', people.rosa.id)).toContain('quizzes');
    expect(await reply(testBed, '/quiz-admin whoami')).toContain('owner');
  });

  test('lists the people who are in the group or train it, the group, and their quizzes', async () => {
    const testBed = await start();
    const users = all<{ first_name: string; last_name: string }>(
      testBed,
      `SELECT first_name, last_name FROM users WHERE user_id IN (${inKitchen}) OR user_id IN (${trainsKitchen})`,
    );
    const listed = await reply(testBed, '/quiz-user list');
    expect(listed).toContain(`*${users.length} users*`);
    for (const { first_name, last_name } of users) expect(listed).toContain(`${first_name} ${last_name}`);
    expect(await reply(testBed, '/quiz-group list')).toContain('*1 group*');
    const quizzes = all<{ name: string }>(
      testBed,
      `SELECT DISTINCT name FROM quizzes LEFT JOIN user_quizzes USING (quiz_id) LEFT JOIN group_quizzes USING (quiz_id)
       WHERE user_quizzes.user_id IN (${inKitchen}) OR group_quizzes.group_id IN (SELECT group_id FROM groups WHERE group_name = 'Kitchen')`,
    );
    expect(await reply(testBed, '/quiz list')).toContain(`*${quizzes.length} quizzes*`);
    expect(quizzes.length).toBeGreaterThan(3);
  });

  test('shows people whom others have, too, without what others have of them', async () => {
    const testBed = await start();
    const [bea, tina] = [
      await reply(testBed, `/quiz-user show ${both}`),
      await reply(testBed, `/quiz-user show ${trainerOfBoth}`),
    ];
    expect(bea).toContain('Kitchen');
    expect(tina).toContain('Kitchen');
    expect(canariesIn(bea + tina)).toEqual([]);
  });

  test('counts the results of its people, and of guests where nobody else has the quiz', async () => {
    const testBed = await start();
    const ofKitchen = all(
      testBed,
      `SELECT 1 FROM responses WHERE quiz_id = '${quizId(testBed, safetyQuiz)}' AND status = 'submitted' AND user_id IN (${inKitchen})`,
    );
    const everybody = all(
      testBed,
      `SELECT 1 FROM responses WHERE quiz_id = '${quizId(testBed, safetyQuiz)}' AND status = 'submitted'`,
    );
    expect(everybody.length).toBeGreaterThan(ofKitchen.length);
    expect(await reply(testBed, `/quiz results ${safetyQuiz}`)).toContain(`${ofKitchen.length} submitted`);
    const own = await reply(testBed, `/quiz results ${ownQuiz}`);
    expect(own).toContain('1 submitted');
    expect(own).toContain('Gina');
    await testBed.workspace.as(owner).command(`/quiz export ${safetyQuiz}`);
    const { text } = await fileSentTo(testBed, owner);
    expect(text).toContain(karl.split(' ')[1]);
    expect(canariesIn(text)).toEqual([]);
  });
});

test('without its group, a bot has nothing of the account, and says why', async () => {
  const testBed = await startTestBed({
    prepare: plantOthers,
    env: { ...forKitchen, GROUPS: 'Kitchens', ALERTS_CHANNEL: '' },
  });
  const sentence = 'no group of the account is called “Kitchens”, so nothing of it shows';
  await expect.poll(() => testBed.lines.some((line) => line.includes(sentence)), { timeout: 20_000 }).toBe(true);
  expect(await reply(testBed, '/quiz-user list')).not.toContain('Rosa');
  expect(await reply(testBed, '/quiz list')).not.toContain(safetyQuiz);
  expect(await reply(testBed, '/quiz-admin whoami', people.rosa.id)).toContain('Nobody in the quiz account has your');
  expect(await reply(testBed, '/quiz-admin status')).toContain('A group that the bot is for isn’t in the quiz account');
  const ready = await fetch(`${testBed.url}/readyz`);
  expect({ status: ready.status, body: await ready.json() }).toMatchObject({
    status: 200,
    body: { groups: expect.stringContaining('groups_not_found') },
  });
});

describe('what others have, too,', () => {
  test.each([
    [`/quiz rename ${safetyQuiz} to Safety`, 'Other people of the quiz account have this quiz, too'],
    [`/quiz close ${safetyQuiz}`, 'Other people of the quiz account have this quiz, too'],
    [`/quiz delete ${safetyQuiz} --reason old`, 'Other people of the quiz account have this quiz, too'],
    [`/quiz-user suspend ${both}`, 'belongs to other groups'],
    [`/quiz-user delete ${both} --reason left`, 'belongs to other groups'],
    [`/quiz-user reset-password ${both}`, 'belongs to other groups'],
    [`/quiz-group remove ${both} from Kitchen`, 'would be in none of the groups of this bot'],
    [`/quiz-group add ${trainerOfBoth} to Kitchen`, 'trains other groups'],
    [`/quiz-user suspend ${trainerOfBoth}`, 'belongs to other groups'],
    [`/quiz-user suspend Erin Castellanos`, 'administrator of the whole quiz account'],
    ['/quiz-user create kim@quiz.example Kim March as trainer', 'you can only create respondents here'],
    ['/quiz-user create kim@quiz.example Kim March as administrator', 'you can only create respondents here'],
  ])('is left alone: %s', async (line, sentence) => {
    const testBed = await start();
    expect(await reply(testBed, line)).toContain(sentence);
    expect(changes(testBed)).toEqual([]);
  });

  test('is left alone: a form that changes an administrator', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const form = await (await workspace.as(owner).command('/quiz-user update Erin Castellanos')).view();
    await workspace.as(owner).submit(form, { last_name: 'Other' });
    await workspace.until(() => JSON.stringify(workspace.views(owner)).includes('administrator of the whole'));
    expect(changes(testBed)).toEqual([]);
  });

  test('can be assigned to its own people, and taken from them again', async () => {
    const testBed = await start();
    expect(await reply(testBed, `/quiz assign ${safetyQuiz} to ${karl}`)).toContain('Assigned');
    expect(await reply(testBed, `/quiz unassign ${safetyQuiz} from ${karl}`)).toContain('Unassigned');
    expect(changes(testBed)).toHaveLength(2);
  });
});

describe('what is new', () => {
  test('a user is put into the group, and is there at once', async () => {
    const testBed = await start();
    expect(await reply(testBed, '/quiz-user create kim@quiz.example Kim March')).toContain(
      'Created *Kim March* as a respondent. They’re in the group *Kitchen*.',
    );
    expect(all(testBed, `SELECT 1 FROM users WHERE first_name = 'Kim' AND user_id IN (${inKitchen})`)).toHaveLength(1);
    expect(await reply(testBed, '/quiz-user show kim march')).toContain('Kitchen');
  });

  test('a user whom the service cannot put into the group stays there, and can be added', async () => {
    const testBed = await start();
    testBed.setServiceFault('down', (request) => /^POST \S+\/groups group_id/.test(request));
    expect(await reply(testBed, '/quiz-user create kim@quiz.example Kim March')).toContain(
      'They couldn’t be added to the group *Kitchen*',
    );
    testBed.setServiceFault(undefined);
    expect(await reply(testBed, '/quiz-user list kim')).toContain('Kim March');
    expect(await reply(testBed, '/quiz-group add kim march to kitchen')).toContain('Added *Kim March* to the group');
    expect(all(testBed, `SELECT 1 FROM users WHERE first_name = 'Kim' AND user_id IN (${inKitchen})`)).toHaveLength(1);
  });

  test('a user whose answer was lost is found, and put into the group', async () => {
    const testBed = await start();
    testBed.setServiceFault('lost answers', (request) => request.startsWith('POST /api/v1/users user_name'));
    expect(await reply(testBed, '/quiz-user create kim@quiz.example Kim March')).toContain('Kim March');
    testBed.setServiceFault(undefined);
    expect(all(testBed, `SELECT 1 FROM users WHERE first_name = 'Kim' AND user_id IN (${inKitchen})`)).toHaveLength(1);
  });

  test('with several groups, a user is in none until a person chooses one', async () => {
    const testBed = await start({ env: { GROUPS: 'Kitchen, Night shift' } });
    const created = await reply(testBed, '/quiz-user create kim@quiz.example Kim March');
    expect(created).toContain('Created *Kim March* as a respondent.');
    expect(created).not.toContain('in the group');
    expect(created).toContain('Add to a group…');
    expect(await reply(testBed, '/quiz-user list kim')).toContain('Kim March');
    expect(await reply(testBed, '/quiz-group add kim march to night shift')).toContain('Added');
    expect(await reply(testBed, '/quiz-user show kim march')).toContain('Night shift');
  });

  test('a person who is taken out of their last group can be brought back', async () => {
    const testBed = await start();
    expect(await reply(testBed, `/quiz-group remove ${karl} from Kitchen`)).toContain('Removed');
    expect(await reply(testBed, `/quiz-user show ${karl}`)).toContain(karl);
    expect(await reply(testBed, `/quiz-group add ${karl} to Kitchen`)).toContain('Added');
  });

  test.each([
    ['a quiz', '/quiz create Ladders'],
    ['a copy', `/quiz copy ${safetyQuiz} as Ladders`],
  ])('%s is there, and can be changed', async (_, line) => {
    const testBed = await start();
    expect(await reply(testBed, line)).toContain('Ladders');
    expect(await reply(testBed, '/quiz list ladders')).toContain('*1 quiz*');
    expect(await reply(testBed, '/quiz rename ladders to Ladders and steps')).toContain('Renamed');
  });

  test('a quiz that is unassigned last stays there', async () => {
    const testBed = await start();
    expect(await reply(testBed, `/quiz-group unassign ${ownQuiz} from Kitchen`)).toContain('Unassigned');
    expect(await reply(testBed, '/quiz list knife')).toContain('*1 quiz*');
    expect(await reply(testBed, `/quiz-group assign ${ownQuiz} to Kitchen`)).toContain('Assigned');
  });

  test('a quiz whose answer was lost is found', async () => {
    const testBed = await start();
    testBed.setServiceFault('lost answers', (request) => request.startsWith('POST /api/v1/quizzes name'));
    expect(await reply(testBed, '/quiz create Ladders')).toContain('Found a new quiz called *Ladders*');
    testBed.setServiceFault(undefined);
    expect(await reply(testBed, '/quiz list ladders')).toContain('*1 quiz*');
  });

  test('a quiz of the same name that others made is not taken for it', async () => {
    const testBed = await start();
    testBed.setServiceFault('down', (request) => request.startsWith('POST /api/v1/quizzes name'));
    await reply(testBed, '/quiz create Canary draft');
    testBed.setServiceFault(undefined);
    expect(await reply(testBed, '/quiz list canary')).not.toContain('*1 quiz*');
  });
});

describe('at the moment of acting', () => {
  test.each([
    ['an assignment', `/quiz assign ${safetyQuiz} to ${karl}`],
    ['a suspension', `/quiz-user suspend ${karl}`],
    ['another group', `/quiz-group remove ${karl} from Kitchen`],
  ])('%s finds that a person has left the group', async (_, line) => {
    const testBed = await start();
    expect(await reply(testBed, '/quiz-user list karl')).toContain(karl);
    moveToOthers(testBed, 'u-karl');
    expect(await reply(testBed, line)).not.toMatch(/Assigned|Suspended|Removed/);
    expect(changes(testBed)).toEqual([]);
    expect(await reply(testBed, '/quiz-user list karl')).not.toContain(karl);
  });

  test('a change finds that others have the quiz by now', async () => {
    let passedMs = 0;
    const testBed = await start({ now: () => Date.now() + passedMs });
    expect(await reply(testBed, `/quiz show ${ownQuiz}`)).toContain(ownQuiz);
    const assigned = [outside.user.id, ownQuizId, '2026-11-01 00:00:00'];
    testBed.quizService.database.run(
      'INSERT INTO user_quizzes (user_id, quiz_id, date_assigned) VALUES (?, ?, ?)',
      assigned,
    );
    passedMs = 10_000;
    expect(await reply(testBed, `/quiz close ${ownQuiz}`)).toContain('Other people of the quiz account have this quiz');
    expect(changes(testBed)).toEqual([]);
  });

  test('nothing is changed while the service does not say who a person is', async () => {
    const testBed = await start();
    expect(await reply(testBed, '/quiz-user list karl')).toContain(karl);
    testBed.setServiceFault('down', (request) => request === 'GET /api/v1/users/u-karl');
    expect(await reply(testBed, `/quiz assign ${safetyQuiz} to ${karl}`)).not.toContain('Assigned *');
    expect(changes(testBed)).toEqual([]);
  });
});

describe('a webhook', () => {
  async function startWithAlerts() {
    const testBed = await start();
    const { workspace } = testBed;
    const channel = workspace.channels.results.id;
    await workspace.as(owner).command('/quiz-alerts subscribe all', { channel });
    await workspace.until(() => workspace.ephemerals(owner).some((message) => textOf(message).includes('Subscribed')));
    let sent = 0;
    const send = async (data: Record<string, unknown>) => {
      sent += 1;
      const answer = await sendEvent(
        testBed.url,
        eventBody({ event_id: `event-${sent}` }, { quiz_id: quizId(testBed, safetyQuiz), ...data }),
      );
      return `${answer.status} ${(await answer.text()).trim()}`;
    };
    const announced = () => workspace.messages(channel).map(textOf).join('\n');
    return { ...testBed, send, announced };
  }

  test('about a person of others, or about nobody’s guest, is dropped and counted', async () => {
    const { send, announced, workspace, url, ...testBed } = await startWithAlerts();
    const dropped = '200 Not for this bot.';
    const sam = { user_id: outside.user.id, first_name: 'Zorbas', last_name: 'Canaryson' };
    expect(await send(sam)).toBe(dropped);
    expect(await send({ ...sam, quiz_id: ownQuizId })).toBe(dropped);
    expect(await send({ user_id: null, first_name: 'Canary', email_address: 'g@guest.example' })).toBe(dropped);
    expect(await send({ user_id: 'u-unknown', first_name: 'Canary' })).toBe(dropped);
    expect(await send({ quiz_id: outside.quiz.id, user_id: 'u-karl', quiz_name: 'Canary' })).toBe(dropped);
    expect(await send({ user_id: 'u-karl', first_name: 'Karl', last_name: 'Kitchener' })).toBe('200 Taken.');
    expect(await send({ quiz_id: ownQuizId, user_id: null, first_name: 'Gina', last_name: 'Guest' })).toBe(
      '200 Taken.',
    );
    await workspace.until(() => /Karl/.test(announced()) && /Gina/.test(announced()));
    expect(canariesIn(announced())).toEqual([]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^invigilator_webhooks_total\{outcome="other_groups"\} 5$/m);
    expect(canariesIn(metrics + testBed.lines.join('\n'))).toEqual([]);
  });

  test('about a person who is newer than the list is announced', async () => {
    const { send, announced, workspace, quizService } = await startWithAlerts();
    quizService.database.run(
      `INSERT INTO users (user_id, user_name, folded_user_name, user_type, first_name, last_name, date_created) VALUES ('u-new', 'new@quiz.example', 'new@quiz.example', 'respondent', 'Nina', 'New', '2026-11-01 00:00:00')`,
    );
    quizService.database.run(
      `INSERT INTO user_groups (user_id, group_id) SELECT 'u-new', group_id FROM groups WHERE group_name = 'Kitchen'`,
    );
    expect(await send({ user_id: 'u-new', first_name: 'Nina', last_name: 'New' })).toBe('200 Taken.');
    await workspace.until(() => /Nina/.test(announced()));
  });

  test('is kept as a hint while the service does not answer, and is judged later', async () => {
    const { send, announced, workspace, setServiceFault, requests, url } = await startWithAlerts();
    setServiceFault('down');
    expect(await send({ response_id: 'r-shared-0uts1de', user_id: 'u-unknown', first_name: 'Canary' })).toBe(
      '200 Taken.',
    );
    expect(await send({ response_id: 'r-karl', user_id: 'u-unread', first_name: 'Canary' })).toBe('200 Taken.');
    setServiceFault(undefined);
    await workspace.until(() => /Karl/.test(announced()), 90_000);
    expect(canariesIn(announced())).toEqual([]);
    expect(requests.some((request) => request.includes('/responses/r-karl'))).toBe(true);
    await workspace.until(async () =>
      /outcome="other_groups"\} 1$/m.test(await (await fetch(`${url}/metrics`)).text()),
    );
  });
});
