import { describe, expect, test } from 'vitest';
import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { leadsChannelId, decisionOn } from '../support/approvals.ts';
import { botToken } from '../support/open-test-bed.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import {
  commandReply,
  fileSentTo,
  quizId,
  safetyQuiz,
  submittedResponses,
  locationOf,
  pickOf,
} from '../support/results.ts';
import { webhookSecret } from '../support/event.ts';
import { inTheAccount, storyStores } from '../support/many-changes.ts';
import { openSkippedCampaigns } from '../support/skipped-campaigns.ts';
import { takeQuiz } from '../support/take-quiz.ts';

const { ada, erin, tom } = people;
const onboarding = 'Onboarding, week 1';

/** The id of Rosa’s attempt with an uploaded file. */
function uploadedIn({ quizService }: TestBed): string {
  return quizService.database.get<{ response_id: string }>('SELECT response_id FROM files')?.response_id ?? '';
}

async function openAttempt(testBed: TestBed, personId: string, quiz: string, responseId: string): Promise<View> {
  const message = await commandReply(testBed, personId, `/quiz results ${quiz}`);
  await testBed.workspace
    .as(personId)
    .click(locationOf(message), 'menu:pick', pickOf(quizId(testBed, quiz), responseId));
  const view = await testBed.workspace.until(() =>
    testBed.workspace.views(personId).find((open) => textOf(open).includes('Submitted <!date')),
  );
  expect(testBed.requests.at(-1)).toContain(`/responses/${responseId}/questions`);
  return view;
}

