import { describe, expect, test } from 'vitest';
import type { Message, View } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, startApprovalsTestBed } from '../support/approvals.ts';
import { actionIdOf, commandReply, fileSentTo, locationOf, quizId, safetyQuiz } from '../support/results.ts';
import { shareTestBed, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';

const { ada, erin, gus, nora, rosa } = people;

const isLoaded = (text: string) => !text.includes('Asking the quiz service');

/** Clicks a button of an answer. @returns what is in place of the answer then */
async function replacedBy(
  { workspace }: TestBed,
  personId: string,
  message: Message,
  actionId: string,
): Promise<Message> {
  const before = textOf(message);
  await workspace.as(personId).click(locationOf(message), actionId);
  return workspace.until(() =>
    workspace.ephemerals(personId).find((other) => other.ts === message.ts && textOf(other) !== before),
  );
}

/** Clicks a button that opens a modal. @returns the modal */
async function openedBy(
  { workspace }: TestBed,
  personId: string,
  message: Pick<Message, 'channel' | 'ts'>,
  actionId: string,
): Promise<View> {
  const opened = await (await workspace.as(personId).click(message, actionId)).view();
  return workspace.until(() =>
    workspace.views(personId).find((view) => view.id === opened.id && isLoaded(textOf(view))),
  );
}

/** Starts a campaign for Ravi, who has the quiz and has not taken it. */
async function startCampaign(testBed: TestBed, more = 'due in 2 weeks'): Promise<string> {
  const preview = await commandReply(testBed, ada.id, `/quiz-campaign start workplace for @ravi ${more}`);
  return textOf(await replacedBy(testBed, ada.id, preview, 'choose:run-campaign'));
}

describe('the preview of a campaign', () => {
  const openBed = shareTestBed();

  test('counts who takes part and who does not, and names everyone behind a button', async () => {
    const testBed = await openBed();
    const preview = await commandReply(
      testBed,
      ada.id,
      `/quiz-campaign start "${safetyQuiz}" for #training except Nora Fields due in 2 weeks remind 7d, 1d escalate 3d board here`,
    );
    const text = textOf(preview);
    expect(text).toContain(`A campaign for *${safetyQuiz}* with *`);
    expect(text).toContain('Nothing happens until you start it.');
    expect(text).toContain('7 days and 1 day before');
    expect(text).toContain(`In <#${channels.results.id}>`);
    // Zoe has no user, and Lena is a guest.
    expect(text).toMatch(/\d people? (?:isn’t|aren’t) in the quiz account\.|1 person isn’t in the quiz account\./);
    expect(text).toContain('1 person is a guest.');
    expect(text).toContain('1 person is suspended.');
    expect(text).toContain('1 person is on your list of exceptions.');
    const all = textOf(await openedBy(testBed, ada.id, locationOf(preview), 'modal:show-plan'));
    expect(all).toContain('• Ravi Banerjee');
    expect(all).toContain('• Zoe Marsh · left out: not in the quiz account');
    expect(all).toContain('• Lena Visitor · left out: a guest');
    expect(all).toContain('• Sam Petrov · left out: suspended');
    expect(all).toContain('• Nora Fields · left out: on your list of exceptions');
    expect(textOf(await commandReply(testBed, ada.id, '/quiz-campaign list'))).toContain('There are no campaigns');
  });

  test('says what to do about a channel in which the bot can’t post', async () => {
    const testBed = await openBed();
    const line = async (channelId: string) =>
      /(?:Progress can’t be shown|In <#)[^"\\]*/.exec(
        textOf(await commandReply(testBed, ada.id, `/quiz-campaign start workplace for @ravi board <#${channelId}>`)),
      )?.[0];
    expect(await line(channels.general.id)).toBe(
      `Progress can’t be shown in <#${channels.general.id}> yet: Invigilator isn’t in the channel. Type /invite @Invigilator there.`,
    );
    expect(await line(channels.archived.id)).toBe(
      `Progress can’t be shown in <#${channels.archived.id}> yet: the channel is archived. Unarchive it.`,
    );
    expect(await line(channels.training.id)).toBe(`In <#${channels.training.id}>`);
    const mend = testBed.workspace.faults.inject(
      { kind: 'api-error', error: 'internal_error' },
      { method: 'conversations.info' },
    );
    expect(await line(channels.general.id)).toBe(`In <#${channels.general.id}>`);
    mend();
  });

  test('has no board in a private channel that the person is not in', async () => {
    const testBed = await openBed();
    const preview = async (personId: string) =>
      textOf(
        await commandReply(
          testBed,
          personId,
          `/quiz-campaign start workplace for @ravi board <#${channels.leads.id}|x>`,
        ),
      );
    expect(await preview(erin.id)).toContain('You’re not in #x, so you can’t use it');
    expect(await preview(ada.id)).toContain(`In <#${channels.leads.id}`);
  });

  test('starts once, and says what happens next', async () => {
    const testBed = await startTestBed();
    const preview = await commandReply(testBed, ada.id, '/quiz-campaign start workplace for @ravi due in 2 weeks');
    const { workspace } = testBed;
    const [first, second] = await Promise.all(
      [0, 1].map(async () => workspace.as(ada.id).click(locationOf(preview), 'choose:run-campaign')),
    );
    expect([first, second]).not.toContain(undefined);
    const started = await workspace.until(() =>
      workspace.ephemerals(ada.id).find((message) => textOf(message).includes('Started a campaign')),
    );
    expect(textOf(started)).toContain('with 1 person.');
    expect(textOf(started)).toContain('The first messages go out');
    const list = textOf(await commandReply(testBed, ada.id, '/quiz-campaign list'));
    expect(list).toContain('*1 campaign*');
    expect(list).toContain('0 of 1 passed');
  });

  test('is what the bare command shows while it runs, with a button that starts another', async () => {
    const testBed = await startTestBed();
    const none = await commandReply(testBed, ada.id, '/quiz-campaign');
    expect(textOf(none)).toContain('There are no campaigns');
    await startCampaign(testBed);
    const running = await commandReply(testBed, ada.id, '/quiz-campaign');
    expect(textOf(running)).toContain('*1 campaign*');
    expect(textOf(running)).not.toContain('/quiz-campaign start <');
    for (const message of [none, running])
      expect((await openedBy(testBed, ada.id, message, actionIdOf(message, 'Start a campaign…'))).callback_id).toBe(
        'start-campaign',
      );
  });

  test('opens the form again with what was entered', async () => {
    const testBed = await openBed();
    const preview = await commandReply(
      testBed,
      ada.id,
      `/quiz-campaign start workplace for @ravi, Kitchen, #training due 15 dec 17:00 remind 2d board here`,
    );
    const form = await openedBy(testBed, ada.id, locationOf(preview), 'form:start-campaign');
    const { values } = form.state;
    expect(form.callback_id).toBe('start-campaign');
    expect(values['quiz']?.['value']?.selected_option?.text.text).toBe(safetyQuiz);
    expect(values['to']?.['value']?.selected_options?.map(({ text }) => text.text)).toEqual([
      'Ravi Banerjee',
      'Kitchen',
    ]);
    expect(values['channels']?.['value']?.selected_conversations).toEqual([channels.training.id]);
    expect(values['due']?.['value']?.value).toBe('15 dec 17:00');
    expect(values['remind']?.['value']?.value).toBe('2d');
    expect(values['board']?.['value']?.selected_conversation).toBe(channels.results.id);
  });

  test('comes from the shortcut, too, and starts in its modal', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const short = await (await workspace.as(ada.id).shortcut('start-campaign')).view();
    expect(short.blocks.filter(({ type }) => type === 'input').map(({ block_id: id }) => id)).toEqual([
      'quiz',
      'to',
      'due',
      'say',
    ]);
    await workspace.as(ada.id).fill(short, { say: 'Please do' });
    await workspace.as(ada.id).click({ view: short }, 'more');
    const form = await workspace.until(() =>
      workspace.views(ada.id).find((open) => open.id === short.id && textOf(open).includes('Or type it')),
    );
    expect(form.state.values['say']?.['value']?.value).toBe('Please do');
    const nobody = await workspace.as(ada.id).submit(form, { quiz: quizId(testBed, safetyQuiz) });
    expect(nobody.errors).toEqual({ to: 'Choose who takes part: people, groups or channels.' });
    const picked = { people: [people.ravi.id], due: Date.UTC(2020, 0, 6, 10) / 1000 };
    const { errors } = await workspace.as(ada.id).submit(form, picked);
    expect(errors).toEqual({ due: expect.stringMatching(/^“.*6 Jan 2020.*” is over already/) });
    await workspace.as(ada.id).fill(form, { due: null });
    const { view } = await workspace.as(ada.id).submit(form, {
      quiz: quizId(testBed, safetyQuiz),
      people: [people.ravi.id],
      channels: [channels.general.id],
      'due typed': 'in 2 weeks',
    });
    const preview = await workspace.until(() =>
      workspace
        .views(ada.id)
        .find((open) => open.id === view?.id && textOf(open).includes('Nothing happens until you start it.')),
    );
    expect(preview.submit?.text).toBe('Start');
    expect(textOf(preview)).toContain('Please do');
    // A form gives a channel without its name.
    expect(textOf(preview)).toContain('From #general');
    await workspace.as(ada.id).submit(preview);
    await workspace.until(() => workspace.views(ada.id).find((open) => textOf(open).includes('Started a campaign')));
  });

  test('asks in its form for days for each person where the campaign is to stand, and says at the field what is wrong', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const trainer = workspace.as(ada.id);
    const short = await (await trainer.shortcut('start-campaign')).view();
    await trainer.click({ view: short }, 'more');
    const form = await workspace.until(() =>
      workspace.views(ada.id).find((open) => textOf(open).includes('Or type it')),
    );
    await trainer.fill(form, {
      quiz: quizId(testBed, safetyQuiz),
      people: [people.ravi.id],
      'due typed': 'in 2 weeks',
    });
    expect(textOf(form)).not.toContain('Each person has it due within');
    await trainer.click({ view: form }, { block: 'runs' }, 'standing');
    const standing = await workspace.until(() =>
      workspace.views(ada.id).find((view) => textOf(view).includes('Each person has it due within')),
    );
    expect(standing.blocks.map((block) => block.block_id)).not.toEqual(expect.arrayContaining(['due', 'due typed']));

    expect((await trainer.submit(standing)).errors).toEqual({
      within: 'Say how long each person has, for example 14d.',
    });
    expect((await trainer.submit(standing, { within: '14d', renew: '30d' })).errors).toEqual({
      renew: expect.stringContaining('Nothing is to be renewed while a pass counts for good.'),
    });
    expect((await trainer.submit(standing, { within: '12h' })).errors).toEqual({
      within: 'Enter whole days, from 1d to 366d.',
    });
    const { view } = await trainer.submit(standing, { within: '14d', valid: '12 months' });
    const preview = await workspace.until(() =>
      workspace.views(ada.id).find((open) => open.id === view?.id && textOf(open).includes('Nothing happens until')),
    );
    expect(textOf(preview)).toContain('14 days after joining');
    await trainer.click({ view: preview.id }, 'form:start-campaign');
    const again = await workspace.until(() =>
      workspace.views(ada.id).find((open) => textOf(open).includes('Each person has it due within')),
    );
    expect(again.state.values['within']?.['value']?.value).toBe('14d');
    expect(again.state.values['runs']?.['value']?.selected_option?.value).toBe('standing');
  });

  test('comes from a quiz and from the list of missing people, with the quiz filled in', async () => {
    const testBed = await startTestBed();
    const quiz = await commandReply(testBed, ada.id, '/quiz show workplace');
    const form = await openedBy(testBed, ada.id, locationOf(quiz), 'form:start-campaign');
    expect(form.state.values['quiz']?.['value']?.selected_option?.text.text).toBe(safetyQuiz);
    await testBed.workspace.as(ada.id).close(form);
    const missing = await commandReply(testBed, ada.id, '/quiz missing workplace in Warehouse');
    const another = await openedBy(testBed, ada.id, locationOf(missing), 'form:start-campaign');
    expect(another.state.values['to']?.['value']?.selected_options?.map(({ text }) => text.text)).toEqual([
      'Warehouse',
    ]);
    await testBed.workspace.as(ada.id).close(another);

    await startCampaign(testBed);
    const again = await commandReply(testBed, ada.id, '/quiz missing workplace in Warehouse');
    expect(textOf(again)).toContain('remind-campaign');
    expect(textOf(again)).not.toContain('start-campaign');
  });
});

