import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { submit } from '../support/submit-form.ts';
import { textOf, type TestBed } from '../support/test-bed.ts';

const { ada, erin, tom, uma } = people;
const administrator = { user_type: 'administrator', manage_users: 'true' };
const deletion = '/quiz delete workplace safety --reason Replaced';

function typeOf({ quizService }: TestBed, name: string): unknown {
  const user = quizService.database.get<{ user_type: string }>('SELECT user_type FROM users WHERE user_name = ?', [
    `${name}@quiz.example`,
  ]);
  return user?.user_type;
}

/** Leaves these users as the only administrators. */
function setAdministrators({ quizService }: TestBed, ...names: string[]): void {
  quizService.database.run("UPDATE users SET user_type = 'trainer' WHERE user_type = 'administrator'");
  for (const name of names)
    quizService.database.run("UPDATE users SET user_type = 'administrator', manage_users = 1 WHERE user_name = ?", [
      `${name}@quiz.example`,
    ]);
}

describe('making an administrator', () => {
  test('needs approval where another administrator is there, and the reviewer reads what it means', async () => {
    const testBed = await startApprovalsTestBed({ env: { OWNERS: '' } });
    setAdministrators(testBed, 'ada', 'tom');
    const { requests, review, decide } = approvalActions(testBed);
    await submit(testBed, ada.id, '/quiz-user update erin castellanos', {
      ...administrator,
      reason: 'Head of training',
    });
    expect(typeOf(testBed, 'erin')).toBe('trainer');
    const view = await review(tom.id, await testBed.workspace.until(() => requests()[0]));
    expect(textOf(view)).toContain('They could decide on what other people request');
    await decide(tom.id, view);
    expect(typeOf(testBed, 'erin')).toBe('administrator');
    await submit(testBed, ada.id, '/quiz-user create ann@quiz.example', {
      user_type: 'administrator',
      reason: 'Head of safety',
    });
    expect(typeOf(testBed, 'ann')).toBeUndefined();
    expect(textOf(await testBed.workspace.until(() => requests()[1]))).toContain('as an administrator');
  });

  test('is done at once by an administrator who is alone', async () => {
    const testBed = await startApprovalsTestBed({ env: { OWNERS: '' } });
    setAdministrators(testBed, 'ada');
    await submit(testBed, ada.id, '/quiz-user update erin castellanos', administrator);
    expect(typeOf(testBed, 'erin')).toBe('administrator');
    expect(approvalActions(testBed).requests()).toEqual([]);
  });
});

describe('a person whom the requester gave the right to decide', () => {
  test('does not decide on their requests, nor does a person to whom that one gave it', async () => {
    const testBed = await startApprovalsTestBed({ env: { OWNERS: '' } });
    setAdministrators(testBed, 'ada');
    await submit(testBed, ada.id, '/quiz-user update erin castellanos', administrator);
    const { ask, refusal, approve, requests } = approvalActions(testBed);
    const request = await ask(ada.id, deletion);
    expect(textOf(await refusal(erin.id, request))).toContain(
      'got rights through the requester within the last 30 days',
    );
    expect(textOf(await refusal(erin.id, request, 'denied'))).toContain(
      'got rights through the requester within the last 30 days',
    );

    await submit(testBed, erin.id, '/quiz-user update uma', {
      ...administrator,
      edit_quizzes: 'true',
      reason: 'Help',
    });
    await approve(ada.id, await testBed.workspace.until(() => requests()[1]));
    expect(typeOf(testBed, 'uma')).toBe('administrator');
    expect(textOf(await refusal(uma.id, request))).toContain(
      'got rights through the requester within the last 30 days',
    );
    expect(
      testBed.quizService.database.get("SELECT 1 FROM quizzes WHERE name = 'Workplace safety basics'"),
    ).toBeDefined();
  });
});
