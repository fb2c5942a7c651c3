import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { actionIdOf, quizId } from '../support/results.ts';
import { shareTestBed, startTestBed, textOf } from '../support/test-bed.ts';

const { ada, erin, rosa } = people;
const forklift = 'Forklift theory test';
/** For what changes nothing. */
const openBed = shareTestBed();

describe('a verb that is nearly right', () => {
  test('is offered as a button that runs it with the rest of the line, and the answer replaces the offer', async () => {
    const { workspace, quizService } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const offer = await (await trainer.command('/quiz clsoe workplace')).reply();
    expect(textOf(offer)).toContain('There’s no `/quiz clsoe`. Did you mean `/quiz close workplace`?');
    expect(textOf(offer)).toContain('Close Workplace safety basics');
    expect(textOf(offer)).toContain('This runs /quiz close workplace.');
    await trainer.click({ channel: offer.channel, ts: offer.ts }, 'line:0');
    await workspace.until(() =>
      quizService.database.get(
        "SELECT status FROM quizzes WHERE name = 'Workplace safety basics' AND status = 'closed'",
      ),
    );
    await workspace.until(() =>
      workspace.ephemerals(erin.id).every((message) => !textOf(message).includes('Did you mean')),
    );
    expect(workspace.ephemerals(erin.id)).toHaveLength(1);
  });

  test('is offered from another command, to people who may use it', async () => {
    const { workspace, quizService } = await startTestBed();
    const help = textOf(await (await workspace.as(rosa.id).command('/quiz suspend sam')).reply());
    expect(help).toContain('There’s no `/quiz suspend`. Here’s what you can do:');
    expect(help).not.toContain('/quiz-user');
    const offer = await (await workspace.as(ada.id).command('/quiz suspend <@U0000ROSA|rosa> --reason "Left"')).reply();
    expect(textOf(offer)).toContain('There’s no `/quiz suspend`. Did you mean `/quiz-user suspend @rosa');
    await workspace.as(ada.id).click({ channel: offer.channel, ts: offer.ts }, 'line:0');
    await workspace.until(() =>
      quizService.database.get("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example' AND suspended = 1"),
    );
  });

  test('that deletes opens the form, and changes nothing before', async () => {
    const { workspace } = await openBed();
    const offer = await (await workspace.as(ada.id).command('/quiz delte forklift')).reply();
    const form = await (await workspace.as(ada.id).click({ channel: offer.channel, ts: offer.ts }, 'line:0')).view();
    expect(form.callback_id).toBe('delete-quiz');
  });

  test('asks which of several things is meant, like a typed line', async () => {
    const { workspace } = await openBed();
    const offer = await (await workspace.as(erin.id).command('/quiz shwo a')).reply();
    await workspace.as(erin.id).click({ channel: offer.channel, ts: offer.ts }, 'line:0');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('matches'));
  });
});

describe('words that a change would leave out', () => {
  test.each([
    ['/quiz close food tomorrow', 'I don’t know what “tomorrow” means here. Nothing changed.'],
    ['/quiz-user suspend not rosa', 'I don’t know what “not” means here. Nothing changed.'],
    ['/quiz-user suspend rosa almeida and ravi', 'I don’t know what “and ravi” means here. Nothing changed.'],
  ])('are named, and no button goes without them: %s', async (line, words) => {
    const { workspace } = await openBed();
    const answer = await (await workspace.as(ada.id).command(line)).reply();
    expect(textOf(answer)).toContain(words);
    expect(textOf(answer)).not.toContain('"button"');
  });

  test('can be those of a campaign, which is offered', async () => {
    const { workspace } = await openBed();
    const offer = await (await workspace.as(ada.id).command('/quiz assign food to kitchen by friday')).reply();
    expect(textOf(offer)).toContain('`/quiz assign` can’t do all of that. Did you mean');
    await workspace.as(ada.id).click({ channel: offer.channel, ts: offer.ts }, 'line:0');
    await workspace.until(() =>
      textOf(workspace.ephemerals(ada.id).at(-1)).includes('A campaign for *Food hygiene, level 2* with'),
    );
  });
});

describe('a filter of results', () => {
  const quiz = 'Workplace safety basics';

  test('by a group shows the attempts of its members only', async () => {
    const { workspace, quizService } = await openBed();
    const members = quizService.database.all<{ name: string }>(
      `SELECT DISTINCT r.first_name || ' ' || r.last_name AS name FROM responses r JOIN quizzes q ON q.quiz_id = r.quiz_id JOIN user_groups m ON m.user_id = r.user_id
       JOIN groups g ON g.group_id = m.group_id WHERE q.name = ? AND g.group_name = 'Kitchen' AND r.status = 'submitted'`,
      [quiz],
    );
    const others = quizService.database
      .all<{ name: string }>(
        `SELECT DISTINCT r.first_name || ' ' || r.last_name AS name FROM responses r JOIN quizzes q ON q.quiz_id = r.quiz_id WHERE q.name = ?`,
        [quiz],
      )
      .filter(({ name }) => !members.some((member) => member.name === name));
    const results = textOf(await (await workspace.as(erin.id).command('/quiz results workplace kitchen')).reply());
    expect(members.length).toBeGreaterThan(0);
    for (const { name } of members) expect(results).toContain(name);
    for (const { name } of others) expect(results).not.toContain(`"${name}"`);
  });

  test('with a name of nobody offers users and groups alike, and a button shows the results of that group', async () => {
    const { workspace } = await openBed();
    const question = await (await workspace.as(erin.id).command('/quiz results workplace kitchn')).reply();
    expect(textOf(question)).toContain('No user or group is called “kitchn”. Did you mean');
    await workspace.as(erin.id).click({ channel: question.channel, ts: question.ts }, actionIdOf(question, 'Kitchen'));
    await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('only *Kitchen*'));
  });

  test('with a part of a name that several quizzes have asks which quiz, and keeps the rest of the line', async () => {
    const { workspace } = await openBed();
    const question = await (await workspace.as(erin.id).command('/quiz results a passed rosa')).reply();
    expect(textOf(question)).toContain('“a” matches');
    await workspace.as(erin.id).click({ channel: question.channel, ts: question.ts }, 'choose:show-results');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('only passed, *rosa*'));
  });
});

