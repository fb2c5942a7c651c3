import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { recordIn } from '../support/opened-links.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';

const { ada, uma } = people;

/** Every text that the tables of the store hold. */
function textsIn(dataDir: string, ...tables: string[]): string {
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'), { readOnly: true });
  const texts = tables.map((table) => JSON.stringify(database.prepare(`SELECT * FROM ${table}`).all()));
  database.close();
  return texts.join('\n');
}

test('what is kept for good holds no address of a new user, neither in the audit trail nor in a decided request', async () => {
  const dataDir = temporaryDirectory();
  const testBed = await startApprovalsTestBed({ env: { DATA_DIR: dataDir } });
  const { workspace } = testBed;
  const { requests, approve, directMessageWith } = approvalActions(testBed);
  const own = await (await workspace.as(ada.id).command('/quiz-user create nils@quiz.example')).view();
  await workspace.as(ada.id).submit(own, { first_name: 'Nils', email_address: 'nils.private@home.example' });
  const form = await (await workspace.as(uma.id).command('/quiz-user create ines@quiz.example')).view();
  await workspace
    .as(uma.id)
    .submit(form, { first_name: 'Ines', user_type: 'trainer', reason: 'Write to ines@quiz.example' });
  await approve(ada.id, await workspace.until(() => requests()[0]), 'ines@quiz.example is fine');
  await directMessageWith(uma.id, 'approved:');

  await expect.poll(() => textsIn(dataDir, 'queue_states')).toContain('announced');
  const kept = JSON.stringify(recordIn(dataDir)) + textsIn(dataDir, 'audit', 'queue_states');
  for (const name of ['Nils', 'Ines', 'n…@quiz.example', 'n…@home.example', 'i…@quiz.example'])
    expect(kept).toContain(name);
  expect(kept).not.toMatch(/(nils|ines|private)[\w.]*@/);
  expect(textOf(await (await workspace.as(ada.id).command('/quiz-admin audit verify')).reply())).toContain(
    'is complete',
  );
});
