import { describe, expect, test } from 'vitest';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import type { View } from '../../src/sandbox/workspace/model.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada } = people;
const start = () => startTestBed({ env: { ALERTS_CHANNEL: '', AUDIT_CHANNEL: channels.leads.id } });
const twenty = [
  'Nachname;Vorname;E-Mail;Gruppe',
  ...Array.from({ length: 20 }, (_, at) => `Muster${at};Anna;anna${at}@quiz.example;${at === 0 ? 'Kitchen' : ''}`),
  '',
].join('\r\n');
const unknown = 'Familie;Rufzeichen;Elektropost\nMarques;Ines;ines@quiz.example\nBerg;Karl;karl@quiz.example\n';

const lastView = ({ workspace }: TestBed, personId: string) => workspace.views(personId).at(-1) as View;
const usersLike = ({ quizService }: TestBed, pattern: string) =>
  quizService.database.all<{ user_name: string; first_name: string; last_name: string }>(
    'SELECT user_name, first_name, last_name FROM users WHERE user_name LIKE ? ORDER BY user_name',
    [pattern],
  );
const shows = async (testBed: TestBed, text: string): Promise<View> =>
  testBed.workspace.until(() => {
    const view = lastView(testBed, ada.id);
    return textOf(view ?? {}).includes(text) ? view : undefined;
  });
const formOf = async ({ workspace }: TestBed, personId: string = ada.id) =>
  (await workspace.as(personId).command('/quiz-user import')).view();

describe('an import', () => {
  test('of twenty people with German titles takes a line, a file and two presses', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const form = await formOf(testBed);
    await workspace.as(ada.id).submit(form, { file: [{ name: 'neue.csv', content: twenty }] });
    const preview = await shows(testBed, '*20 users* would be created');
    await workspace.as(ada.id).click({ view: preview }, 'choose:run-batch');
    await workspace.until(() => usersLike(testBed, 'anna%').length > 0);
    expect(usersLike(testBed, 'anna0@%')).toEqual([
      { user_name: 'anna0@quiz.example', first_name: 'Anna', last_name: 'Muster0' },
    ]);
  });

  test('counts the same in its title, its progress and the record', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const content =
      'Nachname;Vorname;E-Mail\nMarques;Ines;ines@quiz.example\nMustermann;Max;max(at)quiz.example\nAlmeida;Rosa;rosa@quiz.example\nBerg;Karl;karl@quiz.example\n';
    await workspace.as(ada.id).submit(await formOf(testBed), { file: [{ name: 'neue.csv', content }] });
    const preview = await shows(testBed, '*2 users* would be created');
    expect(textOf(preview)).toContain('Line 3, Max Mustermann: “max(at)quiz.example” isn’t an e-mail address.');
    await workspace.as(ada.id).click({ view: preview }, 'choose:run-batch');
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

  test('of twenty people whose file is sent to the bot takes two presses', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    await (await workspace.as(ada.id).command('/quiz-user import from #training')).reply();
    const conversation = workspace.directMessages(ada.id)[0]?.channel ?? '';
    await workspace.as(ada.id).say(conversation, '', { files: [{ name: 'neue.csv', content: twenty }] });
    const inConversation = async (text: string) =>
      workspace.until(() => workspace.directMessages(ada.id).findLast((message) => textOf(message).includes(text)));
    const offer = await inConversation('Import users from *neue.csv*?');
    await workspace.as(ada.id).click({ channel: conversation, ts: offer.ts }, 'choose:import-users');
    const preview = await inConversation('*20 users* would be created');
    await workspace.as(ada.id).click({ channel: conversation, ts: preview.ts }, 'choose:run-batch');
    await workspace.until(() => usersLike(testBed, 'anna%').length > 0);
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
    const content =
      'Familie;Email;Email\nMarques;ines@home.example;ines@quiz.example\nBerg;karl@home.example;karl@quiz.example\n';
    await workspace.as(ada.id).submit(await formOf(testBed), { file: [{ name: 'neue.csv', content }] });
    const asked = await shows(testBed, 'What do the columns of *neue.csv* hold?');
    expect(textOf(asked)).toMatch(/Email \(column B\).*Such as ines@home.*Email \(column C\).*Such as ines@quiz/s);
  });

  test('asks for columns again on a press, and shows a closed preview again', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    const content = 'Name,E-mail,Kürzel\nInes Marques,ines@quiz.example,IM\n';
    await workspace.as(ada.id).submit(await formOf(testBed), { file: [{ name: 'neue.csv', content }] });
    const preview = await shows(testBed, '*1 user* would be created');
    await workspace.as(ada.id).click({ view: preview }, 'form:import-users-2');
    const asked = await shows(testBed, 'Say what each column holds.');
    await workspace.as(ada.id).submit(asked, { 'columns 2': '2=user_name' });
    const changed = await shows(testBed, '*1 user* would be created');
    await workspace.as(ada.id).close(changed);

    const again = await formOf(testBed);
    expect(textOf(again)).toMatch(/Create 1 user from \*neue\.csv\*.*not started/s);
    await workspace.as(ada.id).click({ view: again }, 'choose:reopen-preview');
    const reopened = await shows(testBed, 'Nothing has changed yet');
    await workspace.as(ada.id).click({ view: reopened }, 'choose:run-batch');
    await workspace.until(() => usersLike(testBed, 'IM').length === 1);
    expect(textOf(await formOf(testBed))).not.toContain('not started');
  });

  test('mails the passwords on a press in the preview', async () => {
    const testBed = await start();
    const { workspace } = testBed;
    await workspace.as(ada.id).submit(await formOf(testBed), {
      file: [{ name: 'neue.csv', content: 'Name,E-mail\nInes Marques,ines@elsewhere.example\n' }],
    });
    const preview = await shows(testBed, '*1 user* would be created');
    await workspace.as(ada.id).click({ view: preview }, 'choose:import-users');
    const mailed = await shows(testBed, 'The quiz service e-mails');
    expect(JSON.stringify(mailed.blocks)).not.toContain('choose:import-users');
    await workspace.as(ada.id).click({ view: mailed }, 'choose:run-batch');
    await workspace.until(() => usersLike(testBed, 'ines@elsewhere%').length === 1);
    await workspace.until(() => testBed.requests.some((line) => line.includes('send_welcome_email=true')));
  });
});

