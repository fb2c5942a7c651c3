import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { commandReply, quizId, safetyQuiz } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, aisha, dora, lena, ravi, rosa, sam, tom } = people;
const forklift = 'Forklift theory test';
const env = { QUIZ_TAKE_URL: 'https://quiz.example/take/{quiz_id}' };

const textsTo = ({ workspace }: TestBed, personId: string) => workspace.directMessages(personId).map(textOf);

async function untilTold(testBed: TestBed, personId: string, words: string): Promise<string> {
  return testBed.workspace.until(() => textsTo(testBed, personId).find((text) => text.includes(words)));
}

function userId({ quizService: { database } }: TestBed, userName: string): string {
  const [user] = database.all<{ user_id: string }>('SELECT user_id FROM users WHERE user_name = ?', [userName]);
  return user?.user_id ?? '';
}

/** A webhook about a response of the user with this name. */
const submissionOf = (
  testBed: TestBed,
  userName: string,
  { response_id = 'r-1', ...data }: { response_id?: string; [field: string]: unknown } = {},
) =>
  eventBody(
    { event_id: `event-${response_id}` },
    {
      user_id: userId(testBed, userName),
      user_name: userName,
      email_address: userName,
      publish_type: 'assigned_user',
      response_id,
      ...data,
    },
  );

/** Nobody has a quiz, and the one that is assigned is open: assigning a closed one asks first. */
async function prepare(testBed: TestBed): Promise<void> {
  const { database } = testBed.quizService;
  database.run('DELETE FROM user_quizzes');
  database.run('DELETE FROM group_quizzes');
  await commandReply(testBed, tom.id, '/quiz open forklift');
}

describe('a person who gets a quiz', () => {
  test('reads who assigned it, with a link to take it', async () => {
    const testBed = await startTestBed({ env });
    await prepare(testBed);
    await commandReply(testBed, tom.id, '/quiz assign forklift to Rosa Almeida');
    const told = await untilTold(testBed, rosa.id, 'assigned you');
    expect(told).toContain(`<@${tom.id}> assigned you *${forklift}*.`);
    expect(told).toContain(`https://quiz.example/take/${quizId(testBed, forklift)}`);
    expect(told).toContain('Stop these messages');
  });

  test('gets a message when their group gets it, and not again when they have it already', async () => {
    const testBed = await startTestBed({ env });
    await prepare(testBed);
    await commandReply(testBed, tom.id, '/quiz assign forklift to Kitchen');
    await untilTold(testBed, rosa.id, forklift);
    await commandReply(testBed, tom.id, '/quiz assign forklift to Rosa Almeida');
    await commandReply(testBed, tom.id, `/quiz assign ${safetyQuiz} to Rosa Almeida`);
    await untilTold(testBed, rosa.id, safetyQuiz);
    expect(textsTo(testBed, rosa.id).filter((text) => text.includes(forklift))).toHaveLength(1);
  });

  test('reads who requested it, once it is approved', async () => {
    const testBed = await startApprovalsTestBed({ env });
    await prepare(testBed);
    const { ask, review, decide } = approvalActions(testBed);
    const request = await ask(people.uma.id, '/quiz assign forklift to Rosa Almeida --reason New job');
    expect(textsTo(testBed, rosa.id)).toEqual([]);
    await decide(ada.id, await review(ada.id, request), 'approved');
    expect(await untilTold(testBed, rosa.id, 'assigned you')).toContain(`<@${people.uma.id}> assigned you`);
  });
});

describe('a person who submitted a quiz', () => {
  test('gets the result in a message, and sees it with a button', async () => {
    const testBed = await startTestBed({ env });
    const { workspace } = testBed;
    await sendEvent(
      testBed.url,
      submissionOf(testBed, rosa.email, {
        points: 7,
        available_points: '8.00',
        percentage_score: 87.5,
        grade: '',
        response_report_url: 'https://quiz.example/report/1',
      }),
    );
    const told = await untilTold(testBed, rosa.id, 'You passed');
    expect(told).toContain('✅ You passed *Fire safety* with 87.5% (7 of 8 points), 2nd attempt.');
    expect(told).toContain('https://quiz.example/report/1');
    const [message] = workspace.directMessages(rosa.id);
    const reply = await (await workspace.as(rosa.id).click(message!, 'ask:my-quizzes')).reply();
    expect(textOf(reply)).toContain('assigned to you');
  });

  test('costs the quiz service no request', async () => {
    // Without a subscription, the bot does not compare lists of responses.
    const testBed = await startTestBed({ env: { ...env, ALERTS_CHANNEL: '' } });
    const lists = ['users', 'quizzes', 'groups'].map((list) => `GET /api/v1/${list}`);
    for (const number of [1, 2, 3])
      await sendEvent(testBed.url, submissionOf(testBed, rosa.email, { response_id: `r-${number}` }));
    await testBed.workspace.until(() => textsTo(testBed, rosa.id).length === 3);
    // The rough account gives the groups in pages.
    expect(testBed.requests.filter((request) => !request.includes('?page=')).toSorted()).toEqual(lists.toSorted());
  });
});

