import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import { commandReply, fileSentTo, quizId, safetyQuiz, submittedResponses, locationOf } from '../support/results.ts';

const { erin, nora, rosa, uma } = people;

const typesOf = (message: Message) => message.blocks?.map(({ type }) => type) ?? [];

describe.each(['http', 'socket'] as const)('over %s', (mode) => {
  test('a trainer sees how a quiz went, for one request to the service', async () => {
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

  test('a CSV file of the results reaches the trainer, and nobody else', async () => {
    const testBed = await startTestBed({ mode });
    const message = await commandReply(testBed, erin.id);
    await testBed.workspace.as(erin.id).click(locationOf(message), 'ask:csv');
    const { name, text, comment } = await fileSentTo(testBed, erin.id);
    expect(name).toBe(`${safetyQuiz} results.csv`);
    expect(comment).toContain(`to “${safetyQuiz}”`);
    expect(text.startsWith('\uFEFFResponse id,First name,Last name,Status')).toBe(true);
    for (const { response_id } of submittedResponses(testBed, safetyQuiz)) expect(text).toContain(response_id);
    await testBed.workspace.until(() => testBed.workspace.ephemerals(erin.id).some((said) => textOf(said).includes('the CSV file is in our direct messages')));
    expect(testBed.workspace.ephemerals(erin.id)).toHaveLength(2);
    expect(testBed.workspace.messages(testBed.workspace.channels.results.id)).toEqual([]);
  });
});

describe('/quiz results', () => {
  test('says the same in plain sections where the workspace is too old for charts and tables', async () => {
    const testBed = await startTestBed({ workspace: { strictness: { legacy: true } } });
    const message = await commandReply(testBed, erin.id);
    expect(new Set(typesOf(message))).toEqual(new Set(['section', 'actions']));
    expect(textOf(message)).toContain(`*Submitted*\\n${submittedResponses(testBed, safetyQuiz).length}`);
    expect(textOf(message)).toMatch(/` ?90–100` █/);
  });

  test('without a quiz asks for it in a form, then answers in the conversation', async () => {
    const testBed = await startTestBed();
    const trainer = testBed.workspace.as(erin.id);
    const form = await (await trainer.command('/quiz results')).view();
    const { errors, view, outcome } = await trainer.submit(form, { quiz: quizId(testBed, safetyQuiz), filter: 'passed' });
    expect([errors, view]).toEqual([undefined, undefined]);
    expect(testBed.workspace.views(erin.id)).toEqual([]);
    expect(typesOf(await outcome!.reply())).toContain('data_visualization');
  });

  test('takes a filter after “for”, and leaves a quiz alone that has “for” in its name', async () => {
    const testBed = await startTestBed();
    const passed = submittedResponses(testBed, safetyQuiz).filter(({ pass }) => pass);
    expect(textOf(await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for passed since 2000-01-01`))).toContain(`*Submitted*\\n${passed.length}`);
    expect(textOf(await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for since tomorrow`))).toContain('After “since” comes a day');
    const renamed = await startTestBed();
    renamed.quizService.database.run("UPDATE quizzes SET name = 'Safety for everybody' WHERE name = ?", [safetyQuiz]);
    expect(textOf(await commandReply(renamed, erin.id, '/quiz results Safety for everybody'))).toContain('*Safety for everybody*: results');
  });

  test('is narrowed and widened by a click, in the same message', async () => {
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

  test('is narrowed to a person by a form, which shows what is wrong with what was typed', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const trainer = workspace.as(erin.id);
    const [one] = submittedResponses(testBed, safetyQuiz);
    const message = await commandReply(testBed, erin.id, `/quiz results ${safetyQuiz} for since 2000-01-01`);
    const form = await (await trainer.click(locationOf(message), 'form:filter')).view();
    expect(textOf(form)).toContain('"initial_value":"since 2000-01-01"');
    expect((await trainer.submit(form, { filter: 'since 2000-13-01' })).errors).toEqual({ filter: expect.stringContaining('After “since” comes a day') });
    await trainer.submit(form, { filter: `${one!.first_name} ${one!.last_name}` });
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes(`only ${one!.first_name} ${one!.last_name}`));
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
    expect(workspace.views(erin.id)).toEqual([]);
  });

  test('stays as it is when the service fails while it is narrowed', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const message = await commandReply(testBed, erin.id);
    await testBed.quizService.close();
    await workspace.as(erin.id).click(locationOf(message), 'choose:failed');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[1]).includes('not answering right now'), 12_000);
    expect(typesOf(workspace.ephemerals(erin.id)[0]!)).toContain('data_table');
  });

  test.each([
    ['a trainer without the right', nora],
    ['a trainer who manages users', uma],
    ['a respondent', rosa],
  ])('is not for %s, by no command, and asks the service for nothing', async (_, person) => {
    const testBed = await startTestBed();
    for (const line of [`/quiz results ${safetyQuiz}`, `/quiz export ${safetyQuiz}`, `/quiz attempt ${safetyQuiz} of Rosa`, `/quiz files ${safetyQuiz} of Rosa`]) {
      expect(textOf(await commandReply(testBed, person.id, line))).toContain('right to edit quizzes');
    }
    expect(testBed.requests.filter((request) => request.includes('/responses'))).toEqual([]);
    expect(testBed.workspace.directMessages(person.id)).toEqual([]);
  });

  test('in a modal, where the conversation cannot be reached any more, is plain and all in it works', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const trainer = workspace.as(erin.id);
    const one = submittedResponses(testBed, safetyQuiz).find(({ pass }) => pass);
    const form = await (await trainer.command('/quiz results')).view();
    const revive = workspace.faults.inject({ kind: 'http-error', status: 404 }, { method: 'response_url' });
    const { view } = await trainer.submit(form, { quiz: quizId(testBed, safetyQuiz) });
    revive();
    expect(new Set(view?.blocks.map(({ type }) => type))).toEqual(new Set(['section', 'actions']));

    await trainer.click({ view: view! }, 'choose:passed');
    await workspace.until(() => textOf(workspace.views(erin.id)[0]).includes('only passed'));
    await trainer.click({ view: view! }, 'form:filter');
    await workspace.until(() => workspace.views(erin.id)[0]?.callback_id === 'show-results');
    await trainer.submit(view!.id, { filter: `passed ${one!.first_name}` });
    await workspace.until(() => textOf(workspace.views(erin.id)[0]).includes(`only passed ${one!.first_name}`));
    await trainer.click({ view: view! }, 'attempt', one!.response_id);
    await workspace.until(() => textOf(workspace.views(erin.id)[1]).includes(one!.response_id));
    expect(workspace.notices(erin.id)).toEqual([]);
  });

  test('comes to the conversation from a form also when the service is slow', async () => {
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
