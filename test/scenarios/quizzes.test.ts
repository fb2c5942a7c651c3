import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const { ada, erin, nora, rosa, sam, lena, zoe } = people;

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
  test('offers the matches of an ambiguous name and runs the chosen one', async () => {
    const { workspace } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const question = await (await trainer.command('/quiz show a')).reply();
    expect(textOf(question)).toContain('matches');
    const answer = await trainer.click({ channel: question.channel, ts: question.ts }, 'choose:show-quiz-1');
    expect(answer.error).toBeUndefined();
    await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('*Groups*'));
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
  });

  test('opens a form when the quiz is missing', async () => {
    const { workspace } = await startTestBed();
    const form = await (await workspace.as(erin.id).command('/quiz open')).view();
    expect(form.callback_id).toBe('open-quiz');
  });

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

  test('help shows each person their own commands', async () => {
    const { workspace } = await startTestBed();
    expect(textOf(await (await workspace.as(erin.id).command('/quiz help')).reply())).toContain('/quiz close');
    expect(textOf(await (await workspace.as(rosa.id).command('/quiz help')).reply())).not.toContain('/quiz close');
    expect(textOf(await (await workspace.as(nora.id).command('/quiz wobble x')).reply())).toContain(
      'There’s no `/quiz wobble`. Here’s what you can do:',
    );
  });

  test.each([
    ['a respondent', rosa, 'Only trainers can work with quizzes.'],
    ['a suspended trainer', sam, 'suspended'],
    ['a guest', lena, 'Guests'],
    ['a person without a quiz user', zoe, 'your Slack e-mail address'],
  ])('refuses %s by command and by shortcut, with the reason, and changes nothing', async (_, person, why) => {
    const { workspace, quizService } = await startTestBed();
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
    const { workspace } = await startTestBed();
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
  test('is shown with their results to people who manage users', async () => {
    const { workspace } = await startTestBed();
    const message = await workspace.as(rosa.id).say(workspace.channels.training.id, 'I have finished the quiz');
    const outcome = await workspace.as(ada.id).messageShortcut('find-in-quiz', message.channel, message.ts);
    await outcome.view();
    await workspace.until(() => textOf(workspace.views(ada.id).at(-1)).includes('*Rosa Almeida*'));
  });

  test('is not shown to people who cannot see users', async () => {
    const { workspace } = await startTestBed();
    const message = await workspace.as(rosa.id).say(workspace.channels.training.id, 'I have finished the quiz');
    await (await workspace.as(erin.id).messageShortcut('find-in-quiz', message.channel, message.ts)).view();
    await workspace.until(() => textOf(workspace.views(erin.id).at(-1)).includes('You can’t manage users.'));
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

test('an unknown name offers the nearest match, which runs with one click', async () => {
  const { workspace, requests } = await startTestBed();
  const question = await (await workspace.as(erin.id).command('/quiz close worksplace saftey basics')).reply();
  expect(textOf(question)).toContain('Did you mean');
  await workspace.as(erin.id).click({ channel: question.channel, ts: question.ts }, 'choose:close-quiz');
  await workspace.until(() =>
    textOf(workspace.ephemerals(erin.id).at(-1)).includes('Closed *Workplace safety basics*'),
  );
  expect(requests.filter((request) => request.endsWith('status=closed'))).toHaveLength(1);
});

test('a quiz for everyone is asked about first, with how many people that are', async () => {
  const { workspace, requests } = await startTestBed();
  const question = await (await workspace.as(ada.id).command('/quiz assign workplace to everyone')).reply();
  expect(textOf(question)).toMatch(
    /Assign \*Workplace safety basics\* to \d+ people. Nothing happens until you start it/,
  );
  expect(requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
});
