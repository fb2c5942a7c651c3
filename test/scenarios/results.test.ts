import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import { commandReply, fileSentTo, quizId, safetyQuiz, submittedResponses, locationOf } from '../support/results.ts';

const { erin, nora, rosa, uma } = people;

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
    expect(typesOf(message)).toEqual(['section', 'section', 'data_visualization', 'data_table', 'actions']);
    expect(testBed.requests).toEqual([`GET /api/v1/quizzes/${quizId(testBed, safetyQuiz)}/responses`]);
    expect(message.onlyFor).toBe(erin.id);
  });

  test('a CSV file of the results reaches only the trainer', async () => {
    const testBed = await startTestBed({ mode });
    const message = await commandReply(testBed, erin.id);
    await testBed.workspace.as(erin.id).click(locationOf(message), 'ask:csv');
    const { name, text, comment } = await fileSentTo(testBed, erin.id);
    expect(name).toBe(`${safetyQuiz} results.csv`);
    expect(comment).toContain(`to “${safetyQuiz}”`);
    expect(text.startsWith('\uFEFFResponse id,First name,Last name,Status')).toBe(true);
    for (const { response_id } of submittedResponses(testBed, safetyQuiz)) expect(text).toContain(response_id);
    await testBed.workspace.until(() => testBed.workspace.ephemerals(erin.id).some((ephemeral) => textOf(ephemeral).includes('the CSV file is in our direct messages')));
    expect(testBed.workspace.ephemerals(erin.id)).toHaveLength(2);
    expect(testBed.workspace.messages(testBed.workspace.channels.results.id)).toEqual([]);
  });
});

describe('/quiz results', () => {
  test('shows plain sections in a workspace without charts and tables', async () => {
    const testBed = await startTestBed({ workspace: { strictness: { legacy: true } } });
    const message = await commandReply(testBed, erin.id);
    expect(new Set(typesOf(message))).toEqual(new Set(['section', 'actions']));
    expect(textOf(message)).toContain(`*Submitted*\\n${submittedResponses(testBed, safetyQuiz).length}`);
    expect(textOf(message)).toMatch(/` ?90–100` █/);
  });

  test('asks for a missing quiz in a form and answers in the conversation', async () => {
    const testBed = await startTestBed();
    const trainer = testBed.workspace.as(erin.id);
    const form = await (await trainer.command('/quiz results')).view();
    const { errors, view, outcome } = await trainer.submit(form, { quiz: quizId(testBed, safetyQuiz), filter: 'passed' });
    expect([errors, view]).toEqual([undefined, undefined]);
    expect(testBed.workspace.views(erin.id)).toEqual([]);
    expect(typesOf(await outcome!.reply())).toContain('data_visualization');
  });

  test('reads a filter after “for” and keeps a “for” in the name of a quiz', async () => {
    const testBed = await startTestBed();
    const passed = submittedResponses(testBed, safetyQuiz).filter(({ pass }) => pass);
    expect(textOf(await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for passed since 2000-01-01`))).toContain(`*Submitted*\\n${passed.length}`);
    expect(textOf(await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for since tomorrow`))).toContain('After “since” comes a day');
    const renamed = await startTestBed();
    renamed.quizService.database.run("UPDATE quizzes SET name = 'Safety for everybody' WHERE name = ?", [safetyQuiz]);
    expect(textOf(await commandReply(renamed, erin.id, '/quiz results Safety for everybody'))).toContain('*Safety for everybody*: results');
  });

  test('filters and unfilters in the same message with a click', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const failed = submittedResponses(testBed, safetyQuiz).filter(({ pass }) => !pass);
    const message = await commandReply(testBed, erin.id);
    await workspace.as(erin.id).click(locationOf(message), 'choose:failed');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes(`*Submitted*\\n${failed.length}`));
    await workspace.as(erin.id).click(locationOf(message), 'choose:all');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes(`*Submitted*\\n${submittedResponses(testBed, safetyQuiz).length}`));
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
  });

  test('filters by person in a form, which shows errors of the input', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const trainer = workspace.as(erin.id);
    const [response] = submittedResponses(testBed, safetyQuiz);
    const message = await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for since 2000-01-01`);
    const form = await (await trainer.click(locationOf(message), 'form:filter')).view();
    expect(textOf(form)).toContain('"initial_value":"since 2000-01-01"');
    expect((await trainer.submit(form, { filter: 'since 2000-13-01' })).errors).toEqual({ filter: expect.stringContaining('After “since” comes a day') });
    await trainer.submit(form, { filter: `${response!.first_name} ${response!.last_name}` });
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes(`only ${response!.first_name} ${response!.last_name}`));
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
    expect(workspace.views(erin.id)).toEqual([]);
  });

  test('keeps the message when the quiz service fails during filtering', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const message = await commandReply(testBed, erin.id);
    await testBed.quizService.close();
    await workspace.as(erin.id).click(locationOf(message), 'choose:failed');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[1]).includes('isn’t answering right now'), 12_000);
    expect(typesOf(workspace.ephemerals(erin.id)[0]!)).toContain('data_table');
  });

  test.each([
    ['a trainer without the right', nora, 'You can’t see results.'],
    ['a trainer who manages users', uma, 'You can’t see results.'],
    ['a respondent', rosa, 'Only trainers can see everyone’s results. Yours: `/quiz mine`'],
  ])('refuses %s for every command and sends no request for results', async (_, person, refusal) => {
    const testBed = await startTestBed();
    for (const line of [`/quiz results ${safetyQuiz}`, `/quiz export ${safetyQuiz}`, `/quiz attempt ${safetyQuiz} of Rosa`, `/quiz files ${safetyQuiz} of Rosa`]) {
      expect(textOf(await commandReply(testBed, person.id, line))).toContain(refusal);
    }
    expect(testBed.requests.filter((request) => request.includes('/responses'))).toEqual([]);
    expect(testBed.workspace.directMessages(person.id)).toEqual([]);
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

    await trainer.click({ view: view! }, 'choose:passed');
    await workspace.until(() => textOf(workspace.views(erin.id)[0]).includes('only passed'));
    await trainer.click({ view: view! }, 'form:filter');
    await workspace.until(() => workspace.views(erin.id)[0]?.callback_id === 'show-results');
    await trainer.submit(view!.id, { filter: `passed ${response!.first_name}` });
    await workspace.until(() => textOf(workspace.views(erin.id)[0]).includes(`only passed ${response!.first_name}`));
    await trainer.click({ view: view! }, 'attempt', response!.response_id);
    await workspace.until(() => textOf(workspace.views(erin.id)[1]).includes(response!.response_id));
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
    await workspace.until(() => textOf(workspace.views(erin.id).at(-1)).includes('in the conversation now'), 10_000);
    expect(typesOf(workspace.ephemerals(erin.id).at(-1)!)).toContain('data_visualization');
  });
});
