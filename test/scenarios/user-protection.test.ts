import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { submit } from '../support/submit-form.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, tom, uma, rosa, zoe } = people;
const isAdministrator = "user_type = 'administrator', manage_users = 1";

function user({ quizService }: TestBed, name: string) {
  return quizService.database.get<Record<string, unknown>>('SELECT * FROM users WHERE user_name = ?', [
    `${name}@quiz.example`,
  ]);
}

/** Changes a user as somebody does in the quiz service itself. */
function change({ quizService }: TestBed, name: string, changes: string): void {
  quizService.database.run(`UPDATE users SET ${changes} WHERE user_name = ?`, [`${name}@quiz.example`]);
}

/** Leaves Ada and these users as the only administrators, before the bot has read the users. */
function setAdministrators(testBed: TestBed, ...names: string[]): void {
  testBed.quizService.database.run(
    "UPDATE users SET user_type = 'trainer' WHERE user_type = 'administrator' AND user_name <> 'ada@quiz.example'",
  );
  for (const name of names) change(testBed, name, isAdministrator);
}

async function replyTo({ workspace }: TestBed, personId: string, line: string): Promise<string> {
  return textOf(await (await workspace.as(personId).command(line)).reply());
}

describe('an administrator', () => {
  test('suspends, deletes and demotes nobody who is themselves', async () => {
    const testBed = await startApprovalsTestBed();
    const own = 'suspend or delete yourself';
    expect(await replyTo(testBed, ada.id, '/quiz-user suspend ada okafor')).toContain(own);
    expect(await replyTo(testBed, ada.id, '/quiz-user delete ada okafor --reason Bye')).toContain(own);
    expect(await submit(testBed, ada.id, '/quiz-user update ada okafor', { user_type: 'trainer' })).toContain(own);
    expect(await submit(testBed, ada.id, '/quiz-user update ada okafor', { manage_groups: 'false' })).toContain(own);
    expect(user(testBed, 'ada')).toMatchObject({ suspended: 0, user_type: 'administrator', manage_groups: 1 });
    expect(approvalActions(testBed).requests()).toEqual([]);
  });

  test('does not change their own addresses so that the bot would not recognize them', async () => {
    const testBed = await startTestBed();
    setAdministrators(testBed);
    const entered = { user_name: 'okafor', email_address: 'okafor@quiz.example' };
    const answer = await submit(testBed, ada.id, '/quiz-user update ada okafor', entered);
    expect(answer).toContain('The bot recognizes you by your Slack e-mail address');
    expect(user(testBed, 'ada')).toMatchObject({ user_name: 'ada@quiz.example' });
    expect(await replyTo(testBed, ada.id, '/quiz-admin whoami')).toContain('dministrator');
  });

  test('who is an owner does not suspend their own user either', async () => {
    const testBed = await startApprovalsTestBed();
    expect(await replyTo(testBed, tom.id, '/quiz-user suspend tom lindqvist')).toContain('suspend or delete yourself');
    expect(user(testBed, 'tom')).toMatchObject({ suspended: 0 });
  });

  test('who is the last is not suspended or demoted by an owner whom the account does not know', async () => {
    const testBed = await startTestBed({ env: { OWNERS: zoe.id } });
    setAdministrators(testBed);
    const last = 'is the last active administrator';
    expect(await replyTo(testBed, zoe.id, '/quiz-user suspend ada okafor')).toContain(last);
    expect(await submit(testBed, zoe.id, '/quiz-user update ada okafor', { user_type: 'trainer' })).toContain(last);
    expect(await submit(testBed, zoe.id, '/quiz-user update ada okafor', { manage_users: 'false' })).toContain(last);
    const entered = { user_name: 'okafor', email_address: 'okafor@quiz.example' };
    expect(await submit(testBed, zoe.id, '/quiz-user update ada okafor', entered)).toContain(last);
    expect(user(testBed, 'ada')).toMatchObject({ suspended: 0, user_type: 'administrator', manage_users: 1 });
    change(testBed, 'tom', isAdministrator);
    expect(await replyTo(testBed, zoe.id, '/quiz-user suspend ada okafor')).toContain('Suspended *Ada Okafor*.');
  });

  test('who is the last is not deleted with an owner’s approval, and can be while another owner is a user', async () => {
    const testBed = await startApprovalsTestBed({ env: { OWNERS: `${zoe.id},${tom.id}` } });
    setAdministrators(testBed);
    const { ask, review, decide, approve } = approvalActions(testBed);
    const request = await ask(tom.id, '/quiz-user delete ada okafor --reason Left');
    change(testBed, 'tom', 'suspended = 1');
    const view = await review(zoe.id, request);
    expect(await decide(zoe.id, view)).toContain('is the last active administrator');
    expect(user(testBed, 'ada')).toBeDefined();
    change(testBed, 'tom', 'suspended = 0');
    expect(await approve(zoe.id, request)).toContain('Deleted the user *');
  });

  test('is left where two suspend each other at the same time', async () => {
    const testBed = await startTestBed();
    setAdministrators(testBed, 'tom');
    await Promise.all([
      replyTo(testBed, ada.id, '/quiz-user suspend tom lindqvist'),
      replyTo(testBed, tom.id, '/quiz-user suspend ada okafor'),
    ]);
    expect(Number(user(testBed, 'ada')?.['suspended']) + Number(user(testBed, 'tom')?.['suspended'])).toBe(1);
  });

  test('is left where two approve the end of each other at the same time', async () => {
    const testBed = await startApprovalsTestBed({ env: { OWNERS: '' } });
    setAdministrators(testBed, 'tom');
    // To see both of them.
    change(testBed, 'uma', isAdministrator);
    const { ask, review, decide } = approvalActions(testBed);
    const aboutTom = await ask(uma.id, '/quiz-user delete tom lindqvist --reason Left');
    const aboutAda = await ask(uma.id, '/quiz-user delete ada okafor --reason Left');
    const [byAda, byTom] = [await review(ada.id, aboutTom), await review(tom.id, aboutAda)];
    await Promise.all([decide(ada.id, byAda), decide(tom.id, byTom)]);
    expect([user(testBed, 'ada'), user(testBed, 'tom')].filter((left) => left !== undefined)).toHaveLength(1);
  });

  test('does not decide on a request about themselves', async () => {
    const testBed = await startApprovalsTestBed();
    const { ask, refusal } = approvalActions(testBed);
    const request = await ask(tom.id, '/quiz-user delete ada okafor --reason Left');
    expect(textOf(await refusal(ada.id, request))).toContain('This would suspend or delete you');
  });
});

