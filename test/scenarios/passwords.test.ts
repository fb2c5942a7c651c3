import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isPassword } from '../../src/sandbox/quiz-service/account.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, hasButton, startApprovalsTestBed } from '../support/approvals.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { confirmed } from '../support/results.ts';
import { startTestBed, type TestBed, textOf } from '../support/test-bed.ts';

const { ada, uma, nora } = people;
const showPassword = 'show-password';

function user({ quizService }: TestBed, name: string) {
  return quizService.database.get<{ user_id: string; password_hash: string; suspended: number }>(
    'SELECT * FROM users WHERE user_name = ?',
    [name],
  );
}

async function signsIn(testBed: TestBed, name: string, password: string): Promise<boolean> {
  return isPassword(password, user(testBed, name)?.password_hash);
}

/** Creates a user through the form. @returns the text of the modal's answer */
async function create(
  { workspace }: TestBed,
  personId: string,
  name: string,
  entered: Record<string, string | string[]> = {},
): Promise<string> {
  const person = workspace.as(personId);
  const form = await (await person.command(`/quiz-user create ${name}`)).view();
  // A trainer is warned that they won’t see the user.
  return textOf((await confirmed(person, await person.submit(form, { first_name: 'Ines', ...entered }))).view);
}

/** The last direct message with the button. */
async function offerTo({ workspace }: TestBed, personId: string) {
  return workspace.until(() =>
    workspace.directMessages(personId).findLast((message) => hasButton(message, showPassword)),
  );
}

/** Presses the button. @returns the text of the modal */
async function press(
  { workspace }: TestBed,
  personId: string,
  { channel, ts }: { channel: string; ts: string },
): Promise<string> {
  const isLoaded = (view: object) => !textOf(view).includes('Setting a new password');
  const before = new Set(workspace.views(personId).map(({ id }) => id));
  await workspace.as(personId).click({ channel, ts }, showPassword);
  return textOf(
    await workspace.until(() => workspace.views(personId).find((view) => !before.has(view.id) && isLoaded(view))),
  );
}

const passwordIn = (text: string) => /with this password.*`([A-Za-z2-9]{16})`/s.exec(text)?.[1] ?? 'no password';

const requestsAbout = ({ requests }: TestBed, path: RegExp) => requests.filter((request) => path.test(request));

describe('a user created without a welcome e-mail', () => {
  test('gets another password each time the button is pressed, and the last one counts', async () => {
    const testBed = await startTestBed();
    await create(testBed, ada.id, 'ines@quiz.example');
    const offer = await offerTo(testBed, ada.id);
    const [first, second] = [
      passwordIn(await press(testBed, ada.id, offer)),
      passwordIn(await press(testBed, ada.id, offer)),
    ];
    expect(await signsIn(testBed, 'ines@quiz.example', first)).toBe(false);
    expect(await signsIn(testBed, 'ines@quiz.example', second)).toBe(true);
  });

  test('has their password in the modal of the form as well', async () => {
    const testBed = await startTestBed();
    await create(testBed, ada.id, 'ines@quiz.example');
    const view = testBed.workspace.views(ada.id).at(-1)!;
    await testBed.workspace.as(ada.id).click({ view }, showPassword);
    const shown = await testBed.workspace.until(() =>
      testBed.workspace.views(ada.id).find((open) => textOf(open).includes('with this password')),
    );
    expect(await signsIn(testBed, 'ines@quiz.example', passwordIn(textOf(shown)))).toBe(true);
    expect(shown.id).toBe(view.id);
  });

  test('leaves their password nowhere but in the modal: not in messages, the log, the store or the audit trail', async () => {
    const folder = temporaryDirectory();
    const testBed = await startTestBed({ env: { DATA_DIR: folder, LOG_LEVEL: 'trace' } });
    await create(testBed, ada.id, 'ines@quiz.example');
    const offer = await offerTo(testBed, ada.id);
    const shown = passwordIn(await press(testBed, ada.id, offer));
    // The modal is gone when the second password is to be shown in it.
    testBed.workspace.faults.inject({ kind: 'api-error', error: 'not_found' }, { method: 'views.update', times: 1 });
    await testBed.workspace.as(ada.id).click({ channel: offer.channel, ts: offer.ts }, showPassword);
    await testBed.workspace.until(() =>
      testBed.workspace.ephemerals(ada.id).find((message) => textOf(message).includes('nobody knows it')),
    );

    const passwords = requestsAbout(testBed, /password=/).map(
      (request) => /password=([A-Za-z2-9]{16})/.exec(request)![1]!,
    );
    expect(passwords).toHaveLength(3);
    expect(passwords[1]).toBe(shown);
    const calls = testBed.workspace.calls.filter(({ args }) =>
      passwords.some((password) => JSON.stringify(args).includes(password)),
    );
    expect(calls.map(({ method }) => method)).toEqual(['views.update', 'views.update']);
    const stored = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');
    expect(stored).toContain('show-password');
    for (const password of passwords) {
      expect(
        JSON.stringify([testBed.workspace.directMessages(ada.id), testBed.workspace.ephemerals(ada.id)]),
      ).not.toContain(password);
      expect(testBed.lines.join('')).not.toContain(password);
      expect(stored).not.toContain(password);
    }
  });

  test('can be created suspended', async () => {
    const testBed = await startTestBed();
    expect(await create(testBed, ada.id, 'ines@quiz.example', { suspended: ['true'] })).toContain(
      'as a respondent. They can’t sign in until you reinstate them.',
    );
    expect(user(testBed, 'ines@quiz.example')).toMatchObject({ suspended: 1 });
  });
});