describe('an attempt', () => {
  test('opens from the picker with questions and answers and costs two requests', async () => {
    const testBed = await startTestBed();
    const [response] = submittedResponses(testBed, safetyQuiz);
    await commandReply(testBed, erin.id);
    testBed.requests.length = 0;
    const view = await openAttempt(testBed, erin.id, safetyQuiz, response!.response_id);
    const path = `GET /api/v1/quizzes/${quizId(testBed, safetyQuiz)}/responses`;
    expect(testBed.requests).toEqual([
      path,
      `${path}/${response!.response_id}`,
      `${path}/${response!.response_id}/questions`,
    ]);
    expect(textOf(view)).toContain('*1. You find a spill in a walkway. What do you do first?*');
    expect(textOf(view)).toMatch(/↳ (Chose|Answered):/);
  });

  test('opens from a picker that version 1.7 posted in a direct message', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const [response] = submittedResponses(testBed, safetyQuiz);
    const option = { text: { type: 'plain_text', text: 'Rosa' }, value: response!.response_id };
    const picker = { type: 'static_select', action_id: 'attempt', options: [option] };
    const blocks = [
      { type: 'actions', block_id: `results of ${quizId(testBed, safetyQuiz)} 811c9dc5`, elements: [picker] },
    ];
    const channel = workspace.channels.training.id;
    const posted = await fetch(`${workspace.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ channel, text: 'Results', blocks }),
    });
    const { ts } = (await posted.json()) as { ts: string };
    await workspace.as(erin.id).click({ channel, ts }, 'attempt', response!.response_id);
    await workspace.until(() => textOf(workspace.views(erin.id)[0]).includes('*1. You find a spill'));
  });

  test('is found by the name of the person', async () => {
    const testBed = await startTestBed();
    expect(textOf(await commandReply(testBed, erin.id, `/quiz attempt ${onboarding} of Rosa Almeida`))).toContain(
      uploadedIn(testBed),
    );
    expect(textOf(await commandReply(testBed, erin.id, `/quiz attempt ${safetyQuiz} of e`))).toMatch(
      /“e” matches \d+ attempts/,
    );
    for (const between of [' of', ''])
      expect(
        textOf(await commandReply(testBed, erin.id, `/quiz attempt ${safetyQuiz}${between} Methuselah`)),
      ).toContain('is called *Methuselah*, and no user is');
  });

  test('is found by a mention of the person, and by nobody’s name', async () => {
    const testBed = await startTestBed();
    const { database } = testBed.quizService;
    const quiz = quizId(testBed, safetyQuiz);
    const [ofUser = '', ofAddress = '', ofNamesake = ''] = submittedResponses(testBed, safetyQuiz).map(
      ({ response_id }) => response_id,
    );
    const ravis = "(SELECT user_id FROM users WHERE user_name = 'ravi@quiz.example')";
    database.run("UPDATE responses SET user_id = NULL, email_address = '' WHERE quiz_id = ?", [quiz]);
    database.run(
      `UPDATE responses SET user_id = ${ravis}, date_submitted = '2026-03-01 10:00:00' WHERE response_id = ?`,
      [ofUser],
    );
    database.run(
      "UPDATE responses SET email_address = 'RAVI@quiz.example', date_submitted = '2026-03-02 10:00:00' WHERE response_id = ?",
      [ofAddress],
    );
    database.run(
      "UPDATE responses SET first_name = 'Ravi', last_name = 'Banerjee', email_address = 'ravi', date_submitted = '2026-03-03 10:00:00' WHERE response_id = ?",
      [ofNamesake],
    );
    expect(textOf(await commandReply(testBed, erin.id, `/quiz attempt ${safetyQuiz} of @ravi`))).toContain(
      '2 Mar 2026',
    );
    const results = await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for @ravi`);
    expect(textOf(results)).toContain('only *Ravi Banerjee*');
    expect(textOf(results)).toContain('*Submitted*\\n2');
    expect(textOf(results)).not.toContain(ofNamesake);
    expect(
      textOf(await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for passed @ravi since 2026-03-02`)),
    ).toMatch(/only passed, since Mon 2 Mar(?: 2026)?, \*Ravi Banerjee\*/);
    expect(textOf(await commandReply(testBed, erin.id, `/quiz attempt ${safetyQuiz} of @zoe`))).toContain(
      'isn’t a user of the quiz account that you can see.',
    );
    expect(textOf(await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for @zoe`))).toContain(
      'isn’t a user of the quiz account that you can see.',
    );
  });

  test('of a guest whose name others have is a choice by time', async () => {
    const testBed = await startTestBed();
    const { database } = testBed.quizService;
    const [first = '', second = ''] = submittedResponses(testBed, safetyQuiz).map(({ response_id }) => response_id);
    const name = "user_id = NULL, first_name = 'Kim', last_name = '', email_address = ''";
    database.run(`UPDATE responses SET ${name}, date_submitted = '2026-03-01 10:00:00' WHERE response_id = ?`, [first]);
    database.run(`UPDATE responses SET ${name}, date_submitted = '2026-03-02 11:30:00' WHERE response_id = ?`, [
      second,
    ]);
    const choice = await commandReply(testBed, erin.id, `/quiz attempt ${safetyQuiz} of Kim`);
    expect(textOf(choice)).toContain('“Kim” matches 2 attempts. Which one?');
    expect(textOf(choice)).toContain('Kim · 1 Mar 2026, 10:00');
    await testBed.workspace.as(erin.id).click(locationOf(choice), 'choose:show-attempt-1');
    await testBed.workspace.until(() =>
      testBed.workspace.ephemerals(erin.id).some((message) => /Submitted <!date\^\d+/.test(textOf(message))),
    );
    expect(testBed.requests.filter((request) => request.endsWith('/questions'))).toEqual([
      expect.stringContaining(`/responses/${first}/`),
    ]);
  });

  test('shows contact details only to people who manage users', async () => {
    const testBed = await startTestBed();
    const [response] = submittedResponses(testBed, safetyQuiz);
    expect(textOf(await openAttempt(testBed, ada.id, safetyQuiz, response!.response_id))).toContain(
      response!.email_address,
    );
    const withoutRight = textOf(await openAttempt(testBed, erin.id, safetyQuiz, response!.response_id));
    for (const personal of [response!.email_address, 'E-mail', 'IP address', '198.51.100.'])
      expect(withoutRight).not.toContain(personal);
  });

  test('sends its uploaded file in a direct message', async () => {
    const testBed = await startTestBed();
    const view = await openAttempt(testBed, erin.id, onboarding, uploadedIn(testBed));
    expect(textOf(view)).toContain('📎 Get code-of-conduct-signed.txt');
    await testBed.workspace.as(erin.id).click({ view }, 'ask:send-files');
    const { name, text, comment } = await fileSentTo(testBed, erin.id);
    expect([name, text]).toEqual(['code-of-conduct-signed.txt', 'I have read the code of conduct.\n\nRosa Almeida\n']);
    expect(comment).toContain('Uploaded by Rosa Almeida');
    await testBed.workspace.until(() =>
      textOf(testBed.workspace.views(erin.id).at(-1)).includes('in a direct message.'),
    );
  });

  test('of a respondent who wrote lines, direction signs and links into their name has a comment of one line without links', async () => {
    const testBed = await startTestBed();
    const written = 'Almeida\n*Approved*\u202E by Ada https://evil.example';
    testBed.quizService.database.run("UPDATE responses SET last_name = ? WHERE first_name = 'Rosa'", [written]);
    await commandReply(testBed, erin.id, `/quiz files ${onboarding} of Rosa`);
    const [{ text, blocks }] = testBed.workspace.directMessages(erin.id) as [Message];
    expect(text).toBe('');
    expect(blocks).toMatchObject([
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          verbatim: true,
          text: expect.stringMatching(
            /^Uploaded by Rosa Almeida \*Approved\* {1,2}by Ada https:\/\/evil\.example for “[^\n\p{Cf}]*”$/u,
          ),
        },
      },
    ]);
  });

  test.each([
    ['is too large', 'zeroblob(26 * 1024 * 1024)', 'is larger than 25 MB'],
    ['is empty', "x''", 'is empty'],
  ])('with a file that %s gets an explanation and no file', async (_, content, why) => {
    const testBed = await startTestBed();
    testBed.quizService.database.run(`UPDATE files SET content = ${content}`);
    expect(textOf(await commandReply(testBed, erin.id, `/quiz files ${onboarding} of Rosa`))).toContain(why);
    expect(testBed.workspace.directMessages(erin.id)).toEqual([]);
  });

  test('with a file that Slack rejects gets an error with the reference of the log', async () => {
    const testBed = await startTestBed();
    testBed.workspace.faults.inject(
      { kind: 'api-error', error: 'file_uploads_disabled' },
      { method: 'files.getUploadURLExternal' },
    );
    const reply = textOf(await commandReply(testBed, erin.id, `/quiz files ${onboarding} of Rosa`));
    const correlationId = /reference ([0-9a-f]+)/.exec(reply)?.[1];
    expect(correlationId).toBeDefined();
    expect(testBed.lines.filter((line) => line.includes(correlationId!)).join('')).toContain('file_uploads_disabled');
  });

  test('can be deleted from its view with the approval of another administrator', async () => {
    const testBed = await startTestBed({ env: { OWNERS: tom.id, APPROVALS_CHANNEL: leadsChannelId } });
    const [response] = submittedResponses(testBed, safetyQuiz);
    const administrator = testBed.workspace.as(ada.id);
    const view = await openAttempt(testBed, ada.id, safetyQuiz, response!.response_id);
    const form = await (await administrator.click({ view }, 'form:delete-response')).view();
    expect(form.callback_id).toBe('delete-response');
    await administrator.submit(form, { reason: 'Taken by mistake' });
    const request = await testBed.workspace.until(() => testBed.workspace.messages(leadsChannelId)[0]);
    expect(textOf(request)).toMatch(
      /attempt \d+ at \*Workplace safety basics\* .* would be deleted for good, with its answers and files/,
    );
    expect(submittedResponses(testBed, safetyQuiz).map(({ response_id }) => response_id)).toContain(
      response!.response_id,
    );

    const reviewer = testBed.workspace.as(tom.id);
    const review = await (
      await reviewer.click({ channel: request.channel, ts: request.ts }, 'modal:decide-request')
    ).view();
    const decision = await testBed.workspace.until(() =>
      testBed.workspace
        .views(tom.id)
        .find(({ id, callback_id }) => id === review.id && callback_id === 'decide-request'),
    );
    await reviewer.submit(decision, decisionOn(decision));
    await testBed.workspace.until(() => textOf(testBed.workspace.messages(leadsChannelId)[0]).includes('Deleted *'));
    expect(submittedResponses(testBed, safetyQuiz).map(({ response_id }) => response_id)).not.toContain(
      response!.response_id,
    );
  });
});