test('a user is created in one line, and with an address alone from the form', async () => {
  const { workspace, quizService } = await startTestBed();
  const administrator = workspace.as(ada.id);
  expect(
    textOf(await (await administrator.command('/quiz-user create jo@x.example Jo March as trainer')).reply()),
  ).toContain('Created *Jo March* as a trainer');
  expect(
    quizService.database.get("SELECT first_name, last_name, user_type FROM users WHERE user_name = 'jo@x.example'"),
  ).toEqual({ first_name: 'Jo', last_name: 'March', user_type: 'trainer' });
  const form = await (await administrator.command('/quiz-user create kim@x.example')).view();
  expect(JSON.stringify(form)).toContain('kim@x.example');
});

describe('a quiz for the people in a channel', () => {
  test('is assigned to nobody when the person cancels', async () => {
    const { workspace, quizService } = await startTestBed();
    const assignments = () => quizService.database.all('SELECT * FROM user_quizzes').length;
    const before = assignments();
    const question = await (
      await workspace.as(ada.id).command('/quiz assign first aid to <!subteam^S0KITCHEN|@kitchen-team>')
    ).reply();
    expect(textOf(question)).toContain('*@kitchen-team* has');
    await workspace.as(ada.id).click({ channel: question.channel, ts: question.ts }, 'cancel');
    await workspace.until(() =>
      textOf(workspace.ephemerals(ada.id).at(-1)).includes('Cancelled. Nothing has changed.'),
    );
    expect(assignments()).toBe(before);
  });
});

describe('several people', () => {
  test('are added to a group and removed from it in one line, and the answer says what became of each', async () => {
    const { workspace, quizService } = await startTestBed();
    const administrator = workspace.as(ada.id);
    const membersOf = (group: string) =>
      quizService.database
        .all<{ name: string }>(
          "SELECT u.first_name || ' ' || u.last_name AS name FROM user_groups m JOIN users u ON u.user_id = m.user_id JOIN groups g ON g.group_id = m.group_id WHERE g.group_name = ?",
          [group],
        )
        .map(({ name }) => name);
    const reply = await (
      await administrator.command('/quiz-group add rosa almeida, <@U00000TOM|tom> and “Ravi Banerjee” to kitchen')
    ).reply();
    expect(textOf(reply)).toMatch(
      /Added \*Tom Lindqvist\* and \*Ravi Banerjee\* to the group \*Kitchen\*\. \*Rosa Almeida\* was in it already\./,
    );
    expect(membersOf('Kitchen')).toEqual(expect.arrayContaining(['Tom Lindqvist', 'Ravi Banerjee', 'Rosa Almeida']));
    await administrator.command('/quiz-group remove tom lindqvist and ravi banerjee from kitchen');
    await workspace.until(
      () => !membersOf('Kitchen').some((name) => name === 'Tom Lindqvist' || name === 'Ravi Banerjee'),
    );
  });

  test('are chosen in the form', async () => {
    const { workspace } = await openBed();
    const form = await (await workspace.as(ada.id).command('/quiz-group add rosa almeida, tom lindqvist')).view();
    expect(JSON.stringify(form)).toContain('multi_external_select');
    expect(JSON.stringify(form)).toContain('Tom Lindqvist');
  });
});

test('help begins with what people do most, and a button shows the rest', async () => {
  const { workspace } = await openBed();
  const trainer = workspace.as(erin.id);
  const help = await (await trainer.command('/quiz help')).reply();
  expect(textOf(help)).toContain('/quiz results');
  expect(textOf(help)).not.toContain('/quiz rename');
  await trainer.click({ channel: help.channel, ts: help.ts }, 'line:all');
  await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('/quiz rename'));
});

const writes = (requests: readonly string[]) => requests.filter((request) => !request.startsWith('GET'));

test('a form warns below what was entered, and runs once the box is ticked', async () => {
  const testBed = await startTestBed();
  const { workspace, requests } = testBed;
  const trainer = workspace.as(erin.id);
  const form = await (await trainer.command('/quiz-group assign')).view();
  const { view } = await trainer.submit(form, { quiz: quizId(testBed, forklift), group: 'Kitchen' });
  expect(textOf(view)).toContain(`*${forklift}* is closed, so nobody can take it until it’s open.`);
  const box = view?.blocks.find(({ block_id }) => block_id?.startsWith('confirmed '))?.block_id ?? '';
  const unticked = await trainer.submit(view!, {});
  expect(unticked.errors).toEqual({ [box]: 'Tick this to go on, or change your choice.' });
  expect(writes(requests)).toEqual([]);

  const other = await trainer.submit(view!, {
    quiz: quizId(testBed, 'First aid at work'),
    [box]: ['Do it all the same'],
  });
  expect(textOf(other.view)).toContain('*First aid at work* is in design');
  const otherBox = other.view?.blocks.find(({ block_id }) => block_id?.startsWith('confirmed '))?.block_id ?? '';
  expect(otherBox).not.toBe(box);
  const done = await trainer.submit(other.view!, { [otherBox]: ['Do it all the same'] });
  expect(textOf(done.view)).toContain('Assigned *First aid at work*');
  expect(writes(requests)).toHaveLength(1);
});
