import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, tom, uma } = people;
const notOpened = 'Slack didn’t open the window.';

/** Slack opens every modal but the next one. */
function failNextModal({ workspace }: TestBed, error = 'expired_trigger_id'): void {
  workspace.faults.inject({ kind: 'api-error', error }, { method: 'views.open', times: 1 });
}

describe('where Slack opens no modal', () => {
  test.each(['expired_trigger_id', 'internal_error'])(
    'with %s, a command is answered with a button that opens the form',
    async (error) => {
      const testBed = await startTestBed();
      const actor = testBed.workspace.as(ada.id);
      failNextModal(testBed, error);
      const reply = await (await actor.command('/quiz create')).reply();
      expect(textOf(reply)).toContain(notOpened);
      expect(reply.onlyFor).toBe(ada.id);
      const view = await (await actor.click(reply, 'form:again')).view();
      expect(view.callback_id).toBe('create-quiz');
    },
  );

  test('a shortcut is answered in a direct message, with a button that opens the form', async () => {
    const testBed = await startTestBed();
    const actor = testBed.workspace.as(ada.id);
    failNextModal(testBed);
    await actor.shortcut('create-user');
    const message = await testBed.workspace.until(() => testBed.workspace.directMessages(ada.id)[0]);
    expect(textOf(message)).toContain(notOpened);
    expect((await (await actor.click(message, 'form:again')).view()).callback_id).toBe('create-user');
  });

  test('a review is answered with a button that opens it', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask } = approvalActions(testBed);
    const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    failNextModal(testBed);
    const reply = await (await testBed.workspace.as(tom.id).click(request, 'modal:decide-request')).reply();
    expect(textOf(reply)).toContain(notOpened);
    const form = await (await testBed.workspace.as(tom.id).click(reply, 'modal:again')).view();
    expect(textOf(form)).toContain('asks to suspend *Rosa Almeida*');
  });

  test('a message shortcut is answered with what the modal would have shown', async () => {
    const testBed = await startTestBed();
    const actor = testBed.workspace.as(ada.id);
    const { ts } = await testBed.workspace.as(people.rosa.id).say(channels.results.id, 'Hello');
    failNextModal(testBed);
    const reply = await (await actor.messageShortcut('find-in-quiz', channels.results.id, ts)).reply();
    expect(textOf(reply)).toContain('Rosa Almeida');
    expect(reply.onlyFor).toBe(ada.id);
    expect(testBed.workspace.views(ada.id)).toEqual([]);
  });

  test('a button on the Home tab is answered in a direct message with what the modal would have shown', async () => {
    const testBed = await startTestBed();
    const actor = testBed.workspace.as(ada.id);
    await actor.openHome();
    const home = await testBed.workspace.until(() => testBed.workspace.home(ada.id));
    const block = home.blocks.find((candidate) => JSON.stringify(candidate).includes('"ask:'));
    const action = /"(ask:[^"]+)"/.exec(JSON.stringify(block))?.[1] ?? '';
    failNextModal(testBed);
    await actor.click({ view: home }, { block: block?.block_id ?? '', action });
    const message = await testBed.workspace.until(() => testBed.workspace.directMessages(ada.id)[0]);
    expect(textOf(message).length).toBeGreaterThan(50);
  });
});

test('the answer to a form that the person has closed arrives in a direct message', async () => {
  const testBed = await startTestBed({ timeouts: { quizService: 3_000 } });
  const actor = testBed.workspace.as(ada.id);
  const view = await (await actor.command('/quiz create')).view();
  testBed.setServiceFault('slow');
  const submission = actor.submit(view, { name: 'Ladders' });
  const waiting = await testBed.workspace.until(() =>
    testBed.workspace.views(ada.id).find((open) => textOf(open).includes('Asking the quiz service')),
  );
  await submission;
  await actor.close(waiting, { all: true });
  const message = await testBed.workspace.until(() => testBed.workspace.directMessages(ada.id)[0]);
  expect(textOf(message)).toContain('The quiz service');
});
