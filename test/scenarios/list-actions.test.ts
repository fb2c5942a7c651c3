import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { commandReply, locationOf } from '../support/results.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const { ada, erin, rosa } = people;

/** The block of the item with this name in a list, and what its menu offers. */
function menuOf({ blocks = [] }: Message, name: string): { block: string; labels: string[] } {
  const found = blocks.find(
    (block) => block.type === 'section' && textOf({ blocks: block.text }).includes(`*${name}*`),
  );
  if (found?.type !== 'section' || found.accessory?.type !== 'overflow')
    return { block: found?.block_id ?? '', labels: [] };
  return { block: found.block_id ?? '', labels: found.accessory.options.map(({ text }) => text.text) };
}

const statusOf = (name: string) => `SELECT status FROM quizzes WHERE name = '${name}'`;

describe('the menu of a quiz in a list', () => {
  test('closes the quiz at once, opens its results and the form to assign it', async () => {
    const { workspace, quizService, ...testBed } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const list = await commandReply({ workspace, quizService, ...testBed }, erin.id, '/quiz list data');
    const { block, labels } = menuOf(list, 'Data protection refresher');
    expect(labels).toEqual(['Results', 'Assign…', 'Close', 'View']);

    const form = await (await trainer.click(locationOf(list), { block }, 'Assign…')).view();
    expect(form.callback_id).toBe('assign-quiz');
    expect(form.state.values['quiz']?.['value']?.selected_option?.text.text).toBe('Data protection refresher');
    await trainer.close(form);

    await trainer.click(locationOf(list), { block }, 'Results');
    await workspace.until(() =>
      workspace.ephemerals(erin.id).some((message) => textOf(message).includes('*Data protection refresher*: results')),
    );
    await trainer.click(locationOf(list), { block }, 'Close');
    await workspace.until(() =>
      workspace.ephemerals(erin.id).some((message) => textOf(message).includes('Closed *Data protection refresher*')),
    );
    expect(quizService.database.get(statusOf('Data protection refresher'))).toEqual({ status: 'closed' });
    expect(textOf(workspace.ephemerals(erin.id)[0])).toContain('1 quiz');
  });

  test('lets a respondent only view a quiz', async () => {
    const testBed = await startTestBed();
    const own = menuOf(await commandReply(testBed, rosa.id, '/quiz list'), 'Workplace safety basics');
    expect(own.labels).toEqual(['View']);
    expect(textOf(await commandReply(testBed, rosa.id, '/quiz list'))).not.toContain('close-quiz');
  });

  test('stays in a list that is narrowed in a form', async () => {
    const { workspace } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const list = await (await trainer.command('/quiz list open')).reply();
    const form = await (await trainer.click(locationOf(list), 'form:list-quizzes')).view();
    expect(form.state.values['status']?.['value']?.selected_option?.value).toBe('open');
    await trainer.submit(form, { status: 'in_design', name: 'first' });
    const narrowed = await workspace.until(() =>
      workspace.ephemerals(erin.id).find(({ text }) => text === '*1 quiz*: 1 in design'),
    );
    expect(menuOf(narrowed, 'First aid at work').labels).toEqual(['Results', 'Assign…', 'Open', 'View']);
  });
});

describe('the menu of a user in a list', () => {
  test('opens the form before a person is suspended, and lists by what they are', async () => {
    const { workspace, quizService, ...testBed } = await startTestBed();
    const bed = { workspace, quizService, ...testBed };
    const administrator = workspace.as(ada.id);
    const list = await commandReply(bed, ada.id, '/quiz-user list respondents in kitchen');
    expect(list.text).toContain(': respondents in Kitchen');
    const { block, labels } = menuOf(list, 'Rosa Almeida');
    expect(labels).toEqual(['View', 'Assign a quiz…', 'Suspend…', 'Reset password…']);
    const form = await (await administrator.click(locationOf(list), { block }, 'Suspend…')).view();
    expect(form.callback_id).toBe('suspend-user');
    expect(
      quizService.database.get("SELECT suspended FROM users WHERE first_name = 'Rosa' AND last_name = 'Almeida'"),
    ).toEqual({ suspended: 0 });

    const suspended = await commandReply(bed, ada.id, '/quiz-user list suspended');
    expect(menuOf(suspended, 'Sam Petrov').labels).toContain('Reinstate');
    expect(textOf(suspended)).not.toContain('Rosa Almeida');
  });
});