describe('by link', () => {
  const { ravi } = people;
  const hourMs = 60 * 60_000;
  const wednesdayMorning = Date.UTC(2030, 0, 9, 10);
  const forklift = 'Forklift theory test';

  test.each(storyStores)(
    'over %s, a quiz taken by its link without signing in is taken on every screen, and for reminders',
    async (store) => {
      const { clock, workspace, testBed, reply, start, report } = await openSkippedCampaigns(store, wednesdayMorning, {
        beforeStart: async (_, started) => {
          inTheAccount(started).forgetAttempts();
          started.quizService.database.run("UPDATE quizzes SET status = 'open'");
          started.quizService.database.run(
            "UPDATE users SET email_address = 'Ravi@Elsewhere.example' WHERE user_name = 'ravi@quiz.example'",
          );
        },
      });
      const { quizService, bots } = testBed;
      quizService.setWebhook({ url: `${bots[0]!.url}/webhooks/quiz`, secret: webhookSecret });
      const idOf = (name: string) =>
        quizService.database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name])!.quiz_id;
      for (const quiz of [safetyQuiz, forklift])
        await start(ada.id, `"${quiz}" for @ravi, @nora due 2030-01-14 09:00 remind 1d complete when submitted`);
      await clock.skip(hourMs);
      // By the address that he has in the service, in any case of letters.
      await takeQuiz(quizService.url, idOf(safetyQuiz), 'RAVI@elsewhere.EXAMPLE');

      await expect
        .poll(async () => textOf(await reply(ada.id, '/quiz-campaign show workplace')))
        .toContain('*Missing*\\n1');
      expect(textOf(await reply(ada.id, '/quiz missing workplace'))).toContain(
        `1 of 2 people hasn’t taken *${safetyQuiz}*`,
      );
      const mine = textOf(await reply(ravi.id, '/quiz mine'));
      expect(mine).toMatch(/Forklift theory test\*[^"]*not taken/);
      expect(mine).toMatch(/Workplace safety basics\* · (?:✅|❌)/u);
      expect((await report(ada.id, 'workplace')).get('Ravi Banerjee')?.['State']).toBe('done');

      await clock.skip(5 * 24 * hourMs);
      const reminders = workspace
        .directMessages(ravi.id)
        .map(textOf)
        .filter((text) => text.includes('Reminder'));
      expect(reminders.filter((text) => text.includes(forklift))).toHaveLength(1);
      expect(reminders.filter((text) => text.includes(safetyQuiz))).toEqual([]);
    },
  );
});
