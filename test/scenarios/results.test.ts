import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import {
  commandReply,
  fileSentTo,
  quizId,
  safetyQuiz,
  submittedResponses,
  locationOf,
  pickOf,
} from '../support/results.ts';

const { erin, zoe } = people;

const typesOf = (message: Message) => message.blocks?.map(({ type }) => type) ?? [];

describe.each(['http', 'socket'] as const)('over %s', (mode) => {
  test('a trainer sees the results of a quiz for one request to the quiz service', async () => {
    const testBed = await startTestBed({ mode });
    await commandReply(testBed, erin.id);
    testBed.requests.length = 0;
    const message = await commandReply(testBed, erin.id);
    const rows = submittedResponses(testBed, safetyQuiz);
    expect(textOf(message)).toContain(`*Submitted*\\n${rows.length}`);
    expect(textOf(message)).toContain(`*Passed*\\n${rows.filter(({ pass }) => pass).length} (`);
    expect(typesOf(message)).toEqual([
      'section',
      'section',
      'data_visualization',
      'data_visualization',
      'data_table',
      'actions',
    ]);
    expect(testBed.requests).toEqual([`GET /api/v1/quizzes/${quizId(testBed, safetyQuiz)}/responses`]);
    expect(message.onlyFor).toBe(erin.id);
  });
});

