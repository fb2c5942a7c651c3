import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { commandReply, locationOf } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada } = people;

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