describe('an address that somebody has', () => {
  test('becomes nobody else’s, and only people who see that user read who has it', async () => {
    const testBed = await startTestBed();
    const named = 'Rosa Almeida” already uses “Rosa@quiz.example”';
    expect(
      await submit(testBed, ada.id, '/quiz-user create ines@quiz.example', { email_address: 'Rosa@quiz.example' }),
    ).toContain(named);
    expect(await submit(testBed, ada.id, '/quiz-user create Rosa@quiz.example', { first_name: 'Ines' })).toContain(
      named,
    );
    expect(
      await submit(testBed, ada.id, '/quiz-user update ravi banerjee', { email_address: 'Rosa@quiz.example' }),
    ).toContain(named);
    const unnamed = await submit(testBed, uma.id, '/quiz-user create ines', { email_address: 'ada@quiz.example' });
    expect(unnamed).toContain('Another user of the quiz account already uses “ada@quiz.example”');
    expect(unnamed).not.toContain('Okafor');
    expect(
      await submit(testBed, ada.id, '/quiz-user update rosa almeida', { email_address: 'Rosa@quiz.example' }),
    ).toContain('Changed the e-mail address of *Rosa Almeida*.');
    expect(testBed.quizService.database.get("SELECT 1 FROM users WHERE user_name LIKE 'ines%'")).toBeUndefined();
  });

  test('is found where the user got it a moment ago in the quiz service itself', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, uma.id, '/quiz list');
    change(testBed, 'rosa', "email_address = 'new@quiz.example'");
    expect(await submit(testBed, uma.id, '/quiz-user create new@quiz.example', { first_name: 'New' })).toContain(
      'already uses “new@quiz.example”',
    );
  });

  test.each(['suspended = 0', 'suspended = 1'])(
    'leaves the administrator an administrator when a respondent gets it in the quiz service itself (%s)',
    async (state) => {
      const testBed = await startTestBed();
      change(testBed, 'ada', "user_name = 'ada', email_address = 'ada@quiz.example'");
      change(testBed, 'rosa', `user_name = 'ada@quiz.example', ${state}`);
      const who = await replyTo(testBed, ada.id, '/quiz-admin whoami');
      expect(who).toContain('You’re *Ada Okafor*, an administrator');
      expect(await replyTo(testBed, rosa.id, '/quiz-admin whoami')).not.toContain('Ada');
    },
  );

  test('does not let a suspended administrator back in through a new user', async () => {
    const testBed = await startTestBed();
    change(testBed, 'ada', "user_name = 'ada', email_address = 'ada@quiz.example', suspended = 1");
    change(testBed, 'rosa', "user_name = 'ada@quiz.example', user_type = 'trainer', manage_users = 1");
    expect(await replyTo(testBed, ada.id, '/quiz-user list')).toContain('is suspended');
  });
});

