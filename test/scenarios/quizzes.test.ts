import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { shareTestBed, startTestBed, textOf } from '../support/test-bed.ts';

const { ada, erin, rosa, sam, lena, zoe } = people;
/** For what changes nothing. */
const openBed = shareTestBed();

describe.each(['http', 'socket'] as const)('over %s', (mode) => {
  test('an administrator lists every quiz, a respondent only the assigned ones', async () => {
    const { workspace } = await startTestBed({ mode });
    const all = textOf(await (await workspace.as(ada.id).command('/quiz list')).reply());
    const own = textOf(await (await workspace.as(rosa.id).command('/quiz list')).reply());
    const count = (text: string) => Number(/\*(\d+) quiz/.exec(text)?.[1]);
    expect(count(all)).toBeGreaterThan(count(own));
    expect(count(own)).toBeGreaterThan(0);
    expect(all).toContain('in design');
  });

  test('a trainer closes a quiz from the form of the shortcut', async () => {
    const { workspace, quizService } = await startTestBed({ mode });
    const trainer = workspace.as(erin.id);
    const form = await (await trainer.shortcut('close-quiz')).view();
    expect(form).toMatchObject({ callback_id: 'close-quiz', title: { text: 'Close quiz' } });
    const { options } = await trainer.options(form, 'quiz', '');
    expect(options.length).toBeGreaterThan(0);
    const [chosen] = options;
    const { errors, view } = await trainer.submit(form, { quiz: chosen!.value });
    expect(errors).toBeUndefined();
    expect(textOf(view)).toContain('Nobody can take it until you open it again.');
    const status = quizService.database.get<{ status: string }>('SELECT status FROM quizzes WHERE quiz_id = ?', [
      chosen!.value,
    ]);
    expect(status).toMatchObject({ status: 'closed' });
  });
});

describe('/quiz', () => {
  test('shows the name <!channel> & <https://x|y> in list, picker and form, and notifies nobody', async () => {
    const { workspace } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const list = textOf(await (await trainer.command('/quiz list')).reply());
    expect(list).toContain('&lt;!channel&gt; &amp; &lt;https://x|y&gt;');
    expect(list).not.toContain('<!channel>');
    const form = await (await trainer.command('/quiz close')).view();
    const { options } = await trainer.options(form, 'quiz', '!chan');
    expect(options.map(({ text }) => text)).toEqual([
      expect.objectContaining({ type: 'plain_text', text: '<!channel> & <https://x|y>' }),
    ]);
    const { view } = await trainer.submit(form, { quiz: options[0]!.value });
    expect(textOf(view)).toContain('&lt;!channel&gt;');
    expect(textOf(view)).not.toContain('<!channel>');
  });

  test.each([
    ['a respondent', rosa, 'Only trainers can work with quizzes.'],
    ['a suspended trainer', sam, 'suspended'],
    ['a guest', lena, 'Guests'],
    ['a person without a quiz user', zoe, 'your Slack e-mail address'],
  ])('refuses %s by command and by shortcut, with the reason, and changes nothing', async (_, person, why) => {
    const { workspace, quizService } = await openBed();
    const before = quizService.database.all('SELECT quiz_id, status FROM quizzes');
    const actor = workspace.as(person.id);
    expect(textOf(await (await actor.command('/quiz close fire')).reply())).toContain(why);
    const view = await (await actor.shortcut('close-quiz')).view();
    await workspace.until(() => textOf(workspace.views(person.id).at(-1)).includes(why));
    expect(view.submit).toBeUndefined();
    expect(quizService.database.all('SELECT quiz_id, status FROM quizzes')).toEqual(before);
  });

  test('checks rights again when a form is submitted', async () => {
    const { workspace, quizService } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const form = await (await trainer.shortcut('close-quiz')).view();
    const { options } = await trainer.options(form, 'quiz', '');
    quizService.database.run("UPDATE users SET edit_quizzes = 0 WHERE user_name = 'erin@quiz.example'");
    await trainer.submit(form, { quiz: options[0]!.value });
    const asking = await workspace.until(() =>
      workspace.views(erin.id).find((view) => view.submit?.text === 'Request approval'),
    );
    expect(textOf(asking)).toContain('This needs approval');
    expect(
      quizService.database.get('SELECT status FROM quizzes WHERE quiz_id = ?', [options[0]!.value]),
    ).not.toMatchObject({ status: 'closed' });
  });

  test('shows an error of the quiz service under the field and keeps the values of the form', async () => {
    const { workspace, quizService } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const form = await (await trainer.shortcut('close-quiz')).view();
    const { options } = await trainer.options(form, 'quiz', '');
    quizService.database.run('DELETE FROM quizzes WHERE quiz_id = ?', [options[0]!.value]);
    const { errors, view } = await trainer.submit(form, { quiz: options[0]!.value });
    expect(errors).toEqual({ quiz: expect.stringContaining('This is no longer in the quiz service.') });
    expect(view).toBeUndefined();
  });

  test('says below the field that was filled with spaces alone that it lacks something', async () => {
    const { workspace } = await openBed();
    const trainer = workspace.as(erin.id);
    const form = await (await trainer.command('/quiz rename workplace')).view();
    expect((await trainer.submit(form, { name: '   ' })).errors).toEqual({ name: 'Fill this in.' });
  });

  test('opens the form and accepts it in time while the quiz service is slow', async () => {
    const { workspace, quizService } = await startTestBed();
    const trainer = workspace.as(erin.id);
    await (await trainer.command('/quiz list')).reply();
    quizService.setLatency(1_800);
    const form = await (await trainer.shortcut('close-quiz')).view();
    const { options } = await trainer.options(form, 'quiz', '');
    const submission = await trainer.submit(form, { quiz: options[0]!.value });
    expect(textOf(submission.view)).toContain('Asking the quiz service');
    await workspace.until(() => textOf(workspace.views(erin.id).at(-1)).includes('Closed *'));
  });
});