describe('nobody gets a message', () => {
  test('who cannot be written to, is not the user, or has no address of their own; the next person is', async () => {
    const testBed = await startTestBed({ env });
    const {
      quizService: { database },
    } = testBed;
    const addUser = (userName: string, address: string) =>
      database.run(
        "INSERT OR IGNORE INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, 'Kim', 'Doe', '2026-01-01 00:00:00')",
        [`u-${userName}`, userName, userName, address],
      );
    for (const { email } of [lena, dora, aisha, sam]) addUser(email, email);
    // A second user with Rosa’s address, who is not the one whom the bot takes Rosa for.
    addUser('rosa2', rosa.email);
    for (const [index, { email }] of [lena, dora, aisha, sam].entries())
      await sendEvent(testBed.url, submissionOf(testBed, email, { response_id: `r-${index}` }));
    await sendEvent(testBed.url, submissionOf(testBed, 'rosa2', { response_id: 'r-double' }));
    await sendEvent(
      testBed.url,
      eventBody({ event_id: 'event-guest' }, { response_id: 'r-guest', email_address: `Ravi <${ravi.email}>` }),
    );
    await sendEvent(testBed.url, submissionOf(testBed, rosa.email, { response_id: 'r-rosa', quiz_name: 'Ladders' }));
    await untilTold(testBed, rosa.id, 'Ladders');
    await expect.poll(() => metricsOf(testBed)).not.toMatch(/queue_entries\{queue="person"[^}]*\} [1-9]/);
    expect([lena, dora, aisha, sam, ravi].flatMap(({ id }) => textsTo(testBed, id))).toEqual([]);
    expect(textsTo(testBed, rosa.id)).toHaveLength(1);
    expect(testBed.lines.join('\n')).not.toMatch(/rosa@quiz|lena\.visitor@|Rosa Almeida/);
    expect(await metricsOf(testBed)).toMatch(/invigilator_direct_messages_total\{outcome="no_person"\} [1-9]/);
  });

  test('who has turned messages off; turned on again, they are', async () => {
    const testBed = await startTestBed({ env });
    const { workspace } = testBed;
    await sendEvent(testBed.url, submissionOf(testBed, rosa.email, { response_id: 'r-1', quiz_name: 'First' }));
    await untilTold(testBed, rosa.id, 'First');
    await workspace.as(rosa.id).click(workspace.directMessages(rosa.id)[0]!, 'button:turn-messages');
    await untilTold(testBed, rosa.id, 'your results anymore. Campaigns still write to you');
    expect(textsTo(testBed, rosa.id)[0]).toContain('You passed *First*');
    await sendEvent(testBed.url, submissionOf(testBed, rosa.email, { response_id: 'r-2', quiz_name: 'Second' }));
    await expect.poll(() => metricsOf(testBed)).toMatch(/outcome="turned_off"\} [1-9]/);
    await workspace.as(rosa.id).openHome();
    const home = await workspace.until(() => workspace.home(rosa.id));
    await workspace.as(rosa.id).click({ view: home }, 'button:turn-messages');
    await workspace.until(() => textOf(workspace.home(rosa.id)).includes('Stop these messages'));
    await sendEvent(testBed.url, submissionOf(testBed, rosa.email, { response_id: 'r-3', quiz_name: 'Third' }));
    await untilTold(testBed, rosa.id, 'Third');
    expect(textsTo(testBed, rosa.id).join()).not.toContain('Second');
  });

  test('where the account has turned messages off', async () => {
    const testBed = await startTestBed({ env: { ...env, NOTIFY_RESPONDENTS: 'false' } });
    const { workspace } = testBed;
    await prepare(testBed);
    await commandReply(testBed, tom.id, '/quiz assign forklift to Rosa Almeida');
    await sendEvent(testBed.url, submissionOf(testBed, rosa.email));
    await workspace.until(() => workspace.messages(workspace.channels.results.id).length > 0);
    await workspace.as(rosa.id).openHome();
    expect(textOf(await workspace.until(() => workspace.home(rosa.id)))).not.toContain('Stop these messages');
    expect(textsTo(testBed, rosa.id)).toEqual([]);
    expect(workspace.calls.map(({ method }) => method)).not.toContain('users.lookupByEmail');
  });
});

async function metricsOf({ url }: TestBed): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}
