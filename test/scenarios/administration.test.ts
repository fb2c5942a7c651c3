import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed, decisionOn } from '../support/approvals.ts';
import { shareTestBed, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { fileSentTo, locationOf } from '../support/results.ts';

const { ada, tom, uma, erin, nora, rosa, lena, zoe } = people;

async function replyTo({ workspace }: TestBed, personId: string, command: string): Promise<string> {
  return textOf(await (await workspace.as(personId).command(command)).reply());
}

describe('/quiz-admin approvals', () => {
  test('has Withdraw for one’s own requests, and changes with each decision and withdrawal', async () => {
    const testBed = await startApprovalsTestBed();
    const { workspace } = testBed;
    const { ask } = approvalActions(testBed);
    await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await ask(uma.id, '/quiz-user delete ravi banerjee --reason Left');
    await ask(ada.id, '/quiz delete forklift --reason Old');
    await workspace.as(ada.id).command('/quiz-admin approvals');
    const list = await workspace.until(() =>
      workspace.ephemerals(ada.id).find((answer) => textOf(answer).includes('*3 open requests*')),
    );
    const shown = async (words: RegExp) =>
      workspace.until(() => {
        const now = workspace.ephemerals(ada.id).find(({ ts }) => ts === list.ts);
        return now && words.test(textOf(now)) ? now : undefined;
      });
    expect(JSON.stringify(list.blocks).match(/"choose:withdraw-request/g)).toHaveLength(1);
    expect(JSON.stringify(list.blocks).match(/"question:decide-request"/g)).toHaveLength(2);

    const own = list.blocks?.find((block) => JSON.stringify(block).includes('withdraw-request'))?.block_id;
    await workspace.as(ada.id).click(locationOf(list), { block: own, action: 'choose:withdraw-request' });
    const without = await shown(/withdrew: delete \*Forklift theory test\*.*\*2 open requests\*/s);
    const first = without.blocks?.find((block) => JSON.stringify(block).includes('decide-request'))?.block_id;
    await workspace.as(ada.id).click(locationOf(list), { block: first, action: 'question:decide-request' });
    const view = await workspace.until(() => workspace.views(ada.id).find((open) => textOf(open).includes('omment')));
    expect((await workspace.as(ada.id).submit(view, decisionOn(view, ''))).errors).toBeUndefined();
    await shown(/approved: suspend \*Rosa Almeida\*.*\*1 open request\*.*Ravi Banerjee/s);
    expect(workspace.views(ada.id)).toEqual([]);
  });

  test('lists a request only to people who asked it or may decide on it', async () => {
    const testBed = await startApprovalsTestBed();
    await approvalActions(testBed).ask(uma.id, '/quiz-user suspend rosa almeida --reason Harassment');
    for (const { id } of [ada, uma])
      expect(await replyTo(testBed, id, '/quiz-admin approvals')).toContain('suspend *Rosa Almeida*');
    for (const { id } of [erin, nora])
      expect(await replyTo(testBed, id, '/quiz-admin approvals')).not.toMatch(/Rosa|Harassment/);
    await testBed.workspace.as(nora.id).openHome();
    expect(textOf(await testBed.workspace.until(() => testBed.workspace.home(nora.id)))).not.toMatch(/Rosa|Harassment/);
  });
});

describe('/quiz-admin audit', () => {
  test('leaves out lists and overviews that people looked at, and shows them where they are asked for', async () => {
    const testBed = await startApprovalsTestBed();
    await replyTo(testBed, erin.id, '/quiz today');
    await replyTo(testBed, erin.id, '/quiz results workplace');
    const trail = await replyTo(testBed, ada.id, '/quiz-admin audit');
    expect(trail).toContain('used `/quiz results` for *Workplace safety basics*');
    expect(trail).not.toContain('used `/quiz today`');
    expect(trail).toContain('Left out: lists and overviews that people looked at.');
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit show-today')).toContain('used `/quiz today`');
  });

  test('shows changes, refusals, requests and decisions, each with its actor and target', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, approve } = approvalActions(testBed);
    await replyTo(testBed, erin.id, '/quiz close workplace');
    await replyTo(testBed, rosa.id, '/quiz close forklift');
    await replyTo(testBed, zoe.id, '/quiz mine');
    const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await approve(ada.id, request);
    const trail = await replyTo(testBed, ada.id, '/quiz-admin audit');
    for (const [who, what] of [
      [erin.id, 'closed *Workplace safety basics* · '],
      [rosa.id, 'wasn’t allowed to close a quiz (“'],
      [zoe.id, 'wasn’t allowed to use `/quiz mine` (“'],
      [uma.id, 'asked to suspend *Rosa Almeida* · '],
      [ada.id, 'approved the request to suspend *Rosa Almeida* · '],
      [ada.id, 'suspended *Rosa Almeida* · '],
    ])
      expect(trail).toContain(`<@${who}> ${what}`);
  });

  test('filters by person, operation and time', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, '/quiz close workplace');
    await replyTo(testBed, erin.id, '/quiz open workplace');
    await replyTo(testBed, tom.id, '/quiz close forklift');
    const ofErin = await replyTo(testBed, ada.id, '/quiz-admin audit @erin since 1d');
    expect(ofErin).toContain('opened *Workplace safety basics*');
    expect(ofErin).not.toContain(`<@${tom.id}>`);
    const closed = await replyTo(testBed, ada.id, '/quiz-admin audit close-quiz');
    expect(closed).toContain(`<@${tom.id}>`);
    expect(closed).not.toContain('opened *Workplace safety basics*');
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit delete-quiz')).toContain(
      'No entry of the audit trail matches',
    );
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit somebody')).toContain(
      'No entry of the audit trail matches',
    );
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit #training')).toContain('can’t read “#training”');
  });

  test('exports a CSV file that is safe to open, without passwords or answers', async () => {
    const testBed = await startTestBed();
    const form = await (await testBed.workspace.as(ada.id).command('/quiz-user create =cmd@quiz.example')).view();
    const { view } = await testBed.workspace.as(ada.id).submit(form, { first_name: '=HYPERLINK("x")' });
    await testBed.workspace.as(ada.id).click({ view: view! }, 'show-password');
    const shown = await testBed.workspace.until(() =>
      testBed.workspace.views(ada.id).find((open) => textOf(open).includes('with this password')),
    );
    const password = /`([A-Za-z0-9]{16})`/.exec(textOf(shown))?.[1];
    await replyTo(testBed, erin.id, '/quiz close workplace');
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit csv')).toContain('3 entries of the audit trail');
    const { text } = await fileSentTo(testBed, ada.id);
    const rows = text.trim().split('\r\n');
    expect(rows[0]).toContain('position,at (UTC),by,operation,outcome');
    expect(rows.find((row) => row.includes('close-quiz'))).toMatch(/Workplace safety basics.*,Erin Castellanos$/);
    expect(text).toContain('First name: =HYPERLINK');
    expect(text).not.toMatch(/(^|,)"?=/m);
    expect(password).toBeDefined();
    expect(text).not.toContain(password);
  });
});

