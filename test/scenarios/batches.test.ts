import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { fastTime } from '../support/fast-clock.ts';
import { environmentOf, storyStores } from '../support/many-changes.ts';
import { actionIdOf, commandReply, fileSentTo, locationOf } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, uma } = people;
/** The message about the progress changes every two seconds. */
const fast = () => fastTime(3);

const membersOf = ({ quizService }: TestBed, group: string) =>
  quizService.database.all<{ user_id: string }>(
    'SELECT user_id FROM user_groups JOIN groups USING (group_id) WHERE group_name = ?',
    [group],
  ).length;

describe('a group that is emptied', () => {
  test('is started once, however often its button is clicked', async () => {
    const testBed = await startTestBed(fast());
    const before = membersOf(testBed, 'Kitchen');
    const preview = await commandReply(testBed, ada.id, '/quiz-group empty kitchen');
    const click = async () => testBed.workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'Start'));

    await Promise.all([click(), click(), click()]);

    await testBed.workspace.until(() => membersOf(testBed, 'Kitchen') === 0);
    expect(
      testBed.requests.filter((request) => request.startsWith('DELETE') && request.includes('/groups')),
    ).toHaveLength(before);
  });
});

/** The message about the progress of many changes, once it has these words. */
async function progressWith({ workspace }: TestBed, personId: string, words: string): Promise<Message> {
  return workspace.until(() =>
    workspace
      .directMessages(personId)
      .find((message) => JSON.stringify(message.blocks).includes('done') && textOf(message).includes(words)),
  );
}

/** Clicks a button on the message about the progress once it has these words. */
async function clickProgress(testBed: TestBed, personId: string, words: string, label: string): Promise<void> {
  const message = await progressWith(testBed, personId, words);
  await testBed.workspace.as(personId).click(locationOf(message), actionIdOf(message, label));
}

async function start(testBed: TestBed, personId: string, command: string): Promise<void> {
  const preview = await commandReply(testBed, personId, command);
  await testBed.workspace.as(personId).click(locationOf(preview), actionIdOf(preview, 'Start'));
}

/** Puts everyone into the group. @returns how many people are in it */
function fill(testBed: TestBed, group: string): number {
  testBed.quizService.database.run(
    'INSERT OR IGNORE INTO user_groups (user_id, group_id) SELECT user_id, group_id FROM users CROSS JOIN groups WHERE group_name = ?',
    [group],
  );
  return membersOf(testBed, group);
}

describe.each(storyStores)('many changes over %s', (store) => {
  test('are paused, resumed and cancelled by clicks on their message, and their result is a file', async () => {
    const testBed = await startTestBed({ ...fast(), env: await environmentOf(store) });
    const count = fill(testBed, 'Kitchen');
    await start(testBed, ada.id, '/quiz-group empty kitchen');

    await clickProgress(testBed, ada.id, '⏳', 'Pause');
    await progressWith(testBed, ada.id, 'Paused. What is done stays done.');
    const paused = membersOf(testBed, 'Kitchen');
    await clickProgress(testBed, ada.id, '⏸️', 'Resume');
    await testBed.workspace.until(() => membersOf(testBed, 'Kitchen') < paused);
    await clickProgress(testBed, ada.id, '⏳', 'Cancel');
    const [, leftOut] = /(\d+) left out/.exec(textOf(await progressWith(testBed, ada.id, 'Cancelled'))) ?? [];
    const left = membersOf(testBed, 'Kitchen');
    expect(left).toBeGreaterThan(0);

    await clickProgress(testBed, ada.id, '🚫', 'Get result');
    const { text } = await fileSentTo(testBed, ada.id);
    expect(text.match(/,done,/g)).toHaveLength(count - left);
    // Users whose records the service does not give are in no list.
    expect(text.match(/,left out,/g)).toHaveLength(Number(leftOut));
  });

  test('are undone by a click, once their preview is started', async () => {
    const testBed = await startTestBed({ ...fast(), env: await environmentOf(store) });
    const before = membersOf(testBed, 'Night shift');
    await start(testBed, ada.id, '/quiz-group empty night shift');
    await clickProgress(testBed, ada.id, '✅', 'Undo…');

    const preview = await testBed.workspace.until(() =>
      testBed.workspace.ephemerals(ada.id).find((message) => textOf(message).includes('Undo the change')),
    );
    expect(membersOf(testBed, 'Night shift')).toBe(0);
    await testBed.workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'Start'));

    await testBed.workspace.until(() => membersOf(testBed, 'Night shift') === before);
  });
});

describe('a preview that is more than 14 days old', () => {
  const dayMs = 24 * 3_600_000;

  async function startWithClock() {
    let aheadMs = 0;
    const now = () => Date.now() + aheadMs;
    const testBed = await startApprovalsTestBed({ now, workspace: { now } });
    return { testBed, skip: (ms: number) => void (aheadMs += ms) };
  }

  test('starts nothing, and can be made anew with what was entered', async () => {
    const { testBed, skip } = await startWithClock();
    const { workspace } = testBed;
    testBed.quizService.database.run("UPDATE users SET manage_groups = 1 WHERE user_name = 'uma@quiz.example'");
    const before = membersOf(testBed, 'Kitchen');
    const [emptying, suspending] = [
      await commandReply(testBed, ada.id, '/quiz-group empty kitchen'),
      await commandReply(testBed, uma.id, '/quiz-user suspend-group night shift'),
    ];
    skip(14 * dayMs);

    const answer = await (
      await workspace.as(ada.id).click(locationOf(emptying), actionIdOf(emptying, 'Start'))
    ).reply();
    expect(textOf(answer)).toContain(
      'This preview is more than 14 days old, and a lot may have changed. Press “Change…” or type the command again for a new one.',
    );
    expect(membersOf(testBed, 'Kitchen')).toBe(before);
    const form = await (await workspace.as(ada.id).click(locationOf(emptying), actionIdOf(emptying, 'Change…'))).view();
    expect(textOf(form)).toContain('Kitchen');

    const asking = await (
      await workspace.as(uma.id).click(locationOf(suspending), actionIdOf(suspending, 'Request approval…'))
    ).view();
    const { errors } = await workspace.as(uma.id).submit(asking, { reason: 'The night shift ends' });
    expect(JSON.stringify(errors)).toContain('This preview is more than 14 days old');
  });

  test('can still be approved, where it was asked for before', async () => {
    const { testBed, skip } = await startWithClock();
    const { requests, approve } = approvalActions(testBed);
    testBed.quizService.database.run("UPDATE users SET manage_groups = 1 WHERE user_name = 'uma@quiz.example'");
    const preview = await commandReply(testBed, uma.id, '/quiz-user suspend-group night shift');
    skip(14 * dayMs - 3_600_000);
    const clicked = await testBed.workspace
      .as(uma.id)
      .click(locationOf(preview), actionIdOf(preview, 'Request approval…'));
    await testBed.workspace.as(uma.id).submit(await clicked.view(), { reason: 'The night shift ends' });
    const request = await testBed.workspace.until(() => requests()[0]);
    skip(20 * 3_600_000);
    await approve(ada.id, request);
    await progressWith(testBed, uma.id, '✅');
    const again = await (
      await testBed.workspace.as(uma.id).click(locationOf(preview), actionIdOf(preview, 'Request approval…'))
    ).view();
    expect(textOf(again)).toContain('This preview is too old, or it was started already.');
  });
});
