import { describe, expect, test } from 'vitest';
import { commandsActionId } from '../../src/slack/views/home.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

describe('the Home tab', () => {
  test('shows a trainer their role, open quizzes with pass rates, and their commands', async () => {
    const { workspace } = await startTestBed();
    await workspace.as(people.erin.id).openHome();
    const home = await workspace.until(() => /\d+ submissions, [\d.]+ % passed/.test(textOf(workspace.home(people.erin.id))) && textOf(workspace.home(people.erin.id)));
    expect(home).toContain('You’re *Erin Castellanos*, a trainer in the quiz account. You can see quizzes and edit quizzes.');
    expect(home).toContain('Workplace safety basics');
    const view = await (await workspace.as(people.erin.id).click({ view: workspace.home(people.erin.id)! }, commandsActionId)).view();
    expect(textOf(view)).toContain('/quiz close');
    expect(textOf(view)).not.toContain('/quiz-user suspend');
    expect(home).not.toContain('Bot status');
  });

  test('shows a respondent their own quizzes and nothing about other people', async () => {
    const { workspace } = await startTestBed();
    await workspace.as(people.rosa.id).openHome();
    const home = await workspace.until(() => workspace.home(people.rosa.id) && textOf(workspace.home(people.rosa.id)));
    expect(home).toMatch(/Due: \d+ quiz|Nothing is due/);
    expect(home).toContain('Your results');
    expect(home).not.toContain('% passed');
  });

  test('shows an administrator the state of service, budget and queue', async () => {
    const { workspace } = await startTestBed();
    await workspace.as(people.ada.id).openHome();
    const home = await workspace.until(() => workspace.home(people.ada.id) && textOf(workspace.home(people.ada.id)));
    expect(home).toMatch(/Quiz service\* 🟢 up.*Service requests left\* \d+ of 60 this minute, \d+ of 2000 this hour.*Alerts waiting\* 0/);
  });

  test('shows trainers and administrators open requests with a Review button', async () => {
    const testBed = await startApprovalsTestBed();
    const { workspace } = testBed;
    await approvalActions(testBed).ask(people.uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await workspace.as(people.ada.id).openHome();
    const home = await workspace.until(() => workspace.home(people.ada.id));
    expect(textOf(home)).toContain('Waiting for approval: 1 request');
    const modal = await (await workspace.as(people.ada.id).click({ view: home }, 'review-request')).view();
    expect(textOf(modal)).toContain('suspend user: Rosa Almeida');
    await workspace.as(people.rosa.id).openHome();
    expect(textOf(await workspace.until(() => workspace.home(people.rosa.id)))).not.toContain('Waiting for approval');
  });

  test('explains to a guest why it is empty', async () => {
    const { workspace } = await startTestBed();
    await workspace.as(people.lena.id).openHome();
    expect(textOf(await workspace.until(() => workspace.home(people.lena.id)))).toContain('Guests');
  });

  test('opens a form from its buttons and updates after the change', async () => {
    const { workspace } = await startTestBed();
    const erin = workspace.as(people.erin.id);
    await erin.openHome();
    const home = await workspace.until(() => workspace.home(people.erin.id));
    const buttons = home.blocks.find(({ type }) => type === 'actions')?.block_id ?? '';
    const form = await (await erin.click({ view: home }, { block: buttons, action: 'form:close-quiz' })).view();
    const [block] = form.blocks;
    expect(form.callback_id).toBe('close-quiz');
    expect(textOf({ blocks: block })).toContain('initial_option');
    const { view } = await erin.submit(form);
    expect(textOf(view)).toContain('Closed *');
    const name = /Closed \*(.*)\*\./.exec(textOf(view))?.[1] ?? '';
    await workspace.until(() => !textOf(workspace.home(people.erin.id)).includes(`🟢 *${name}*`));
  });

  test('shows the results of an open quiz in a modal', async () => {
    const { workspace } = await startTestBed();
    const erin = workspace.as(people.erin.id);
    await erin.openHome();
    const home = await workspace.until(() => workspace.home(people.erin.id));
    const buttons = home.blocks.find(({ type }) => type === 'actions')?.block_id ?? '';
    await (await erin.click({ view: home }, { block: buttons, action: 'ask:show-results' })).view();
    await workspace.until(() => textOf(workspace.views(people.erin.id).at(-1)).includes('Median'));
  });
});