describe('/quiz-admin status and whoami', () => {
  const openBed = shareTestBed();

  test('status shows the status of the bot', async () => {
    const testBed = await startApprovalsTestBed();
    await approvalActions(testBed).ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    const reply = await replyTo(testBed, ada.id, '/quiz-admin status');
    expect(reply).toMatch(
      /Quiz service\* 🟢 up.*Service requests left\* \d+ of 60 this minute.*Webhooks\* none received yet.*Alerts waiting\* 0.*Subscriptions\* 1.*Approvals\* 1 open request.*Audit trail\* \d+ entr/,
    );
  });

  test.each([
    [
      ada,
      'You’re *Ada Okafor*, an administrator',
      'approve requests, read the audit trail and see the status of the bot',
    ],
    [erin, 'You’re *Erin Castellanos*, a trainer', 'You can see every quiz and edit quizzes.'],
    [nora, 'You’re *Nora Fields*, a trainer', 'You can see every quiz.'],
    [rosa, 'You’re *Rosa Almeida*, a respondent', 'You can see the quizzes assigned to you'],
    [lena, 'Guests of this workspace', ''],
  ])('whoami shows $name their role and rights', async (person, role, rights) => {
    const reply = await replyTo(await openBed(), person.id, '/quiz-admin whoami');
    expect(reply).toContain(role);
    expect(reply).toContain(rights);
  });
});