describe('passwords to print', () => {
  const offline = 'Name,User name\nIngo Ohne,ingo\nOlga Ohne,olga\n';

  async function imported() {
    const testBed = await start();
    const { workspace } = testBed;
    await workspace.as(ada.id).submit(await formOf(testBed), { file: [{ name: 'schicht.csv', content: offline }] });
    await workspace.as(ada.id).click({ view: await shows(testBed, '*2 users* would be created') }, 'choose:run-batch');
    const progress = await workspace.until(() =>
      workspace
        .directMessages(ada.id)
        .find((message) => /couldn’t message 2 new users.*Finished/s.test(textOf(message))),
    );
    return { testBed, workspace, progress };
  }

  test('are shown once to the person who imported, and each is on the record', async () => {
    const { testBed, workspace, progress } = await imported();
    const at = { channel: progress.channel, ts: progress.ts };
    const list = await (await workspace.as(ada.id).click(at, 'print-passwords')).view();
    const shown = await workspace.until(() => {
      const view = lastView(testBed, ada.id);
      return textOf(view ?? list).includes('olga ') ? view : undefined;
    });
    const block = shown.blocks.find(({ type }) => type === 'rich_text');
    expect(block).toMatchObject({
      elements: [
        {
          type: 'rich_text_preformatted',
          elements: [{ type: 'text', text: expect.stringMatching(/^ingo \w{16}\nolga \w{16}$/) }],
        },
      ],
    });
    const [, secret = ''] = /ingo (\w{16})/.exec(JSON.stringify(block))!;
    const record = await workspace.until(() => {
      const texts = workspace.messages(channels.leads.id).map((message) => textOf(message));
      // The channel can have both entries in one post.
      const ofPasswords = texts.filter((text) => /password/i.test(text)).join('\n');
      return ofPasswords.includes('Ingo') && ofPasswords.includes('Olga') ? texts : undefined;
    });
    const seen = JSON.stringify([record, testBed.lines, workspace.directMessages(ada.id)]);
    expect(seen).not.toContain(secret);
    await workspace.until(
      () =>
        !workspace.directMessages(ada.id).some((message) => textOf(message).includes('couldn’t message 2 new users')),
    );
  });
});
