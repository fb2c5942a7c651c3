import { describe, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { isPassword } from '../../src/sandbox/quiz-service/account.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import type { View } from '../../src/sandbox/workspace/model.ts';
import { approvalActions, hasButton } from '../support/approvals.ts';
import { textOfSent } from '../support/csv-of.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, tom, uma, zoe } = people;
const content =
  'E-mail;First name;Last name;Groups\r\nines@quiz.example;Ines;Marques;Kitchen\r\nrosa@quiz.example;Rosa;Almeida;\r\nnot an address;Ann;Bo;\r\n';
const file = { name: 'new-hires.csv', content };

const leadsChannelId = channels.leads.id;
const start = () => startTestBed({ env: { ALERTS_CHANNEL: '', AUDIT_CHANNEL: leadsChannelId } });
const usersNamed = ({ quizService }: TestBed, userName: string) =>
  quizService.database.all<{ user_id: string }>('SELECT user_id FROM users WHERE user_name = ?', [userName]);
const signsIn = async ({ quizService }: TestBed, userName: string, password: string) =>
  isPassword(
    password,
    quizService.database.get<{ password_hash: string }>('SELECT password_hash FROM users WHERE user_name = ?', [
      userName,
    ])?.password_hash,
  );
const lastView = ({ workspace }: TestBed, personId: string) => workspace.views(personId).at(-1) as View;

const unknown = 'Familie;Rufzeichen;Elektropost\nMarques;Ines;ines@quiz.example\nBerg;Karl;karl@quiz.example\n';
const formOf = async ({ workspace }: TestBed) => (await workspace.as(ada.id).command('/quiz-user import')).view();
const shows = async (testBed: TestBed, text: string): Promise<View> =>
  testBed.workspace.until(() => {
    const view = lastView(testBed, ada.id);
    return textOf(view ?? {}).includes(text) ? view : undefined;
  });

/** The preview, in the modal of the form. */
async function preview(
  testBed: TestBed,
  form: View,
  values: Parameters<ReturnType<TestBed['workspace']['as']>['submit']>[1],
): Promise<View> {
  const { workspace } = testBed;
  expect((await workspace.as(ada.id).submit(form, values)).errors).toBeUndefined();
  return shows(testBed, 'Nothing has changed yet');
}

const filesFor = async ({ workspace }: TestBed, personId: string) => {
  const files = workspace
    .directMessages(personId)
    .flatMap((message) => message.files ?? [])
    .filter(({ user }) => user !== personId);
  return Promise.all(files.map(({ url }) => textOfSent(url)));
};

describe('an import', () => {
  test('of a file is previewed, started, and gives back the file with what became of each row', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const form = await formOf(testBed);
    const shown = await preview(testBed, form, { file: [file] });
    expect(textOf(shown)).toMatch(
      /\*1 user\* would be created.+\*1 person\* is already a user.+\*1 row\* has a mistake.+Line 4, Ann Bo: “not an address” isn’t an e-mail address\./s,
    );
    expect(usersNamed(testBed, 'ines@quiz.example')).toEqual([]);
    expect(textOf(shown)).toContain('would be created · *Ines Marques*');
    expect(await filesFor(testBed, ada.id)).toEqual([]);

    await workspace.as(ada.id).click({ view: shown }, 'choose:run-batch');
    await workspace.until(() => usersNamed(testBed, 'ines@quiz.example').length === 1);
    const progress = await workspace.until(() =>
      workspace
        .directMessages(ada.id)
        .find((message) => textOf(message).includes('The bot couldn’t message 1 new user')),
    );
    expect(textOf(progress)).toMatch(/Finished.*new-hires\.csv|new-hires\.csv.*Finished/s);
    await workspace.as(ada.id).click({ channel: progress.channel, ts: progress.ts }, 'ask:batch-result');
    await workspace.until(() =>
      workspace.directMessages(ada.id).some(({ files = [] }) => files.some(({ name }) => name === 'Result.xlsx')),
    );
    const result = (await filesFor(testBed, ada.id)).at(-1) ?? '';
    const [{ user_id: userId } = { user_id: '' }] = usersNamed(testBed, 'ines@quiz.example');
    expect(result.split('\r\n')).toEqual([
      'E-mail,First name,Last name,Groups,outcome,user_id,error',
      `ines@quiz.example,Ines,Marques,Kitchen,created,${userId},"The bot couldn’t message them, so they have no password yet. /quiz-user reset-password sets one."`,
      expect.stringMatching(/^rosa@quiz\.example,Rosa,Almeida,,unchanged,[\w-]+,$/),
      'not an address,Ann,Bo,,failed,,“not an address” isn’t an e-mail address.',
      '',
    ]);
    // The addresses reach nobody but the person who imports, and no log.
    const seen = [testBed.lines, ...Object.values(workspace.channels).map(({ id }) => workspace.messages(id))];
    expect(JSON.stringify(seen)).not.toMatch(/ines@|not an address/);
  });

  test('gives a new user who is in Slack their own password', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    expect(usersNamed(testBed, 'zoe@quiz.example')).toEqual([]);
    const shown = await preview(testBed, await formOf(testBed), {
      file: [{ name: 'zoe.csv', content: 'E-mail,Name\nzoe@quiz.example,Zoe Park\n' }],
    });
    await workspace.as(ada.id).click({ view: shown }, 'choose:run-batch');
    const offer = await workspace.until(() =>
      workspace.directMessages(zoe.id).find((message) => textOf(message).includes('created a user for you')),
    );
    await workspace.as(zoe.id).click({ channel: offer.channel, ts: offer.ts }, 'show-password');
    await workspace.until(() =>
      textOf(lastView(testBed, zoe.id)).includes('signs in as `zoe@quiz.example` with this password'),
    );
  });

  test('has passwords to print for users who are not in Slack, the same list until they are printed', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const two = 'E-mail,Name\nnils@elsewhere.example,Nils Bohr\ninga@elsewhere.example,Inga Lund\n';
    const shown = await preview(testBed, await formOf(testBed), {
      file: [{ name: 'two.csv', content: two }],
    });
    await workspace.as(ada.id).click({ view: shown }, 'choose:run-batch');
    const { channel, ts } = await workspace.until(() =>
      workspace.directMessages(ada.id).find((message) => hasButton(message, 'print-passwords')),
    );
    const listed = async (on: Parameters<ReturnType<typeof workspace.as>['click']>[0], action: string) => {
      const { id } = await (await workspace.as(ada.id).click(on, action)).view();
      return workspace.until(() =>
        workspace.views(ada.id).find((view) => view.id === id && !textOf(view).includes('Setting a new password')),
      );
    };
    const list = await listed({ channel, ts }, 'print-passwords');
    const passwords = [...textOf(list).matchAll(/((?:nils|inga)@elsewhere\.example)\s+([A-Za-z2-9]{16})/g)];
    expect(passwords.map(([, name]) => name)).toEqual(['nils@elsewhere.example', 'inga@elsewhere.example']);
    for (const [, name, password] of passwords) expect(await signsIn(testBed, name!, password!)).toBe(true);

    const again = await listed({ channel, ts }, 'print-passwords');
    for (const [row] of passwords) expect(textOf(again)).toContain(row);
    expect(textOf(await listed({ view: again }, 'passwords-printed'))).toContain(
      'The bot no longer has these passwords.',
    );
    const messages = JSON.stringify([workspace.directMessages(ada.id), testBed.lines]);
    for (const [, , password] of passwords) expect(messages).not.toContain(password);
  });

  test('takes the file of a message, and leaves what is entered when it is changed', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const message = await workspace.as(ada.id).say(workspace.channels.training.id, 'Our new people', { files: [file] });
    const form = await (
      await workspace.as(ada.id).messageShortcut('import-message', message.channel, message.ts)
    ).view();
    const shown = await preview(testBed, form, { user_type: 'trainer' });
    expect(textOf(shown)).toContain('*Ines Marques* would be a trainer or administrator.');
    await workspace.as(ada.id).click({ view: shown }, 'form:import-users-3');
    const again = await workspace.until(() =>
      workspace.views(ada.id).find(({ blocks }) => JSON.stringify(blocks).includes('"initial_option"')),
    );
    expect(JSON.stringify(again.blocks)).toContain('new-hires.csv');
    expect(JSON.stringify(again.blocks)).toMatch(/"initial_option":\{[^}]+\}?[^}]*Trainer/);
  });

  test('takes a workbook that a person sends to the bot, and says of other files that it can’t read them', async () => {
    const { workspace } = await start();
    await (await workspace.as(ada.id).command('/quiz-user import from #training')).reply();
    const conversation = workspace.directMessages(ada.id)[0]?.channel ?? '';
    const said = async (name: string, bytes: string | Buffer, part: string) => {
      await workspace.as(ada.id).say(conversation, '', { files: [{ name, content: bytes }] });
      return workspace.until(() => workspace.directMessages(ada.id).find((message) => textOf(message).includes(part)));
    };
    const cells = [
      ['E-mail', 'First name', 'Last name'],
      ['ines@quiz.example', 'Ines', 'Marques'],
    ];
    const offer = await said('staff.xlsx', await writeWorkbook(cells).toBuffer(), 'Import users from *staff.xlsx*?');
    await workspace.as(ada.id).click({ channel: conversation, ts: offer.ts }, 'choose:import-users');
    await workspace.until(() =>
      workspace.directMessages(ada.id).find((message) => textOf(message).includes('*1 user* would be created')),
    );
    const lists = ['a.csv', 'b.csv'].map((name, index) => ({
      name,
      content: `E-mail,First name,Last name\nnew${index}@quiz.example,New,Person${index}\n`,
    }));
    await workspace.as(ada.id).say(conversation, '', { files: lists });
    const which = await workspace.until(() =>
      workspace.directMessages(ada.id).find((message) => textOf(message).includes('This message has 2 lists.')),
    );
    expect(textOf(which)).toMatch(/\*a\.csv\*.*\*b\.csv\*/s);
    await said('plan.pdf', '%PDF-1.7', '*plan.pdf* is a PDF, which the bot can’t read.');
    const beside = [
      { name: 'plan.pdf', content: '%PDF-1.7' },
      { ...lists[0]!, name: 'c.csv' },
    ];
    await workspace.as(ada.id).say(conversation, 'Our new people', { files: beside });
    await workspace.until(() =>
      workspace.directMessages(ada.id).find((message) => textOf(message).includes('Import users from *c.csv*?')),
    );
    await said('notes.rtf', '# Notes', 'The bot can’t read *notes.rtf*.');
  });

  test('that makes a trainer is reviewed with its privileged rows, every row, and what has changed since', async () => {
    const testBed = await startTestBed({
      env: { ALERTS_CHANNEL: '', APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
    });
    const { workspace } = testBed;
    const { review, decide } = approvalActions(testBed);
    const form = await (await workspace.as(uma.id).command('/quiz-user import')).view();
    await workspace.as(uma.id).submit(form, {
      file: [
        {
          name: 'team.csv',
          content: 'E-mail,Name,Type\nines@quiz.example,Ines Marques,Trainer\nkarl@quiz.example,Karl Berg,\n',
        },
      ],
    });
    const shown = await workspace.until(() =>
      workspace.views(uma.id).find((view) => textOf(view).includes('Nothing has changed yet')),
    );
    expect(textOf(shown)).toContain('Someone else has to approve this.');
    const asking = await (await workspace.as(uma.id).click({ view: shown }, 'form:run-batch')).view();
    expect((await workspace.as(uma.id).submit(asking, { reason: 'New team' })).errors).toBeUndefined();
    const request = await workspace.until(() => approvalActions(testBed).requests()[0]);
    expect(textOf(request)).toContain('asks to create 2 users from *team.csv*');
    expect(textOf(request)).toContain(
      'The bot would make 2 changes, one after the other. 1 of them gives someone rights or changes an existing user.',
    );
    expect(textOf(request)).not.toContain('@quiz.example');

    await (await workspace.as(ada.id).command('/quiz-user create karl@quiz.example Karl Other as respondent')).reply();
    await workspace.until(() => usersNamed(testBed, 'karl@quiz.example').length === 1);
    const before = testBed.requests.length;
    const view = await review(ada.id, request);
    expect(textOf(view)).toContain('🛡️ *Ines Marques*: new trainer');
    expect(textOf(view)).toContain('*Karl Berg* wouldn’t be created: another user has the address now.');
    expect(
      testBed.requests.slice(before).filter((line) => !/ \/api\/v1\/(users|groups|quizzes)\??$/.test(line)),
    ).toEqual([]);
    const all = await (await workspace.as(ada.id).click({ view }, 'modal:show-plan')).view();
    await workspace.until(() =>
      textOf(lastView(testBed, ada.id)).includes('Ines Marques (ines@quiz.example) · new trainer'),
    );
    expect(textOf(lastView(testBed, ada.id))).toContain('Karl Berg (karl@quiz.example) · new respondent');
    await workspace.as(ada.id).close(all);
    expect(await decide(ada.id, view)).toContain('Started to create 2 users');
    await workspace.until(() => usersNamed(testBed, 'ines@quiz.example').length === 1);
    expect(usersNamed(testBed, 'karl@quiz.example')).toHaveLength(1);
  });

  test('says what has changed since its preview before it starts', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const shown = await preview(testBed, await formOf(testBed), {
      file: [
        { name: 'karl.csv', content: 'E-mail,Name\nkarl@quiz.example,Karl Berg\nines@quiz.example,Ines Marques\n' },
      ],
    });
    await (await workspace.as(ada.id).command('/quiz-user create karl@quiz.example Karl Other as respondent')).reply();
    await workspace.until(() => usersNamed(testBed, 'karl@quiz.example').length === 1);
    await workspace.as(ada.id).click({ view: shown }, 'choose:run-batch');
    await workspace.until(() =>
      textOf(lastView(testBed, ada.id)).includes('*Karl Berg* wouldn’t be created: another user has the address now'),
    );
    expect(usersNamed(testBed, 'ines@quiz.example')).toEqual([]);
    await workspace.as(ada.id).click({ view: lastView(testBed, ada.id) }, 'choose:confirmed');
    await workspace.until(() => usersNamed(testBed, 'ines@quiz.example').length === 1);
  });

  test('counts the same in its title, its progress and the record', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const list =
      'Nachname;Vorname;E-Mail\nMarques;Ines;ines@quiz.example\nMustermann;Max;max(at)quiz.example\nAlmeida;Rosa;rosa@quiz.example\nBerg;Karl;karl@quiz.example\n';
    await workspace.as(ada.id).submit(await formOf(testBed), { file: [{ name: 'neue.csv', content: list }] });
    const shown = await shows(testBed, '*2 users* would be created');
    expect(textOf(shown)).toContain('Line 3, Max Mustermann: “max(at)quiz.example” isn’t an e-mail address.');
    await workspace.as(ada.id).click({ view: shown }, 'choose:run-batch');
    const counts = '2 of 2 created · 1 row has an error';
    const done = await workspace.until(() =>
      workspace.directMessages(ada.id).find((message) => textOf(message).includes(counts)),
    );
    expect(textOf(done)).toContain('Created 2 users from *neue.csv*');
    await workspace.until(() =>
      workspace
        .messages(channels.leads.id)
        .some((message) => textOf(message).includes('2 of 2 created, 1 row has an error')),
    );
  });

  test('counts a user as created whose group is gone by then', async () => {
    const testBed = await start();
    const { workspace, quizService } = testBed;
    const shown = await preview(testBed, await formOf(testBed), { file: [file] });
    quizService.database.run("DELETE FROM groups WHERE group_name = 'Kitchen'");
    await workspace.as(ada.id).click({ view: shown }, 'choose:run-batch');
    const done = await workspace.until(() =>
      workspace.directMessages(ada.id).find((message) => textOf(message).includes('Finished')),
    );
    expect(textOf(done)).toContain('1 of 1 created · 2 rows have errors');
    expect(usersNamed(testBed, 'ines@quiz.example')).toHaveLength(1);
  });

  test('of a file that is sent to the bot asks on the first press behind its answer', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    await (await workspace.as(ada.id).command('/quiz-user import from #training')).reply();
    const conversation = workspace.directMessages(ada.id)[0]?.channel ?? '';
    await workspace.as(ada.id).say(conversation, '', { files: [{ name: 'neue.csv', content: unknown }] });
    const inConversation = async (text: string) =>
      workspace.until(() => workspace.directMessages(ada.id).findLast((message) => textOf(message).includes(text)));
    const offer = await inConversation('Import users from *neue.csv*?');
    await workspace.as(ada.id).click({ channel: conversation, ts: offer.ts }, 'choose:import-users');
    const question = await inConversation('What do the columns of *neue.csv* hold?');
    const [, opens = ''] = /"action_id":"([^"]+)"/.exec(JSON.stringify(question.blocks)) ?? [];
    await workspace.as(ada.id).click({ channel: conversation, ts: question.ts }, opens);
    const asked = await shows(testBed, 'What do the columns of *neue.csv* hold?');
    await workspace.as(ada.id).submit(asked, { 'columns 0': '0=last_name', 'columns 1': '1=first_name' });
    await inConversation('*2 users* would be created');
  });

  test('asks for titles that it does not know in a form, and logs nothing of the file', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    await workspace.as(ada.id).submit(await formOf(testBed), { file: [{ name: 'neue.csv', content: unknown }] });
    const asked = await shows(testBed, 'What do the columns of *neue.csv* hold?');
    expect(textOf(asked)).toMatch(/Familie.*Such as Marques · Berg.*Rufzeichen.*Such as Ines · Karl.*Elektropost/s);
    await workspace
      .as(ada.id)
      .submit(asked, { 'columns 0': '0=last_name', 'columns 1': '1=first_name', 'columns 2': '2=email_address' });
    const shown = await shows(testBed, '*2 users* would be created');

    // The buttons of the preview keep what was said.
    await workspace.as(ada.id).click({ view: shown }, 'choose:import-users');
    const mailed = await shows(testBed, 'The quiz service e-mails');
    await workspace.as(ada.id).click({ view: mailed }, 'form:import-users');
    const again = await shows(testBed, 'Say what each column holds.');
    expect(JSON.stringify(again.blocks)).toMatch(
      /"initial_option":\{"value":"0=last_name".+"initial_option":\{"value":"1=first_name"/,
    );
    await workspace.as(ada.id).submit(again, {});
    await workspace
      .as(ada.id)
      .click({ view: await shows(testBed, '*2 users* would be created') }, 'form:import-users-2');
    expect(JSON.stringify(await shows(testBed, 'Type of new users'))).not.toContain('=last_name');

    expect(testBed.lines.join('\n')).not.toMatch(/Marques|ines@quiz/);
  });

  test('tells two columns of one name apart by their place', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const list =
      'Familie;Email;Email\nMarques;ines@home.example;ines@quiz.example\nBerg;karl@home.example;karl@quiz.example\n';
    await workspace.as(ada.id).submit(await formOf(testBed), { file: [{ name: 'neue.csv', content: list }] });
    const asked = await shows(testBed, 'What do the columns of *neue.csv* hold?');
    expect(textOf(asked)).toMatch(/Email \(column B\).*Such as ines@home.*Email \(column C\).*Such as ines@quiz/s);
  });

  test('asks for columns again on a press, and shows a closed preview again', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const list = 'Name,E-mail,Kürzel\nInes Marques,ines@quiz.example,IM\n';
    await workspace.as(ada.id).submit(await formOf(testBed), { file: [{ name: 'neue.csv', content: list }] });
    const shown = await shows(testBed, '*1 user* would be created');
    await workspace.as(ada.id).click({ view: shown }, 'form:import-users-2');
    const asked = await shows(testBed, 'Say what each column holds.');
    await workspace.as(ada.id).submit(asked, { 'columns 2': '2=user_name' });
    const changed = await shows(testBed, '*1 user* would be created');
    await workspace.as(ada.id).close(changed);

    const again = await formOf(testBed);
    expect(textOf(again)).toMatch(/Create 1 user from \*neue\.csv\*.*not started/s);
    await workspace.as(ada.id).click({ view: again }, 'choose:reopen-preview');
    const reopened = await shows(testBed, 'Nothing has changed yet');
    await workspace.as(ada.id).click({ view: reopened }, 'choose:run-batch');
    await workspace.until(() => usersNamed(testBed, 'IM').length === 1);
    expect(textOf(await formOf(testBed))).not.toContain('not started');
  });

  test('mails the passwords on a press in the preview', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    await workspace.as(ada.id).submit(await formOf(testBed), {
      file: [{ name: 'neue.csv', content: 'Name,E-mail\nInes Marques,ines@elsewhere.example\n' }],
    });
    const shown = await shows(testBed, '*1 user* would be created');
    await workspace.as(ada.id).click({ view: shown }, 'choose:import-users');
    const mailed = await shows(testBed, 'The quiz service e-mails');
    expect(JSON.stringify(mailed.blocks)).not.toContain('choose:import-users');
    await workspace.as(ada.id).click({ view: mailed }, 'choose:run-batch');
    await workspace.until(() => usersNamed(testBed, 'ines@elsewhere.example').length === 1);
    await workspace.until(() => testBed.requests.some((line) => line.includes('send_welcome_email=true')));
  });
});