test('a welcome e-mail carries the password, and there is no button', async () => {
  const testBed = await startTestBed();
  const answer = await create(testBed, ada.id, 'ines@quiz.example', { welcome: ['send'] });
  expect(answer).toContain('The welcome e-mail has their password.');
  expect(answer).not.toContain(showPassword);
  expect(testBed.workspace.directMessages(ada.id).filter((message) => hasButton(message, showPassword))).toEqual([]);
});

describe('after an approval, the button goes', () => {
  async function approveTrainer(testBed: TestBed, requesterId: string, before: () => void = () => {}) {
    const { requests, review, decide } = approvalActions(testBed);
    await create(testBed, requesterId, 'ines@quiz.example', { user_type: 'trainer', reason: 'Our new colleague' });
    const request = await testBed.workspace.until(() => requests()[0]);
    const view = await review(ada.id, request);
    before();
    return { request, end: await decide(ada.id, view) };
  }

  test('to the requester in a direct message, and what the approver sees has none', async () => {
    const testBed = await startApprovalsTestBed();
    const { request, end } = await approveTrainer(testBed, uma.id);
    const offer = await offerTo(testBed, uma.id);
    expect(textOf(offer)).toContain('approved:');
    expect(end + textOf(request)).not.toContain(showPassword);
    expect(testBed.workspace.directMessages(ada.id).filter((message) => hasButton(message, showPassword))).toEqual([]);
    expect(await signsIn(testBed, 'ines@quiz.example', passwordIn(await press(testBed, uma.id, offer)))).toBe(true);
  });

  test('to the approver where the requester does not manage users', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, approve, directMessageWith } = approvalActions(testBed);
    await create(testBed, nora.id, 'ines@quiz.example', { reason: 'She starts on Monday' });
    const request = await testBed.workspace.until(() => requests()[0]);
    await approve(ada.id, request);
    expect(await directMessageWith(nora.id, 'approved:')).not.toContain(showPassword);
    expect(
      await signsIn(
        testBed,
        'ines@quiz.example',
        passwordIn(await press(testBed, ada.id, await offerTo(testBed, ada.id))),
      ),
    ).toBe(true);
  });

  test('to the requester for a day: after that, or with the right gone, the button refuses', async () => {
    let now = Date.now();
    const testBed = await startApprovalsTestBed({ now: () => now, workspace: { now: () => now } });
    await approveTrainer(testBed, uma.id);
    const offer = await offerTo(testBed, uma.id);
    const sets = () => requestsAbout(testBed, /^POST \/api\/v1\/users\/[^/]+ password=/);
    now += 24 * 3_600_000;
    expect(await press(testBed, uma.id, offer)).toContain('it needs approval');
    testBed.quizService.database.run("UPDATE users SET manage_users = 0 WHERE user_name = 'uma@quiz.example'");
    expect(await press(testBed, uma.id, offer)).toContain('You can’t manage users.');
    expect(sets()).toEqual([]);
  });
});

describe('Show password', () => {
  test('sets nothing where its modal does not open, and the answer has the button again', async () => {
    const testBed = await startTestBed();
    await create(testBed, ada.id, 'ines@quiz.example');
    const offer = await offerTo(testBed, ada.id);
    testBed.workspace.faults.inject(
      { kind: 'api-error', error: 'expired_trigger_id' },
      { method: 'views.open', times: 1 },
    );
    await testBed.workspace.as(ada.id).click({ channel: offer.channel, ts: offer.ts }, showPassword);
    const sorry = await testBed.workspace.until(() =>
      testBed.workspace.ephemerals(ada.id).find((message) => hasButton(message, showPassword)),
    );
    expect(requestsAbout(testBed, /^POST \/api\/v1\/users\/[^/]+ password=/)).toEqual([]);
    expect(await signsIn(testBed, 'ines@quiz.example', passwordIn(await press(testBed, ada.id, sorry)))).toBe(true);
  });
});

describe('/quiz-user reset-password', () => {
  test('ends the old password at once, and offers the new one', async () => {
    const testBed = await startTestBed();
    const before = user(testBed, 'rosa@quiz.example')!.password_hash;
    await testBed.workspace.as(uma.id).command('/quiz-user reset-password rosa almeida');
    const answer = await testBed.workspace.until(() =>
      testBed.workspace
        .ephemerals(uma.id)
        .find((message) => textOf(message).includes('Reset *Rosa Almeida*’s password.')),
    );
    expect(hasButton(answer, showPassword)).toBe(true);
    expect(user(testBed, 'rosa@quiz.example')!.password_hash).not.toBe(before);
    expect(
      await signsIn(
        testBed,
        'rosa@quiz.example',
        passwordIn(await press(testBed, uma.id, await offerTo(testBed, uma.id))),
      ),
    ).toBe(true);
  });

  test('of an administrator shows one password for one approval, and the same one for ten minutes', async () => {
    let now = Date.now();
    const testBed = await startApprovalsTestBed({ now: () => now, workspace: { now: () => now } });
    testBed.quizService.database.run(
      "UPDATE users SET user_type = 'administrator' WHERE user_name = 'rosa@quiz.example'",
    );
    const { ask, approve } = approvalActions(testBed);
    await approve(ada.id, await ask(uma.id, '/quiz-user reset-password rosa almeida --reason "She forgot it"'));
    const offer = await offerTo(testBed, uma.id);
    const first = passwordIn(await press(testBed, uma.id, offer));
    expect(await signsIn(testBed, 'rosa@quiz.example', first)).toBe(true);
    now += 9 * 60_000;
    expect(passwordIn(await press(testBed, uma.id, offer))).toBe(first);
    now += 60_000;
    expect(await press(testBed, uma.id, offer)).toContain('it needs approval');
    expect(await signsIn(testBed, 'rosa@quiz.example', first)).toBe(true);
  });
});