test('an administrator asks for approval of a new one, whom the bot knew as an administrator a moment ago', async () => {
  const testBed = await startApprovalsTestBed();
  change(testBed, 'rosa', isAdministrator);
  const form = await (await testBed.workspace.as(ada.id).command('/quiz-user update rosa almeida')).view();
  change(testBed, 'rosa', "user_type = 'respondent', manage_users = 0");
  const { errors, view } = await testBed.workspace.as(ada.id).submit(form, { user_type: 'administrator' });
  expect(errors ? JSON.stringify(errors) : textOf(view)).toContain('needs approval');
  expect(user(testBed, 'rosa')).toMatchObject({ user_type: 'respondent' });
});

test('an owner whose address is that of the requester’s quiz user does not decide on the request', async () => {
  const testBed = await startApprovalsTestBed();
  testBed.quizService.database.run("DELETE FROM users WHERE user_name = 'tom@quiz.example'");
  change(testBed, 'uma', "email_address = 'tom@quiz.example'");
  const { ask, refusal } = approvalActions(testBed);
  const request = await ask(uma.id, '/quiz-user suspend rosa almeida --reason Left');
  expect(textOf(await refusal(tom.id, request))).toContain('You can’t decide on your own request');
});

test('an approval makes no administrator for a requester who no longer manages users, and gives nobody a password', async () => {
  const testBed = await startApprovalsTestBed();
  const { requests, review, decide, directMessageWith } = approvalActions(testBed);
  await submit(testBed, uma.id, '/quiz-user create ines@quiz.example', { user_type: 'administrator', reason: 'New' });
  const request = await testBed.workspace.until(() => requests()[0]);
  const view = await review(ada.id, request);
  change(testBed, 'uma', 'manage_users = 0');
  const why = 'The requester no longer has the rights for this';
  expect(await decide(ada.id, view)).toContain(why);
  expect(await directMessageWith(uma.id, 'approved:')).toContain(why);
  expect(user(testBed, 'ines')).toBeUndefined();
  for (const person of [ada, uma])
    expect(JSON.stringify(testBed.workspace.directMessages(person.id))).not.toContain('show-password');
});

test.each(['reinstate', 'reset-password'])(
  'a trainer does not %s a user at once who was made an administrator a moment ago',
  async (verb) => {
    const testBed = await startApprovalsTestBed();
    change(testBed, 'rosa', 'suspended = 1');
    await replyTo(testBed, uma.id, '/quiz-user list');
    const { password_hash } = user(testBed, 'rosa')!;
    change(testBed, 'rosa', "user_type = 'administrator'");
    expect(await replyTo(testBed, uma.id, `/quiz-user ${verb} rosa almeida`)).toContain('This needs approval');
    expect(user(testBed, 'rosa')).toMatchObject({ suspended: 1, password_hash });
  },
);
