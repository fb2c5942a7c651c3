import { describe, expect, inject, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { actionIdOf, commandReply, confirmed, locationOf, quizId, safetyQuiz } from '../support/results.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';

const { ada, erin, uma, rosa } = people;
const forklift = 'Forklift theory test';

/** What was sent to the quiz service to change it. */
const writesTo = ({ requests }: TestBed) =>
  requests.filter((request) => /^(?:POST|DELETE) /.test(request) && !request.includes('/users/find'));

const hasForklift = ({ quizService }: TestBed, name: string) =>
  quizService.database.get(
    'SELECT 1 FROM user_quizzes JOIN users USING (user_id) JOIN quizzes USING (quiz_id) WHERE user_name = ? AND quizzes.name = ?',
    [`${name}@quiz.example`, forklift],
  ) !== undefined;

/** Sends a command, clicks the button with this label in the answer, and gives what its message says then. */
async function clickAfter(testBed: TestBed, personId: string, line: string, label: string): Promise<string> {
  const message = await commandReply(testBed, personId, line);
  const before = textOf(message);
  await testBed.workspace.as(personId).click(locationOf(message), actionIdOf(message, label));
  const now = () => textOf(testBed.workspace.ephemerals(personId).at(-1));
  await testBed.workspace.until(() => now() !== before);
  return now();
}

describe('the button after a change', () => {
  test('opens the quiz that was closed, and the message shows that it is open', async () => {
    const testBed = await startTestBed();
    expect(await clickAfter(testBed, erin.id, '/quiz close workplace', 'Open again')).toContain(
      `Opened *${safetyQuiz}*. People can take it now.`,
    );
    expect(writesTo(testBed).map((request) => request.split(' ')[2])).toEqual(['status=closed', 'status=open']);
    expect(testBed.workspace.ephemerals(erin.id)).toHaveLength(1);
  });

  test('takes back a quiz or a user that the person has just made, on the record', async () => {
    const testBed = await startTestBed();
    expect(await clickAfter(testBed, erin.id, '/quiz create Ladder Twice', 'Undo')).toContain(
      'Took back *Ladder Twice*.',
    );
    expect(quizId(testBed, 'Ladder Twice')).toBe('');
    expect(
      await clickAfter(testBed, ada.id, '/quiz-user create kim.doe@example.org Kim Doe in Kitchen, Warehouse', 'Undo'),
    ).toContain('Took back *Kim Doe*.');
    const find = (userName: string) =>
      testBed.quizService.database.get('SELECT 1 FROM users WHERE user_name = ?', [userName]);
    expect(find('kim.doe@example.org')).toBeUndefined();
    const trail = textOf(await commandReply(testBed, ada.id, '/quiz-admin audit take-back'));
    expect(trail).toContain('took back *Ladder Twice*');
    expect(trail).toContain('took back *Kim Doe*');
  });

  test('is not found with /quiz undo where the record does not say all that it was about', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    await commandReply(testBed, ada.id, '/quiz-alerts subscribe workplace failed digest hourly');
    const latest = () => workspace.ephemerals(ada.id).at(-1)!;
    await workspace.until(() => textOf(latest()).includes('Send a test'));
    await workspace.as(ada.id).click(locationOf(latest()), actionIdOf(latest(), 'Undo'));
    await workspace.until(() => textOf(latest()).includes('Unsubscribed this channel'));
    await commandReply(testBed, ada.id, '/quiz close workplace');
    const shown = textOf(await commandReply(testBed, ada.id, '/quiz undo'));
    expect(shown).toContain('Open again');
    expect(shown).not.toContain('Unsubscribe');
  });

  test('is found again with /quiz undo also where it is about a subscription', async () => {
    const testBed = await startTestBed();
    const channel = testBed.workspace.channels.training.id;
    /** The channel gets a message as well. */
    const send = async (line: string) => {
      const before = testBed.workspace.ephemerals(erin.id).length;
      await testBed.workspace.as(erin.id).command(line, { channel });
      return testBed.workspace.until(() => testBed.workspace.ephemerals(erin.id)[before]);
    };
    await send('/quiz-alerts subscribe workplace failed');
    const undo = await send('/quiz undo');
    expect(textOf(undo)).toMatch(/Subscribe: \*Workplace safety basics: failed only, one message per submission\*/);
    await testBed.workspace.as(erin.id).click(locationOf(undo), actionIdOf(undo, 'Undo'));
    await testBed.workspace.until(() =>
      testBed.workspace.ephemerals(erin.id).some((message) => textOf(message).includes('Unsubscribed this channel')),
    );
    expect(textOf(await send('/quiz undo'))).toContain('You did nothing in the last 24 hours');
    await send('/quiz-alerts subscribe all');
    await send('/quiz-alerts pause for 2h');
    expect(textOf(await send('/quiz undo'))).toMatch(/Pause: \*Every quiz: .*"Resume"/);
  });

  test('is found again with /quiz undo, as long as nobody has changed the same since', async () => {
    const testBed = await startTestBed();
    const undoable = async (personId: string) => textOf(await commandReply(testBed, personId, '/quiz undo'));
    expect(await undoable(erin.id)).toContain('You did nothing in the last 24 hours that can be undone here.');
    await commandReply(testBed, erin.id, '/quiz close workplace');
    await commandReply(testBed, erin.id, '/quiz create Ladder Twice');
    await commandReply(testBed, erin.id, '/quiz assign data protection to Ravi Banerjee');
    expect(await undoable(erin.id)).toMatch(
      /What you can undo.*Assign quiz: \*Data protection refresher\*, \*Ravi Banerjee\*.*"Undo…".*Create quiz: \*Ladder Twice\*.*"Undo".*Close quiz: \*Workplace safety basics\*.*"Open again"/,
    );
    expect(await undoable(ada.id)).toContain('You did nothing');
    expect(await clickAfter(testBed, erin.id, '/quiz undo', 'Open again')).toContain(`Opened *${safetyQuiz}*.`);
    await commandReply(testBed, ada.id, '/quiz close workplace');
    expect(await undoable(erin.id)).not.toContain(safetyQuiz);
    const shown = await commandReply(testBed, erin.id, '/quiz undo');
    const form = await (
      await testBed.workspace.as(erin.id).click(locationOf(shown), actionIdOf(shown, 'Undo…'))
    ).view();
    expect([form.callback_id, textOf(form)]).toEqual(['unassign-quiz', expect.stringContaining('Ravi Banerjee')]);
  });

  test('is found by /quiz undo though a later press changed nothing, and not for a user who has a quiz by now', async () => {
    const testBed = await startTestBed();
    const undoable = async () => textOf(await commandReply(testBed, ada.id, '/quiz undo'));
    await commandReply(testBed, ada.id, '/quiz close workplace');
    await commandReply(testBed, ada.id, '/quiz close workplace');
    await commandReply(testBed, ada.id, '/quiz-user create kim.doe@example.org Kim Doe');
    // An offer of a password comes beside the first answer.
    await expect.poll(undoable).toMatch(/Create user: \*Kim Doe\*.*"Undo".*Close quiz: \*Workplace safety basics\*/);
    await commandReply(testBed, ada.id, '/quiz assign data protection to Kim Doe');
    await expect.poll(undoable).toMatch(/Assign quiz: .*Close quiz: /);
    expect(await undoable()).not.toContain('Create user');
  });

  test('of what is gone says so, without its id', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const made = await commandReply(testBed, erin.id, '/quiz create Ladder Twice');
    const opened = await commandReply(testBed, erin.id, '/quiz open “Ladder Twice”');
    await workspace.as(erin.id).click(locationOf(made), actionIdOf(made, 'Undo'));
    await workspace.until(() => workspace.ephemerals(erin.id).some((message) => textOf(message).includes('Took back')));
    const gone = 'This isn’t there any more, or you can’t see it.';
    const form = await (await workspace.as(erin.id).click(locationOf(opened), actionIdOf(opened, 'Assign…'))).view();
    expect(textOf(form)).toContain(gone);
    await workspace.as(erin.id).click(locationOf(opened), actionIdOf(opened, 'Close quiz'));
    await workspace.until(() => workspace.ephemerals(erin.id).some((message) => textOf(message).includes(gone)));
    for (const shown of [...workspace.ephemerals(erin.id), form].map(textOf))
      expect(shown).not.toMatch(/(?:called|know) “/);
  });

  test('takes back nothing that is in use', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const made = await commandReply(testBed, erin.id, '/quiz create Ladder Twice');
    const undo = actionIdOf(made, 'Undo');
    await commandReply(testBed, erin.id, '/quiz open “Ladder Twice”');
    await commandReply(testBed, erin.id, '/quiz assign “Ladder Twice” to ravi banerjee');
    await workspace.as(erin.id).click(locationOf(made), undo);
    await workspace.until(() =>
      workspace.ephemerals(erin.id).some((message) => textOf(message).includes('is in use already')),
    );
    expect(quizId(testBed, 'Ladder Twice')).not.toBe('');
  });

  test('asks before it takes back a name that somebody else has changed since', async () => {
    const testBed = await startTestBed();
    const { workspace } = testBed;
    const renamed = await commandReply(testBed, erin.id, '/quiz rename forklift to Ladders');
    await commandReply(testBed, ada.id, '/quiz rename Ladders to Ramps');
    await workspace.as(erin.id).click(locationOf(renamed), actionIdOf(renamed, 'Undo'));
    const shown = () => workspace.ephemerals(erin.id).at(-1)!;
    await workspace.until(() => textOf(shown()).includes('*Ladders* was renamed to *Ramps* since then.'));
    expect(quizId(testBed, 'Ramps')).not.toBe('');
    await workspace.as(erin.id).click(locationOf(shown()), actionIdOf(shown(), 'Rename quiz'));
    await workspace.until(() => textOf(shown()).includes(`Renamed *Ramps* to *${forklift}*.`));
  });

  test('unassigns only from people who did not have the quiz before', async () => {
    const testBed = await startTestBed();
    await commandReply(testBed, erin.id, '/quiz unassign forklift from rosa almeida');
    await commandReply(testBed, erin.id, '/quiz open forklift');
    const answer = await clickAfter(
      testBed,
      erin.id,
      '/quiz assign forklift to ravi banerjee, rosa almeida, warehouse, kitchen',
      'Undo',
    );
    expect(answer).toContain('Unassigned *Forklift theory test* from *Rosa Almeida* and the group *Kitchen*.');
    expect([hasForklift(testBed, 'ravi'), hasForklift(testBed, 'rosa')]).toEqual([true, false]);
  });

  test('reinstates a suspended user, and the form to suspend asks again', async () => {
    const testBed = await startTestBed();
    expect(await clickAfter(testBed, ada.id, '/quiz-user suspend ravi banerjee', 'Reinstate')).toContain(
      'Reinstated *Ravi Banerjee*.',
    );
    const reinstated = testBed.workspace.ephemerals(ada.id)[0]!;
    await testBed.workspace.as(ada.id).click(locationOf(reinstated), actionIdOf(reinstated, 'Suspend…'));
    const form = await testBed.workspace.until(() => testBed.workspace.views(ada.id)[0]);
    expect([form.callback_id, textOf(form).includes('Ravi Banerjee')]).toEqual(['suspend-user', true]);
  });

  test('is not there for a change that the person may not make', async () => {
    const testBed = await startTestBed();
    const trainer = testBed.workspace.as(uma.id);
    const form = await (await trainer.command('/quiz-user create kim@quiz.example')).view();
    const created = await confirmed(trainer, await trainer.submit(form, { first_name: 'Kim' }));
    expect(textOf(created.view)).toContain('Created *Kim* as a respondent.');
    expect(textOf(created.view)).not.toContain('Add to a group…');
  });

  test('is refused for a person who lost the right since, and stays', async () => {
    const testBed = await startTestBed();
    const message = await commandReply(testBed, erin.id, '/quiz close workplace');
    testBed.quizService.database.run(
      "UPDATE users SET edit_quizzes = 0, user_type = 'respondent' WHERE user_name = 'erin@quiz.example'",
    );
    await testBed.workspace.as(erin.id).click(locationOf(message), actionIdOf(message, 'Open again'));
    await testBed.workspace.until(() => testBed.workspace.ephemerals(erin.id).length === 2);
    expect(textOf(testBed.workspace.ephemerals(erin.id)[1])).toContain('Only trainers can work with quizzes.');
    expect(writesTo(testBed)).toHaveLength(1);
    expect(textOf(testBed.workspace.ephemerals(erin.id)[0])).toContain('Open again');
  });
});

