import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, hasButton, startApprovalsTestBed } from '../support/approvals.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { fileSentTo } from '../support/results.ts';

const { ada, tom, uma, erin, nora, rosa, lena } = people;

async function replyTo({ workspace }: TestBed, personId: string, command: string): Promise<string> {
  return textOf(await (await workspace.as(personId).command(command)).reply());
}

describe('/quiz-admin approvals', () => {
  test('lists open requests with a Review button', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review, decide } = approvalActions(testBed);
    expect(await replyTo(testBed, ada.id, '/quiz-admin approvals')).toContain('Nothing waits for approval');
    await ask(uma.id, '/quiz-user suspend rosa almeida --reason “<!channel> left”');
    const list = await (await testBed.workspace.as(ada.id).command('/quiz-admin approvals')).reply();
    expect(textOf(list)).toContain('*1 request* for approval');
    expect(textOf(list)).toContain('&lt;!channel&gt; left');
    expect(hasButton(list, 'review-request')).toBe(true);
    expect(await decide(ada.id, await review(ada.id, list), 'approved')).toContain('Suspended *Rosa Almeida*');
    expect(await replyTo(testBed, uma.id, '/quiz-admin approvals')).toContain('Nothing waits for approval');
  });

  test('lists a request only to people who asked it or may decide on it', async () => {
    const testBed = await startApprovalsTestBed();
    await approvalActions(testBed).ask(uma.id, '/quiz-user suspend rosa almeida --reason Harassment');
    for (const { id } of [ada, uma]) expect(await replyTo(testBed, id, '/quiz-admin approvals')).toContain('suspend user: Rosa Almeida');
    for (const { id } of [erin, nora]) expect(await replyTo(testBed, id, '/quiz-admin approvals')).not.toMatch(/Rosa|Harassment/);
    await testBed.workspace.as(nora.id).openHome();
    expect(textOf(await testBed.workspace.until(() => testBed.workspace.home(nora.id)))).not.toMatch(/Rosa|Harassment/);
  });

  test('is not for respondents', async () => {
    expect(await replyTo(await startTestBed(), rosa.id, '/quiz-admin approvals')).toContain('Only trainers and administrators');
  });
});

describe('/quiz-admin audit', () => {
  test('shows changes, refusals, requests and decisions, each with its actor and target', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, review, decide } = approvalActions(testBed);
    await replyTo(testBed, erin.id, '/quiz close workplace');
    await replyTo(testBed, rosa.id, '/quiz close forklift');
    const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    await decide(ada.id, await review(ada.id, request), 'approved');
    const trail = await replyTo(testBed, ada.id, '/quiz-admin audit');
    for (const [who, what] of [
      [erin.id, '*close quiz: Workplace safety basics* · done'],
      [rosa.id, '*close quiz* · refused'],
      [uma.id, '*suspend user: Rosa Almeida* · requested'],
      [ada.id, '*suspend user: Rosa Almeida* · approved'],
      [ada.id, '*suspend user: Rosa Almeida* · done'],
    ]) expect(trail).toContain(`<@${who}> · ${what}`);
  });

  test('filters by person, operation and time', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, '/quiz close workplace');
    await replyTo(testBed, erin.id, '/quiz open workplace');
    await replyTo(testBed, tom.id, '/quiz close forklift');
    const ofErin = await replyTo(testBed, ada.id, '/quiz-admin audit @erin since 1d');
    expect(ofErin).toContain('open quiz');
    expect(ofErin).not.toContain(`<@${tom.id}>`);
    const closed = await replyTo(testBed, ada.id, '/quiz-admin audit close-quiz');
    expect(closed).toContain(`<@${tom.id}>`);
    expect(closed).not.toContain('open quiz');
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit since 2999-01-01')).toContain('no such entry');
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit somebody')).toContain('is none of');
  });

  test('exports a CSV file that is safe to open, without passwords or answers', async () => {
    const testBed = await startTestBed();
    const form = await (await testBed.workspace.as(ada.id).command('/quiz-user create =cmd@quiz.example')).view();
    const { view } = await testBed.workspace.as(ada.id).submit(form, { first_name: '=HYPERLINK("x")' });
    await testBed.workspace.as(ada.id).click({ view: view! }, 'show-password');
    const shown = await testBed.workspace.until(() => testBed.workspace.views(ada.id).find((open) => textOf(open).includes('with this password')));
    const password = /`([A-Za-z0-9]{16})`/.exec(textOf(shown))?.[1];
    await replyTo(testBed, erin.id, '/quiz close workplace');
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit csv')).toContain('3 entries of the audit trail');
    const { text } = await fileSentTo(testBed, ada.id);
    const rows = text.trim().split('\r\n');
    expect(rows[0]).toContain('position,at (UTC),by,operation,outcome');
    expect(rows.find((row) => row.includes('close-quiz'))).toContain('Workplace safety basics');
    expect(text).toContain('First name: =HYPERLINK');
    expect(text).not.toMatch(/(^|,)"?=/m);
    expect(password).toBeDefined();
    expect(text).not.toContain(password);
  });

  test('verify reports an unmodified audit trail as whole', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, '/quiz close workplace');
    expect(await replyTo(testBed, ada.id, '/quiz-admin audit verify')).toMatch(/The audit trail is whole: 1 entry, none missing, none changed/);
  });

  test('is only for administrators', async () => {
    expect(await replyTo(await startTestBed(), tom.id, '/quiz-admin audit')).toContain('Only administrators');
  });
});

describe('/quiz-admin status and whoami', () => {
  test('status shows the state of the bot', async () => {
    const testBed = await startApprovalsTestBed();
    await approvalActions(testBed).ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
    const reply = await replyTo(testBed, ada.id, '/quiz-admin status');
    expect(reply).toMatch(/Quiz service\* 🟢 up.*Service requests left\* \d+ of 60 this minute.*Webhooks\* none received yet.*Alerts waiting\* 0.*Subscriptions\* 1.*Approvals\* 1 open request.*Audit trail\* \d+ entr/);
  });

  test.each([
    [ada, 'You are *Ada Okafor*, administrator', 'approve requests, read the audit trail and see the state of the bot'],
    [erin, 'You are *Erin Castellanos*, trainer', 'You may see every quiz and edit quizzes.'],
    [nora, 'You are *Nora Fields*, trainer', 'You may see every quiz.'],
    [rosa, 'You are *Rosa Almeida*, respondent', 'You can see what is assigned to you'],
    [lena, 'Guests of this workspace', ''],
  ])('whoami shows $name their role and rights', async (person, role, rights) => {
    const reply = await replyTo(await startTestBed(), person.id, '/quiz-admin whoami');
    expect(reply).toContain(role);
    expect(reply).toContain(rights);
  });
});
