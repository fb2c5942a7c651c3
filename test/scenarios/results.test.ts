import { describe, expect, test } from 'vitest';
import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startHouse, textOf, type House } from '../support/house.ts';

const { ada, erin, nora, rosa, uma } = people;
const safety = 'Workplace safety basics';
const onboarding = 'Onboarding, week 1';

interface Row {
  response_id: string;
  first_name: string;
  last_name: string;
  email_address: string;
  pass: number;
}

function quizId({ quizService }: House, name: string): string {
  return quizService.database.get<{ quiz_id: string }>('SELECT quiz_id FROM quizzes WHERE name = ?', [name])?.quiz_id ?? '';
}

function submitted(house: House, name: string): Row[] {
  const columns = 'response_id, first_name, last_name, email_address, pass';
  return house.quizService.database.all<Row>(`SELECT ${columns} FROM responses WHERE quiz_id = ? AND status = 'submitted'`, [quizId(house, name)]);
}

/** The attempt in which Rosa uploaded a file. */
function uploadedIn({ quizService }: House): string {
  return quizService.database.get<{ response_id: string }>('SELECT response_id FROM files')?.response_id ?? '';
}

const where = ({ channel, ts }: Message) => ({ channel, ts });
const actionIds = (shown: { blocks?: readonly unknown[] }) => [...JSON.stringify(shown.blocks).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id);
const typesOf = (message: Message) => message.blocks?.map(({ type }) => type) ?? [];

async function results({ workspace }: House, slackId: string, line = `/quiz results ${safety}`): Promise<Message> {
  const outcome = await workspace.as(slackId).command(line);
  return outcome.reply();
}

async function attempt(house: House, slackId: string, quiz: string, responseId: string): Promise<View> {
  const message = await results(house, slackId, `/quiz results ${quiz}`);
  await house.workspace.as(slackId).click(where(message), 'attempt', responseId);
  return house.workspace.until(() => house.workspace.views(slackId).find((view) => textOf(view).includes(responseId)));
}

async function fileSentTo({ workspace }: House, slackId: string): Promise<{ name: string; text: string; comment: string }> {
  const message = await workspace.until(() => workspace.directMessages(slackId).find(({ files }) => files?.length));
  const [file] = message.files ?? [];
  const bytes = await (await fetch(file?.url ?? '')).arrayBuffer();
  return { name: file?.name ?? '', text: Buffer.from(bytes).toString(), comment: message.text };
}

describe.each(['http', 'socket'] as const)('over %s', (mode) => {
  test('a trainer sees how a quiz went, for one request to the service', async () => {
    const house = await startHouse({ mode });
    await results(house, erin.id);
    house.requests.length = 0;
    const message = await results(house, erin.id);
    const rows = submitted(house, safety);
    expect(textOf(message)).toContain(`*Submitted*\\n${rows.length}`);
    expect(textOf(message)).toContain(`*Passed*\\n${rows.filter(({ pass }) => pass).length} (`);
    expect(typesOf(message)).toEqual(['section', 'section', 'data_visualization', 'data_table', 'actions']);
    expect(house.requests).toEqual([`GET /api/v1/quizzes/${quizId(house, safety)}/responses`]);
    expect(message.onlyFor).toBe(erin.id);
  });

  test('a CSV file of the results reaches the trainer, and nobody else', async () => {
    const house = await startHouse({ mode });
    const message = await results(house, erin.id);
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
    const message = await results(house, erin.id);
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
    expect(textOf(await results(house, erin.id, `/quiz results ${safety} for passed since 2000-01-01`))).toContain(`*Submitted*\\n${passed.length}`);
    expect(textOf(await results(house, erin.id, `/quiz results ${safety} for since tomorrow`))).toContain('After “since” comes a day');
    const renamed = await startHouse();
    renamed.quizService.database.run("UPDATE quizzes SET name = 'Safety for everybody' WHERE name = ?", [safety]);
    expect(textOf(await results(renamed, erin.id, '/quiz results Safety for everybody'))).toContain('*Safety for everybody*: results');
  });

  test('is narrowed and widened by a click, in the same message', async () => {
    const house = await startHouse();
    const { workspace } = house;
    const failed = submitted(house, safety).filter(({ pass }) => !pass);
    const message = await results(house, erin.id);
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
    const message = await results(house, erin.id, `/quiz results ${safety} for since 2000-01-01`);
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
    const message = await results(house, erin.id);
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
      expect(textOf(await results(house, person.id, line))).toContain('right to edit quizzes');
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
    await results(house, erin.id);
    const form = await (await trainer.command('/quiz results')).view();
    quizService.setLatency(2_200);
    const { view } = await trainer.submit(form, { quiz: quizId(house, safety) });
    expect(textOf(view)).toContain('Asking the quiz service');
    await workspace.until(() => textOf(workspace.views(erin.id).at(-1)).includes('in the conversation now'), 10_000);
    expect(typesOf(workspace.ephemerals(erin.id).at(-1)!)).toContain('data_visualization');
  });
});