describe('a change that was made already', () => {
  test.each([
    [
      '/quiz-user show rosa almeida',
      '/quiz assign workplace to kitchen',
      'The group *Kitchen* had *Workplace safety basics* already. Nothing changed.',
    ],
    [
      '/quiz-user show rosa almeida',
      '/quiz-group unassign forklift from night shift',
      '*Forklift theory test* wasn’t assigned to the group *Night shift*. Nothing changed.',
    ],
  ])('by %s is not sent by %s', async (first, second, answer) => {
    const testBed = await startTestBed({ env: { ALERTS_CHANNEL: '' } });
    await commandReply(testBed, ada.id, first);
    const before = writesTo(testBed);
    const readsBefore = testBed.requests.length;
    expect(textOf(await commandReply(testBed, ada.id, second))).toContain(answer);
    expect(writesTo(testBed)).toEqual(before);
    // The rights of the person and what the change is about; the rough account has lists in pages.
    const reads = testBed.requests.slice(readsBefore).filter((request) => request.startsWith('GET '));
    expect(reads.length).toBeLessThanOrEqual(inject('account') === 'rough' ? Infinity : 2);
  });
});

/** The block of the item with this name in a list, and what its menu offers. */
function menuOf({ blocks = [] }: Message, name: string): { block: string; labels: string[] } {
  const found = blocks.find(
    (block) => block.type === 'section' && textOf({ blocks: block.text }).includes(`*${name}*`),
  );
  if (found?.type !== 'section' || found.accessory?.type !== 'overflow')
    return { block: found?.block_id ?? '', labels: [] };
  return { block: found.block_id ?? '', labels: found.accessory.options.map(({ text }) => text.text) };
}

