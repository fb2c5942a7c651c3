import { describe, expect, test } from 'vitest';
import { commandsActionId } from '../../src/slack/views/help.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { commandReply, quizId, safetyQuiz } from '../support/results.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { shareTestBed, startTestBed, textOf } from '../support/test-bed.ts';

describe('the Home tab', () => {
  const openBed = shareTestBed();

  test('shows a trainer their role, open quizzes, and their commands', async () => {
    const { workspace } = await openBed();
    await workspace.as(people.erin.id).openHome();
    const home = textOf(await workspace.until(() => workspace.home(people.erin.id)));
    expect(home).toContain(
      'You’re *Erin Castellanos*, a trainer in the quiz account. You can see quizzes and edit quizzes.',
    );
    expect(home).toContain('Workplace safety basics');
    const view = await (
      await workspace.as(people.erin.id).click({ view: workspace.home(people.erin.id)! }, commandsActionId)
    ).view();
    expect(textOf(view)).toContain('/quiz close');
    expect(textOf(view)).not.toContain('/quiz-user suspend');
    expect(home).not.toContain('Bot status');
  });

  test('shows a respondent their own quizzes and nothing about other people', async () => {
    const { workspace } = await openBed();
    await workspace.as(people.rosa.id).openHome();
    const home = await workspace.until(() => workspace.home(people.rosa.id) && textOf(workspace.home(people.rosa.id)));
    expect(home).toMatch(/is waiting for you|nothing needs you right now/);
    expect(home).toContain('Your results');
    expect(home).not.toContain('% passed');
  });

  test('shows an administrator the state of service, budget and queue', async () => {
    const { workspace } = await startTestBed();
    await workspace.as(people.ada.id).openHome();
    const home = await workspace.until(() => workspace.home(people.ada.id) && textOf(workspace.home(people.ada.id)));
    expect(home).toMatch(
      /Quiz service\* 🟢 up.*Service requests left\* \d+ of 60 this minute, [\d,]+ of 2,000 this hour.*Alerts waiting\* 0/,
    );
  });

  test('shows people the requests that they made', async () => {
    const testBed = await startApprovalsTestBed();
    const { workspace } = testBed;
    await approvalActions(testBed).ask(people.uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await workspace.as(people.uma.id).openHome();
    const home = textOf(await workspace.until(() => workspace.home(people.uma.id)));
    expect(home).toContain('You asked for approval: 1 request');
    expect(home).not.toContain('Review');
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
    const { workspace } = await openBed();
    const erin = workspace.as(people.erin.id);
    await erin.openHome();
    const home = await workspace.until(() => workspace.home(people.erin.id));
    const buttons = home.blocks.find(({ type }) => type === 'actions')?.block_id ?? '';
    await (await erin.click({ view: home }, { block: buttons, action: 'ask:show-results' })).view();
    await workspace.until(() => textOf(workspace.views(people.erin.id).at(-1)).includes('Median'));
  });

  test('is published once, without a request for its quizzes, with the counts of results that were just read', async () => {
    // Without a subscription, the bot does not compare lists of responses.
    const testBed = await startTestBed({ env: { ALERTS_CHANNEL: '' } });
    const { workspace, requests } = testBed;
    const published = () => workspace.calls.filter(({ method }) => method === 'views.publish').length;
    const open = async (person: { id: string } = people.erin) => {
      const before = published();
      await workspace.as(person.id).openHome();
      await workspace.until(() => published() > before);
      return textOf(workspace.home(person.id));
    };
    const counted = /Workplace safety basics\*\\n\d+ submissions, [\d.]+% passed/;

    expect(await open()).toMatch(/🟢 \*Workplace safety basics\*/);
    expect(requests.filter((request) => !request.includes('page=')).toSorted()).toEqual([
      'GET /api/v1/groups',
      'GET /api/v1/quizzes',
      'GET /api/v1/users',
    ]);
    const after = requests.length;
    expect(await open()).not.toMatch(counted);
    expect(requests).toHaveLength(after);
    expect(published()).toBe(2);

    await commandReply(testBed, people.erin.id, '/quiz results workplace');
    const seen = requests.length;
    expect(await open()).toMatch(counted);
    expect(requests).toHaveLength(seen);
    expect(published()).toBe(3);
    // She may not see results.
    expect(await open(people.uma)).not.toContain('submissions');

    await sendEvent(testBed.url, eventBody({ event_id: 'new' }, { quiz_id: quizId(testBed, safetyQuiz) }));
    expect(await open()).not.toMatch(counted);
  });

  test('shows a trainer what nobody has taken', async () => {
    const testBed = await startTestBed();
    const {
      workspace,
      quizService: { database },
    } = testBed;
    database.run(
      "DELETE FROM responses WHERE quiz_id = (SELECT quiz_id FROM quizzes WHERE name = 'Workplace safety basics')",
    );
    database.run(
      "INSERT OR IGNORE INTO user_quizzes (user_id, quiz_id, date_assigned) SELECT user_id, quiz_id, '2026-01-02 03:04:05' FROM users, quizzes WHERE user_name = 'rosa@quiz.example' AND name = 'Workplace safety basics'",
    );
    await commandReply(testBed, people.erin.id, '/quiz results workplace');
    await workspace.as(people.erin.id).openHome();
    expect(textOf(await workspace.until(() => workspace.home(people.erin.id)))).toMatch(
      /Workplace safety basics\*\\nNo submissions yet, \d+ (?:person has|people have) it/,
    );
  });
});