describe('a person on the shortcut “Find in quiz account”', () => {
  test('is shown with their results to people who manage users, and to nobody else', async () => {
    const { workspace } = await openBed();
    const message = await workspace.as(rosa.id).say(workspace.channels.training.id, 'I have finished the quiz');
    for (const [person, shown] of [
      [ada, '*Rosa Almeida*'],
      [erin, 'You can’t manage users.'],
    ] as const) {
      await (await workspace.as(person.id).messageShortcut('find-in-quiz', message.channel, message.ts)).view();
      await workspace.until(() => textOf(workspace.views(person.id).at(-1)).includes(shown));
    }
  });
});

test('a person of another workspace is a stranger, whatever their e-mail address', async () => {
  const { workspace } = await startTestBed();
  workspace.setPerson({ ...zoe, email: ada.email, teamId: 'T0ELSEWHERE' });
  expect(textOf(await (await workspace.as(zoe.id).command('/quiz list')).reply())).toContain('another workspace');
});

test('a person who manages users can name them by e-mail address, everybody by mention, and an unknown one gets an error under the field', async () => {
  const { workspace } = await startTestBed();
  const erinActs = workspace.as(erin.id);
  const byAddress = '/quiz assign data protection to samuel.adeyemi@quiz.example';
  expect(textOf(await (await erinActs.command(byAddress)).reply())).toContain('No user or group is called');
  expect(textOf(await (await workspace.as(ada.id).command(byAddress)).reply())).toContain(
    'Assigned *Data protection refresher* to *Samuel Adeyemi*.',
  );
  expect(textOf(await (await erinActs.command('/quiz assign data protection to @ravi')).reply())).toContain(
    'Assigned *Data protection refresher* to *Ravi Banerjee*.',
  );
  expect(textOf(await (await erinActs.command('/quiz assign data protection to @zoe')).reply())).toContain(
    '*@zoe* isn’t a user of the quiz account that you can see.',
  );
});