describe('an attempt', () => {
  test('opens from the picker with questions and answers, for two requests', async () => {
    const house = await startHouse();
    const [one] = submitted(house, safety);
    await results(house, erin.id);
    house.requests.length = 0;
    const view = await attempt(house, erin.id, safety, one!.response_id);
    const path = `GET /api/v1/quizzes/${quizId(house, safety)}/responses`;
    expect(house.requests).toEqual([path, `${path}/${one!.response_id}`, `${path}/${one!.response_id}/questions`]);
    expect(textOf(view)).toContain('*1. You find a spill in a walkway. What do you do first?*');
    expect(textOf(view)).toMatch(/↳ (Chose|Answered):/);
  });

  test('is found by the person’s name', async () => {
    const house = await startHouse();
    expect(textOf(await results(house, erin.id, `/quiz attempt ${onboarding} of Rosa Almeida`))).toContain(uploadedIn(house));
    expect(textOf(await results(house, erin.id, `/quiz attempt ${safety} of e`))).toMatch(/“e” fits \d+ people: /);
    expect(textOf(await results(house, erin.id, `/quiz attempt ${safety} of Methuselah`))).toContain('has no attempt of “Methuselah”');
  });

  test('tells how to reach the person only to who manages users', async () => {
    const house = await startHouse();
    const [one] = submitted(house, safety);
    expect(textOf(await attempt(house, ada.id, safety, one!.response_id))).toContain(one!.email_address);
    const withoutRight = textOf(await attempt(house, erin.id, safety, one!.response_id));
    for (const personal of [one!.email_address, 'E-mail', 'IP address', '198.51.100.']) expect(withoutRight).not.toContain(personal);
  });

  test('in a CSV file tells how to reach people only to who manages users', async () => {
    const house = await startHouse();
    const [one] = submitted(house, safety);
    await results(house, ada.id, `/quiz export ${safety}`);
    expect((await fileSentTo(house, ada.id)).text).toContain(one!.email_address);
    await results(house, erin.id, `/quiz export ${safety}`);
    expect((await fileSentTo(house, erin.id)).text).not.toMatch(/@|198\.51\.100\./);
  });

  test('whose person is called like a formula is defused in the CSV file', async () => {
    const house = await startHouse();
    const [one] = submitted(house, safety);
    house.quizService.database.run('UPDATE responses SET first_name = ? WHERE response_id = ?', ['=HYPERLINK("http://x")', one!.response_id]);
    await results(house, erin.id, `/quiz export ${safety}`);
    expect((await fileSentTo(house, erin.id)).text).toContain(`"'=HYPERLINK(""http://x"")"`);
  });

  test('gives the file that was uploaded in it, in a direct message', async () => {
    const house = await startHouse();
    const view = await attempt(house, erin.id, onboarding, uploadedIn(house));
    expect(textOf(view)).toContain('📎 Send me code-of-conduct-signed.txt');
    await house.workspace.as(erin.id).click({ view }, 'ask:file-0');
    const { name, text, comment } = await fileSentTo(house, erin.id);
    expect([name, text]).toEqual(['code-of-conduct-signed.txt', 'I have read the code of conduct.\n\nRosa Almeida\n']);
    expect(comment).toContain('Uploaded by Rosa Almeida');
    await house.workspace.until(() => textOf(house.workspace.views(erin.id).at(-1)).includes('in our direct messages'));
  });

  test.each([
    ['is too large', 'zeroblob(26 * 1024 * 1024)', 'is larger than 25 MB'],
    ['is empty', "x''", 'is empty'],
  ])('with a file that %s says so, and sends nothing', async (_, content, why) => {
    const house = await startHouse();
    house.quizService.database.run(`UPDATE files SET content = ${content}`);
    expect(textOf(await results(house, erin.id, `/quiz files ${onboarding} of Rosa`))).toContain(why);
    expect(house.workspace.directMessages(erin.id)).toEqual([]);
  });

  test('whose file Slack does not take leads to a sentence with a reference that stands in the log', async () => {
    const house = await startHouse();
    house.workspace.faults.inject({ kind: 'api-error', error: 'file_uploads_disabled' }, { method: 'files.getUploadURLExternal' });
    const said = textOf(await results(house, erin.id, `/quiz files ${onboarding} of Rosa`));
    const reference = /reference ([0-9a-f]+)/.exec(said)?.[1];
    expect(reference).toBeDefined();
    expect(house.lines.filter((line) => line.includes(reference!)).join('')).toContain('file_uploads_disabled');
  });

  test('can be deleted by an administrator, in a form that the attempt opens', async () => {
    const house = await startHouse();
    const [one] = submitted(house, safety);
    const administrator = house.workspace.as(ada.id);
    const view = await attempt(house, ada.id, safety, one!.response_id);
    const form = await (await administrator.click({ view }, 'form:delete')).view();
    expect(form.callback_id).toBe('delete-response');
    const { view: end } = await administrator.submit(form, {});
    expect(textOf(end)).toMatch(/attempt \d+ at “Workplace safety basics” is deleted/);
    expect(submitted(house, safety).map(({ response_id }) => response_id)).not.toContain(one!.response_id);
  });

  test('is not deleted by who is no administrator any more when the form is submitted', async () => {
    const house = await startHouse();
    const [one] = submitted(house, safety);
    const administrator = house.workspace.as(ada.id);
    const form = await (await administrator.command(`/quiz delete-response ${safety} of ${one!.response_id}`)).view();
    house.quizService.database.run("UPDATE users SET user_type = 'trainer' WHERE user_name = 'ada@quiz.example'");
    expect(textOf((await administrator.submit(form, {})).view)).toContain('Only administrators');
    expect(submitted(house, safety).map(({ response_id }) => response_id)).toContain(one!.response_id);
  });

  test('is deleted by name only where the person has no other', async () => {
    const house = await startHouse();
    const [one] = submitted(house, safety);
    house.quizService.database.run('UPDATE responses SET user_id = NULL, first_name = ?, last_name = ?, email_address = ? WHERE quiz_id = ?', ['Twin', 'Attempts', 'twin@quiz.example', quizId(house, safety)]);
    const administrator = house.workspace.as(ada.id);
    const form = await (await administrator.command(`/quiz delete-response ${safety} of Twin`)).view();
    expect((await administrator.submit(form, {})).errors).toEqual({ response: expect.stringMatching(/^Twin Attempts has \d+ attempts\./) });
    expect(submitted(house, safety).map(({ response_id }) => response_id)).toContain(one!.response_id);
  });

  test('cannot be deleted by a trainer, and offers no button for it', async () => {
    const house = await startHouse();
    const [one] = submitted(house, safety);
    expect(actionIds(await attempt(house, erin.id, safety, one!.response_id))).not.toContain('form:delete');
    const form = await (await house.workspace.as(erin.id).command(`/quiz delete-response ${safety} of ${one!.response_id}`)).view();
    expect(textOf(form)).toContain('Only administrators');
    expect(submitted(house, safety).map(({ response_id }) => response_id)).toContain(one!.response_id);
  });
});
