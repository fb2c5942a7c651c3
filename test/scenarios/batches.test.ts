import { describe, expect, onTestFinished, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { redisMissing, startRedis } from '../support/redis.ts';
import { commandReply, fileSentTo, locationOf } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, uma } = people;

const membersOf = ({ quizService }: TestBed, group: string) =>
  quizService.database.all<{ user_id: string }>('SELECT user_id FROM user_groups JOIN groups USING (group_id) WHERE group_name = ?', [group]).length;

function actionIdOf({ blocks }: { blocks?: unknown }, label: string): string {
  const [, actionId] = new RegExp(`"action_id":"([^"]+)","text":\\{"type":"plain_text","text":"${label}`).exec(JSON.stringify(blocks)) ?? [];
  if (actionId === undefined) throw new Error(`no button “${label}” in ${JSON.stringify(blocks)}`);
  return actionId;
}

describe('a group that is emptied', () => {
  test('has its members removed one after the other, once the preview is started, and both are on the record', async () => {
    const testBed = await startTestBed();
    const before = membersOf(testBed, 'Kitchen');
    expect(before).toBeGreaterThan(1);

    const preview = await commandReply(testBed, ada.id, '/quiz-group empty kitchen');
    expect(textOf(preview)).toContain('Nothing happens until you start it.');
    expect(membersOf(testBed, 'Kitchen')).toBe(before);
    await testBed.workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'Start'));

    await testBed.workspace.until(() => membersOf(testBed, 'Kitchen') === 0);
    const started = () => textOf(testBed.workspace.ephemerals(ada.id).at(-1));
    await testBed.workspace.until(() => started().includes('Started to remove'));
    const removals = testBed.requests.filter((request) => request.startsWith('DELETE') && request.includes('/groups'));
    expect(removals).toHaveLength(before);
  });

  test('is started once, however often its button is clicked', async () => {
    const testBed = await startTestBed();
    const before = membersOf(testBed, 'Kitchen');
    const preview = await commandReply(testBed, ada.id, '/quiz-group empty kitchen');
    const click = async () => testBed.workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'Start'));

    await Promise.all([click(), click(), click()]);

    await testBed.workspace.until(() => membersOf(testBed, 'Kitchen') === 0);
    expect(testBed.requests.filter((request) => request.startsWith('DELETE') && request.includes('/groups'))).toHaveLength(before);
  });
});

/** The message about the progress of many changes, once it has these words. */
async function progressWith({ workspace }: TestBed, personId: string, words: string): Promise<Message> {
  return workspace.until(() => workspace.directMessages(personId).find((message) => JSON.stringify(message.blocks).includes('done') && textOf(message).includes(words)));
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
  testBed.quizService.database.run('INSERT OR IGNORE INTO user_groups (user_id, group_id) SELECT user_id, group_id FROM users CROSS JOIN groups WHERE group_name = ?', [group]);
  return membersOf(testBed, group);
}

const stores = ['SQLite', ...(redisMissing === null ? ['Redis'] : [])];

async function environmentOf(store: string): Promise<Record<string, string>> {
  if (store === 'SQLite') return {};
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  return { REDIS_URL: redis.url };
}

describe.each(stores)('many changes over %s', (store) => {
  test('are paused, resumed and cancelled by clicks on their message, and their result is a file', async () => {
    const testBed = await startTestBed({ env: await environmentOf(store) });
    const count = fill(testBed, 'Kitchen');
    await start(testBed, ada.id, '/quiz-group empty kitchen');

    await clickProgress(testBed, ada.id, '⏳', 'Pause');
    await progressWith(testBed, ada.id, 'Paused. What is done stays done.');
    const paused = membersOf(testBed, 'Kitchen');
    await clickProgress(testBed, ada.id, '⏸️', 'Resume');
    await testBed.workspace.until(() => membersOf(testBed, 'Kitchen') < paused);
    await clickProgress(testBed, ada.id, '⏳', 'Cancel');
    await progressWith(testBed, ada.id, 'Cancelled');
    const left = membersOf(testBed, 'Kitchen');
    expect(left).toBeGreaterThan(0);

    await clickProgress(testBed, ada.id, '🚫', 'Get result');
    const { text } = await fileSentTo(testBed, ada.id);
    expect(text.match(/,done,/g)).toHaveLength(count - left);
    expect(text.match(/,left out,/g)).toHaveLength(left);
  });

  test('are undone by a click, once their preview is started', async () => {
    const testBed = await startTestBed({ env: await environmentOf(store) });
    const before = membersOf(testBed, 'Night shift');
    await start(testBed, ada.id, '/quiz-group empty night shift');
    await clickProgress(testBed, ada.id, '✅', 'Undo');

    const preview = await testBed.workspace.until(() => testBed.workspace.ephemerals(ada.id).find((message) => textOf(message).includes('Undo the change')));
    expect(membersOf(testBed, 'Night shift')).toBe(0);
    await testBed.workspace.as(ada.id).click(locationOf(preview), actionIdOf(preview, 'Start'));

    await testBed.workspace.until(() => membersOf(testBed, 'Night shift') === before);
  });
});

describe('a group that is suspended', () => {
  test('is suspended when another person approves the list that was shown, as a change of the person who asked', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, approve } = approvalActions(testBed);
    testBed.quizService.database.run("UPDATE users SET manage_groups = 1 WHERE user_name = 'uma@quiz.example'");
    const suspended = () => testBed.quizService.database.all("SELECT user_id FROM users JOIN user_groups USING (user_id) JOIN groups USING (group_id) WHERE group_name = 'Night shift' AND suspended = 1", []).length;
    const preview = await commandReply(testBed, uma.id, '/quiz-user suspend-group night shift');
    const clicked = await testBed.workspace.as(uma.id).click(locationOf(preview), actionIdOf(preview, 'Request approval…'));
    await testBed.workspace.as(uma.id).submit(await clicked.view(), { reason: 'The night shift ends' });
    const request = await testBed.workspace.until(() => requests()[0]);
    expect(textOf(request)).toContain('The night shift ends');
    expect(suspended()).toBe(0);

    await approve(ada.id, request);

    await testBed.workspace.until(() => suspended() === membersOf(testBed, 'Night shift'));
    expect(textOf(await progressWith(testBed, uma.id, '✅'))).toContain('Night shift');
    expect(testBed.workspace.directMessages(ada.id).some((message) => textOf(message).includes('✅ Suspend'))).toBe(false);
  });
});