const statusOf = (name: string) => `SELECT status FROM quizzes WHERE name = '${name}'`;

describe('the menu of a quiz in a list', () => {
  test('closes the quiz at once, opens its results and the form to assign it', async () => {
    const { workspace, quizService, ...testBed } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const list = await commandReply({ workspace, quizService, ...testBed }, erin.id, '/quiz list data');
    const { block, labels } = menuOf(list, 'Data protection refresher');
    expect(labels).toEqual(['Results', 'Assign…', 'Close', 'View']);

    const form = await (await trainer.click(locationOf(list), { block }, 'Assign…')).view();
    expect(form.callback_id).toBe('assign-quiz');
    expect(form.state.values['quiz']?.['value']?.selected_option?.text.text).toBe('Data protection refresher');
    await trainer.close(form);

    await trainer.click(locationOf(list), { block }, 'Results');
    await workspace.until(() =>
      workspace.ephemerals(erin.id).some((message) => textOf(message).includes('*Data protection refresher*: results')),
    );
    await trainer.click(locationOf(list), { block }, 'Close');
    await workspace.until(() =>
      workspace.ephemerals(erin.id).some((message) => textOf(message).includes('Closed *Data protection refresher*')),
    );
    expect(quizService.database.get(statusOf('Data protection refresher'))).toEqual({ status: 'closed' });
    expect(textOf(workspace.ephemerals(erin.id)[0])).toContain('1 quiz');
  });

  test('lets a respondent only view a quiz', async () => {
    const testBed = await startTestBed();
    const own = menuOf(await commandReply(testBed, rosa.id, '/quiz list'), 'Workplace safety basics');
    expect(own.labels).toEqual(['View']);
    expect(textOf(await commandReply(testBed, rosa.id, '/quiz list'))).not.toContain('close-quiz');
  });

  test('stays in a list that is narrowed in a form', async () => {
    const { workspace } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const list = await (await trainer.command('/quiz list open')).reply();
    const form = await (await trainer.click(locationOf(list), 'form:list-quizzes')).view();
    expect(form.state.values['status']?.['value']?.selected_option?.value).toBe('open');
    await trainer.submit(form, { status: 'in_design', name: 'first' });
    const narrowed = await workspace.until(() =>
      workspace.ephemerals(erin.id).find(({ text }) => text === '*1 quiz*: 1 in design'),
    );
    expect(menuOf(narrowed, 'First aid at work').labels).toEqual(['Results', 'Assign…', 'Open', 'View']);
  });
});

describe('the menu of a user in a list', () => {
  test('opens the form before a person is suspended, and lists by what they are', async () => {
    const { workspace, quizService, ...testBed } = await startTestBed();
    const bed = { workspace, quizService, ...testBed };
    const administrator = workspace.as(ada.id);
    const list = await commandReply(bed, ada.id, '/quiz-user list respondents in kitchen');
    expect(list.text).toContain(': respondents in Kitchen');
    const { block, labels } = menuOf(list, 'Rosa Almeida');
    expect(labels).toEqual(['View', 'Assign a quiz…', 'Suspend…', 'Reset password…']);
    const form = await (await administrator.click(locationOf(list), { block }, 'Suspend…')).view();
    expect(form.callback_id).toBe('suspend-user');
    expect(
      quizService.database.get("SELECT suspended FROM users WHERE first_name = 'Rosa' AND last_name = 'Almeida'"),
    ).toEqual({ suspended: 0 });

    const suspended = await commandReply(bed, ada.id, '/quiz-user list suspended');
    expect(menuOf(suspended, 'Sam Petrov').labels).toContain('Reinstate');
    expect(textOf(suspended)).not.toContain('Rosa Almeida');
  });
});