describe('/quiz results', () => {
  test('results by group ask which group is meant', async () => {
    const testBed = await startTestBed();
    const question = textOf(await commandReply(testBed, erin.id, '/quiz results workplace nach Gruppe'));
    expect(question).toMatch(/“nach Gruppe” matches \d groups. Which one\?.*"Kitchen"/);
  });

  test('“me” is nobody for a person without a user', async () => {
    const testBed = await startTestBed({ env: { OWNERS: zoe.id } });
    for (const line of ['/quiz results workplace me', '/quiz all-results me'])
      expect(textOf(await commandReply(testBed, zoe.id, line))).toContain('You have no user in the quiz account.');
  });

  test('a file of the results reaches only the trainer', async () => {
    const testBed = await startTestBed();
    const message = await commandReply(testBed, erin.id);
    await testBed.workspace.as(erin.id).click(locationOf(message), 'ask:export-results');
    const { name, text, comment } = await fileSentTo(testBed, erin.id);
    expect(name).toBe(`${safetyQuiz} results.xlsx`);
    expect(comment).toContain(`to the quiz “${safetyQuiz}”`);
    expect(text.startsWith('Response id,First name,Last name,Status')).toBe(true);
    for (const { response_id } of submittedResponses(testBed, safetyQuiz)) expect(text).toContain(response_id);
    await testBed.workspace.until(() =>
      testBed.workspace
        .ephemerals(erin.id)
        .some((ephemeral) => textOf(ephemeral).includes('The file is in your direct messages')),
    );
    expect(testBed.workspace.ephemerals(erin.id)).toHaveLength(2);
    expect(testBed.workspace.messages(testBed.workspace.channels.results.id)).toEqual([]);
  });

  test('shows plain sections in a workspace without charts and tables', async () => {
    const testBed = await startTestBed({ workspace: { strictness: { legacy: true } } });
    const message = await commandReply(testBed, erin.id);
    expect(new Set(typesOf(message))).toEqual(new Set(['section', 'actions']));
    expect(textOf(message)).toContain(`*Submitted*\\n${submittedResponses(testBed, safetyQuiz).length}`);
    expect(textOf(message)).toMatch(/` ?90–100` █/);
  });

  test('says when each attempt was submitted in one way, on the reader’s clock', async () => {
    const testBed = await startTestBed({ account: 'smooth', env: { TIME_ZONE: 'America/New_York' } });
    testBed.quizService.database.run("UPDATE responses SET date_submitted = '2026-03-01 23:30:00'");
    const text = textOf(await commandReply(testBed, erin.id));
    expect(text).toContain('"text":"Submitted"');
    const attempts = submittedResponses(testBed, safetyQuiz).length;
    // In the table and beside each choice.
    expect(text.split('1 Mar 2026, 23:30')).toHaveLength(2 * attempts + 1);
    expect(text).not.toMatch(/\d{4}-\d{2}-\d{2}/);
  });

  test('asks for a missing quiz in a form and answers in the conversation', async () => {
    const testBed = await startTestBed();
    const trainer = testBed.workspace.as(erin.id);
    const form = await (await trainer.command('/quiz results')).view();
    const { errors, view, outcome } = await trainer.submit(form, {
      quiz: quizId(testBed, safetyQuiz),
      outcome: 'passed',
    });
    expect([errors, view]).toEqual([undefined, undefined]);
    expect(testBed.workspace.views(erin.id)).toEqual([]);
    expect(typesOf(await outcome!.reply())).toContain('data_visualization');
  });

  test('reads a filter after “for” and keeps a “for” in the name of a quiz', async () => {
    const testBed = await startTestBed();
    const passed = submittedResponses(testBed, safetyQuiz).filter(({ pass }) => pass);
    expect(
      textOf(await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for passed since 2000-01-01`)),
    ).toContain(`*Submitted*\\n${passed.length}`);
    expect(textOf(await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for since tomorrow`))).toContain(
      'After “since” comes a day',
    );
    const renamed = await startTestBed();
    renamed.quizService.database.run("UPDATE quizzes SET name = 'Safety for everybody' WHERE name = ?", [safetyQuiz]);
    expect(textOf(await commandReply(renamed, erin.id, '/quiz results Safety for everybody'))).toContain(
      '*Safety for everybody*: results',
    );
  });

  test('filters by result in a form, and shows all again, in the same message', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const trainer = workspace.as(erin.id);
    const failed = submittedResponses(testBed, safetyQuiz).filter(({ pass }) => !pass);
    const message = await commandReply(testBed, erin.id);
    await trainer.submit(await (await trainer.click(locationOf(message), 'form:show-results')).view(), {
      outcome: 'failed',
    });
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes('only failed'));
    expect(textOf(workspace.ephemerals(erin.id)[0])).toContain(`*Submitted*\\n${failed.length}`);
    const form = await (await trainer.click(locationOf(message), 'form:show-results')).view();
    expect(form.blocks).toContainEqual(
      expect.objectContaining({
        block_id: 'outcome',
        element: expect.objectContaining({ initial_option: expect.objectContaining({ value: 'failed' }) }),
      }),
    );
    await trainer.submit(form, { outcome: 'ungraded' });
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes('No submitted attempt fits.'));
    await trainer.click(locationOf(message), 'choose:show-results');
    await workspace.until(() =>
      textOf(workspace.ephemerals(erin.id)[0]).includes(
        `*Submitted*\\n${submittedResponses(testBed, safetyQuiz).length}`,
      ),
    );
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
  });

  test('filters by day, person and group in a form that holds what was typed', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const trainer = workspace.as(erin.id);
    const [response] = submittedResponses(testBed, safetyQuiz);
    const message = await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for since 2000-01-01`);
    const form = await (await trainer.click(locationOf(message), 'form:show-results')).view();
    expect(textOf(form)).toContain('"initial_date":"2000-01-01"');
    const name = `${response!.first_name} ${response!.last_name}`;
    await trainer.submit(form, { period: null, person: name });
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes(`only *${name}*"`));
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
    expect(workspace.views(erin.id)).toEqual([]);

    const again = await (await trainer.click(locationOf(message), 'form:show-results')).view();
    expect(textOf(again)).toContain(`"initial_value":"${name}"`);
    await trainer.submit(again, { person: null, user: 'Rosa Almeida', group: 'Kitchen' });
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes('only *Rosa Almeida*, in *Kitchen*'));
    const ofRosa = submittedResponses(testBed, safetyQuiz).filter(
      ({ first_name, last_name }) => first_name === 'Rosa' && last_name === 'Almeida',
    );
    expect(ofRosa.length).toBeGreaterThan(0);
    expect(textOf(workspace.ephemerals(erin.id)[0])).toContain(`*Submitted*\\n${ofRosa.length} attempt`);
  });

  test('keeps the message when the quiz service fails during filtering', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const message = await commandReply(testBed, erin.id);
    await workspace
      .as(erin.id)
      .submit(await (await workspace.as(erin.id).click(locationOf(message), 'form:show-results')).view(), {
        outcome: 'ungraded',
      });
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes('No submitted attempt fits.'));
    await testBed.quizService.close();
    await workspace.as(erin.id).click(locationOf(message), 'choose:show-results');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[1]).includes('isn’t answering right now'));
    expect(textOf(workspace.ephemerals(erin.id)[0])).toContain('No submitted attempt fits.');
  });

  test('falls back to a working modal when the conversation can no longer be reached', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const trainer = workspace.as(erin.id);
    const response = submittedResponses(testBed, safetyQuiz).find(({ pass }) => pass);
    const form = await (await trainer.command('/quiz results')).view();
    const removeFault = workspace.faults.inject({ kind: 'http-error', status: 404 }, { method: 'response_url' });
    const { view } = await trainer.submit(form, { quiz: quizId(testBed, safetyQuiz) });
    removeFault();
    expect(new Set(view?.blocks.map(({ type }) => type))).toEqual(new Set(['section', 'actions']));

    await trainer.click({ view: view! }, 'form:show-results');
    await workspace.until(() => workspace.views(erin.id)[0]?.callback_id === 'show-results');
    await trainer.submit(view!.id, { outcome: 'ungraded' });
    await workspace.until(() => textOf(workspace.views(erin.id)[0]).includes('No submitted attempt fits.'));
    await trainer.click({ view: view! }, 'choose:show-results');
    await workspace.until(() => textOf(workspace.views(erin.id)[0]).includes('Average'));
    await trainer.click({ view: view! }, 'form:show-results');
    await workspace.until(() => workspace.views(erin.id)[0]?.callback_id === 'show-results');
    await trainer.submit(view!.id, { outcome: 'passed', person: response!.first_name });
    await workspace.until(() => textOf(workspace.views(erin.id)[0]).includes(`only passed, *${response!.first_name}*`));
    await trainer.click({ view: view! }, 'menu:pick', pickOf(quizId(testBed, safetyQuiz), response!.response_id));
    await workspace.until(() =>
      textOf(workspace.views(erin.id)[1]).includes(`*${response!.first_name} ${response!.last_name}* passed`),
    );
    expect(workspace.notices(erin.id)).toEqual([]);
  });

  test('answers in the conversation after a form even if the quiz service is slow', async () => {
    const testBed = await startTestBed();
    const { workspace, quizService } = testBed;
    const trainer = workspace.as(erin.id);
    await commandReply(testBed, erin.id);
    const form = await (await trainer.command('/quiz results')).view();
    quizService.setLatency(2_200);
    const { view } = await trainer.submit(form, { quiz: quizId(testBed, safetyQuiz) });
    expect(textOf(view)).toContain('Asking the quiz service');
    await workspace.until(() => textOf(workspace.views(erin.id).at(-1)).includes('in the conversation now'));
    expect(typesOf(workspace.ephemerals(erin.id).at(-1)!)).toContain('data_visualization');
  });

  test('a form says that others read large results first', async () => {
    const testBed = await startTestBed({ timeouts: { quizService: 3_000 }, env: { ALERTS_CHANNEL: '' } });
    const { workspace, quizService, requests, setServiceFault } = testBed;
    const trainer = workspace.as(erin.id);
    await commandReply(testBed, erin.id, '/quiz list');
    const others = quizService.database.all<{ quiz_id: string }>(
      'SELECT quiz_id FROM quizzes WHERE name <> ? LIMIT 4',
      [safetyQuiz],
    );
    const form = await (await trainer.command('/quiz results')).view();
    const isList = (request: string) => request.endsWith('/responses');
    setServiceFault('slow', isList);
    // The bot does not know how long these lists are, so it reads four of them at once.
    for (const other of others) await trainer.command(`/quiz results ${other.quiz_id}`);
    await expect.poll(() => requests.filter(isList)).toHaveLength(4);
    const { view } = await trainer.submit(form, { quiz: quizId(testBed, safetyQuiz) });
    expect(textOf(view)).toContain('Others are reading large results; yours comes next.');
    setServiceFault(undefined);
    await workspace.until(() => textOf(workspace.views(erin.id).at(-1)).includes('in the conversation now'));
  });
});