test('an extension that needs approval says when it would be due', async () => {
  const testBed = await startTestBed({ env: { RIGHTS: 'extend-campaign:approval' } });
  await startCampaign(testBed, 'due 2027-01-15 17:00');
  const extend = async (time: string) =>
    textOf(await commandReply(testBed, ada.id, `/quiz-campaign extend workplace to ${time} --reason Holidays`));
  expect(await extend('yesterday')).toContain('is over already');
  expect(await extend('1 week')).toMatch(/Approval requested.*It would be due .*22 Jan 2027/);
});

describe('a start that needs approval', () => {
  test('asks for it with the list that was shown, and starts for the person who asked', async () => {
    const testBed = await startApprovalsTestBed();
    const { requests, approve, directMessageWith } = approvalActions(testBed);
    const { workspace } = testBed;
    const preview = await commandReply(testBed, erin.id, '/quiz-campaign start workplace for @ravi due in 2 weeks');
    expect(textOf(preview)).toContain('You don’t train all of these people');
    const form = await openedBy(testBed, erin.id, locationOf(preview), 'form:run-campaign');
    expect(form.state.values['plan']?.['value']?.selected_option?.text.text).toBe(`${safetyQuiz}, 1 person`);
    const unexplained = await workspace.as(erin.id).submit(form);
    expect(unexplained.errors).toEqual({ reason: 'Please complete this required field.' });
    await workspace.as(erin.id).submit(form, { reason: 'The audit is near' });

    const request = await workspace.until(() => requests()[0]);
    expect(textOf(request)).toContain(`start a campaign for *${safetyQuiz}* with 1 person`);
    expect(textOf(request)).toContain('A message would go to 1 person: *Ravi Banerjee*.');
    expect(textOf(await openedBy(testBed, ada.id, locationOf(request), 'modal:show-plan'))).toContain(
      '• Ravi Banerjee',
    );
    await workspace.as(ada.id).close(workspace.views(ada.id).at(-1)!);
    await approve(ada.id, request);
    expect(await directMessageWith(erin.id, 'approved:')).toContain('Started a campaign');
    expect(textOf(await commandReply(testBed, erin.id, '/quiz-campaign show workplace'))).toContain(
      `Started by <@${erin.id}>`,
    );
  });
});

