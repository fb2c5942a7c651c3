import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startHouse, textOf } from '../support/test-bed.ts';
import { ask, fileSentTo, quizId, safety, submitted, where } from '../support/results.ts';

const { erin, nora, rosa, uma } = people;

const typesOf = (message: Message) => message.blocks?.map(({ type }) => type) ?? [];

describe.each(['http', 'socket'] as const)('over %s', (mode) => {
  test('a trainer sees how a quiz went, for one request to the service', async () => {
    const house = await startHouse({ mode });
    await ask(house, erin.id);
    house.requests.length = 0;
    const message = await ask(house, erin.id);
    const rows = submitted(house, safety);
    expect(textOf(message)).toContain(`*Submitted*\\n${rows.length}`);
    expect(textOf(message)).toContain(`*Passed*\\n${rows.filter(({ pass }) => pass).length} (`);
    expect(typesOf(message)).toEqual(['section', 'section', 'data_visualization', 'data_table', 'actions']);
    expect(house.requests).toEqual([`GET /api/v1/quizzes/${quizId(house, safety)}/responses`]);
    expect(message.onlyFor).toBe(erin.id);
  });

  test('a CSV file of the results reaches the trainer, and nobody else', async () => {
    const house = await startHouse({ mode });
    const message = await ask(house, erin.id);
    await house.workspace.as(erin.id).click(where(message), 'ask:csv');
    const { name, text, comment } = await fileSentTo(house, erin.id);
    expect(name).toBe(`${safety} results.csv`);
    expect(comment).toContain(`to “${safety}”`);
    expect(text.startsWith('\uFEFFResponse id,First name,Last name,Status')).toBe(true);
    for (const { response_id } of submitted(house, safety)) expect(text).toContain(response_id);
    await house.workspace.until(() => house.workspace.ephemerals(erin.id).some((said) => textOf(said).includes('the CSV file is in our direct messages')));
    expect(house.workspace.ephemerals(erin.id)).toHaveLength(2);
    expect(house.workspace.messages(house.workspace.channels.results.id)).toEqual([]);
  });
});

describe('/quiz results', () => {
  test('says the same in plain sections where the workspace is too old for charts and tables', async () => {
    const house = await startHouse({ workspace: { strictness: { legacy: true } } });
    const message = await ask(house, erin.id);
    expect(new Set(typesOf(message))).toEqual(new Set(['section', 'actions']));
    expect(textOf(message)).toContain(`*Submitted*\\n${submitted(house, safety).length}`);
    expect(textOf(message)).toMatch(/` ?90–100` █/);
  });

  test('without a quiz asks for it in a form, then answers in the conversation', async () => {
    const house = await startHouse();
    const trainer = house.workspace.as(erin.id);
    const form = await (await trainer.command('/quiz results')).view();
    const { errors, view, outcome } = await trainer.submit(form, { quiz: quizId(house, safety), filter: 'passed' });
    expect([errors, view]).toEqual([undefined, undefined]);
    expect(house.workspace.views(erin.id)).toEqual([]);
    expect(typesOf(await outcome!.reply())).toContain('data_visualization');
  });

  test('takes a filter after “for”, and leaves a quiz alone that has “for” in its name', async () => {
    const house = await startHouse();
    const passed = submitted(house, safety).filter(({ pass }) => pass);
    expect(textOf(await ask(house, erin.id, `/quiz results ${safety} for passed since 2000-01-01`))).toContain(`*Submitted*\\n${passed.length}`);
    expect(textOf(await ask(house, erin.id, `/quiz results ${safety} for since tomorrow`))).toContain('After “since” comes a day');
    const renamed = await startHouse();
    renamed.quizService.database.run("UPDATE quizzes SET name = 'Safety for everybody' WHERE name = ?", [safety]);
    expect(textOf(await ask(renamed, erin.id, '/quiz results Safety for everybody'))).toContain('*Safety for everybody*: results');
  });

  test('is narrowed and widened by a click, in the same message', async () => {
    const house = await startHouse();
    const { workspace } = house;
    const failed = submitted(house, safety).filter(({ pass }) => !pass);
    const message = await ask(house, erin.id);
    await workspace.as(erin.id).click(where(message), 'choose:failed');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes(`*Submitted*\\n${failed.length}`));
    await workspace.as(erin.id).click(where(message), 'choose:all');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes(`*Submitted*\\n${submitted(house, safety).length}`));
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
  });

  test('is narrowed to a person by a form, which shows what is wrong with what was typed', async () => {
    const house = await startHouse();
    const { workspace } = house;
    const trainer = workspace.as(erin.id);
    const [one] = submitted(house, safety);
    const message = await ask(house, erin.id, `/quiz results ${safety} for since 2000-01-01`);
    const form = await (await trainer.click(where(message), 'form:filter')).view();
    expect(textOf(form)).toContain('"initial_value":"since 2000-01-01"');
    expect((await trainer.submit(form, { filter: 'since 2000-13-01' })).errors).toEqual({ filter: expect.stringContaining('After “since” comes a day') });
    await trainer.submit(form, { filter: `${one!.first_name} ${one!.last_name}` });
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[0]).includes(`only ${one!.first_name} ${one!.last_name}`));
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
    expect(workspace.views(erin.id)).toEqual([]);
  });

  test('stays as it is when the service fails while it is narrowed', async () => {
    const house = await startHouse();
    const { workspace } = house;
    const message = await ask(house, erin.id);
    await house.quizService.close();
    await workspace.as(erin.id).click(where(message), 'choose:failed');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id)[1]).includes('not answering right now'), 12_000);
    expect(typesOf(workspace.ephemerals(erin.id)[0]!)).toContain('data_table');
  });

  test.each([
    ['a trainer without the right', nora],
    ['a trainer who manages users', uma],
    ['a respondent', rosa],
  ])('is not for %s, by no command, and asks the service for nothing', async (_, person) => {
    const house = await startHouse();
    for (const line of [`/quiz results ${safety}`, `/quiz export ${safety}`, `/quiz attempt ${safety} of Rosa`, `/quiz files ${safety} of Rosa`]) {
      expect(textOf(await ask(house, person.id, line))).toContain('right to edit quizzes');
    }
    expect(house.requests.filter((request) => request.includes('/responses'))).toEqual([]);
    expect(house.workspace.directMessages(person.id)).toEqual([]);
  });

  test('in a modal, where the conversation cannot be reached any more, is plain and all in it works', async () => {
    const house = await startHouse();
    const { workspace } = house;
    const trainer = workspace.as(erin.id);
    const one = submitted(house, safety).find(({ pass }) => pass);
    const form = await (await trainer.command('/quiz results')).view();
    const revive = workspace.faults.inject({ kind: 'http-error', status: 404 }, { method: 'response_url' });
    const { view } = await trainer.submit(form, { quiz: quizId(house, safety) });
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
    const house = await startHouse();
    const { workspace, quizService } = house;
    const trainer = workspace.as(erin.id);
    await ask(house, erin.id);
    const form = await (await trainer.command('/quiz results')).view();
    quizService.setLatency(2_200);
    const { view } = await trainer.submit(form, { quiz: quizId(house, safety) });
    expect(textOf(view)).toContain('Asking the quiz service');
    await workspace.until(() => textOf(workspace.views(erin.id).at(-1)).includes('in the conversation now'), 10_000);
    expect(typesOf(workspace.ephemerals(erin.id).at(-1)!)).toContain('data_visualization');
  });
});