describe('a campaign that runs', () => {
  test('is for people who see its quiz’s results, and for nobody else', async () => {
    const testBed = await startTestBed();
    await startCampaign(testBed);
    expect(textOf(await commandReply(testBed, erin.id, '/quiz-campaign list'))).toContain(safetyQuiz);
    for (const person of [gus, nora, rosa]) {
      const answers = await Promise.all(
        ['list', 'show workplace', 'remind workplace', 'report workplace'].map((line) =>
          commandReply(testBed, person.id, `/quiz-campaign ${line}`),
        ),
      );
      for (const answer of answers) {
        expect(textOf(answer)).toContain('🚫');
        expect(textOf(answer)).not.toContain('Ravi');
      }
    }
    // A trainer of another quiz.
    const { database } = testBed.quizService;
    database.run(
      "INSERT INTO trainer_quizzes (user_id, quiz_id) SELECT (SELECT user_id FROM users WHERE user_name = 'erin@quiz.example'), quiz_id FROM quizzes WHERE name = 'Forklift theory test'",
    );
    const other = await startTestBed();
    expect(textOf(await commandReply(other, erin.id, '/quiz-campaign show forklift'))).toContain('There’s no campaign');
  });

  test('is extended, and people are excused for a reason that the report names', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    await startCampaign(testBed);
    for (const past of ['yesterday', '2020-01-06T10:00:00Z'])
      expect(textOf(await commandReply(testBed, ada.id, `/quiz-campaign extend workplace to ${past}`))).toContain(
        'is over already',
      );
    expect(textOf(await commandReply(testBed, ada.id, '/quiz-campaign extend workplace to 500 weeks'))).toContain(
      '“500 weeks” is more than two years away.',
    );
    expect(textOf(await commandReply(testBed, ada.id, '/quiz-campaign extend workplace to in 3 weeks'))).toContain(
      'Moved the due time of the campaign',
    );
    expect(
      textOf(await commandReply(testBed, ada.id, '/quiz-campaign excuse workplace Tom Lindqvist because left')),
    ).toContain('isn’t in the campaign');

    const form = await (await workspace.as(ada.id).command('/quiz-campaign excuse workplace @ravi')).view();
    expect(form.callback_id).toBe('excuse-campaign');
    expect(form.state.values['campaign']?.['value']?.selected_options?.map(({ text }) => text.text)).toEqual([
      safetyQuiz,
    ]);
    await workspace.as(ada.id).submit(form, { because: '=HYPERLINK("x") on leave' });
    await workspace.until(() =>
      workspace.views(ada.id).find((view) => textOf(view).includes('Excused *Ravi Banerjee*')),
    );

    await commandReply(testBed, ada.id, '/quiz-campaign report workplace');
    const { name, text } = await fileSentTo(testBed, ada.id);
    expect(name).toBe(`${safetyQuiz} campaign.xlsx`);
    const [header = '', row = ''] = text.replace('\uFEFF', '').split('\r\n');
    expect(header.split(',').slice(0, 4)).toEqual(['Person', 'Groups', 'Manager', 'State']);
    expect(row).toContain('Ravi Banerjee,Warehouse,,excused');
    expect(row).toContain('Ada Okafor');
    expect(row).toContain(`"=HYPERLINK(""x"") on leave"`);
  });
});
