import { describe, expect, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const { ada, erin, rosa } = people;

describe('a verb that is nearly right', () => {
  test('is offered as a button that runs it with the rest of the line, and the answer replaces the offer', async () => {
    const { workspace, quizService } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const offer = await (await trainer.command('/quiz clsoe workplace')).reply();
    expect(textOf(offer)).toContain('There’s no `/quiz clsoe`. Did you mean `/quiz close workplace`?');
    expect(textOf(offer)).toContain('Run /quiz close workplace');
    await trainer.click({ channel: offer.channel, ts: offer.ts }, 'line:0');
    await workspace.until(() => quizService.database.get("SELECT status FROM quizzes WHERE name = 'Workplace safety basics' AND status = 'closed'"));
    await workspace.until(() => workspace.ephemerals(erin.id).every((message) => !textOf(message).includes('Did you mean')));
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
    await workspace.until(() => quizService.database.get("SELECT suspended FROM users WHERE user_name = 'rosa@quiz.example' AND suspended = 1"));
  });

  test('that deletes opens the form, and changes nothing before', async () => {
    const { workspace } = await startTestBed();
    const offer = await (await workspace.as(ada.id).command('/quiz delte forklift')).reply();
    const form = await (await workspace.as(ada.id).click({ channel: offer.channel, ts: offer.ts }, 'line:0')).view();
    expect(form.callback_id).toBe('delete-quiz');
  });

  test('asks which of several things is meant, like a typed line', async () => {
    const { workspace } = await startTestBed();
    const offer = await (await workspace.as(erin.id).command('/quiz shwo a')).reply();
    await workspace.as(erin.id).click({ channel: offer.channel, ts: offer.ts }, 'line:0');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('matches'));
  });
});

describe('a filter of results', () => {
  const quiz = 'Workplace safety basics';

  test.each([
    ['workplace passed since 2020-01-01', 'only passed since 2020-01-01'],
    ['passed workplace', 'only passed'],
    ['workplace for passed', 'only passed'],
    ['workplace kitchen failed', 'only failed Kitchen'],
    ['workplace safety rosa', 'only rosa'],
    [`“${quiz}” rosa almeida`, 'only rosa almeida'],
    ['workplace <@U0000ROSA|rosa>', 'only @rosa'],
  ])('is read in “%s”', async (line, words) => {
    const { workspace } = await startTestBed();
    const results = textOf(await (await workspace.as(erin.id).command(`/quiz results ${line}`)).reply());
    expect(results).toContain(`${quiz}*`);
    expect(results).toContain(words);
  });

  test('by a group shows the attempts of its members only', async () => {
    const { workspace, quizService } = await startTestBed();
    const members = quizService.database.all<{ name: string }>(
      `SELECT DISTINCT r.first_name || ' ' || r.last_name AS name FROM responses r JOIN quizzes q ON q.quiz_id = r.quiz_id JOIN user_groups m ON m.user_id = r.user_id
       JOIN groups g ON g.group_id = m.group_id WHERE q.name = ? AND g.group_name = 'Kitchen' AND r.status = 'submitted'`,
      [quiz],
    );
    const others = quizService.database.all<{ name: string }>(`SELECT DISTINCT r.first_name || ' ' || r.last_name AS name FROM responses r JOIN quizzes q ON q.quiz_id = r.quiz_id WHERE q.name = ?`, [quiz])
      .filter(({ name }) => !members.some((member) => member.name === name));
    const results = textOf(await (await workspace.as(erin.id).command('/quiz results workplace kitchen')).reply());
    expect(members.length).toBeGreaterThan(0);
    for (const { name } of members) expect(results).toContain(name);
    for (const { name } of others) expect(results).not.toContain(`"${name}"`);
  });

  test('with a name of nobody offers users and groups alike, and a button shows the results of that group', async () => {
    const { workspace } = await startTestBed();
    const question = await (await workspace.as(erin.id).command('/quiz results workplace kitchn')).reply();
    expect(textOf(question)).toContain('No user or group is called “kitchn”. Did you mean');
    const labels = (question.blocks ?? []).flatMap((block) => (block.type === 'actions' ? block.elements : [])).map((element) => ('text' in element ? element.text.text : ''));
    expect(labels).toContain('Kitchen');
    await workspace.as(erin.id).click({ channel: question.channel, ts: question.ts }, `choose:${labels.indexOf('Kitchen')}`);
    await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('only Kitchen'));
  });

  test('with a part of a name that several quizzes have asks which quiz, and keeps the rest of the line', async () => {
    const { workspace } = await startTestBed();
    const question = await (await workspace.as(erin.id).command('/quiz results a passed rosa')).reply();
    expect(textOf(question)).toContain('“a” matches');
    await workspace.as(erin.id).click({ channel: question.channel, ts: question.ts }, 'choose:0');
    await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('only passed rosa'));
  });
});

test('help begins with what people do most, and a button shows the rest', async () => {
  const { workspace } = await startTestBed();
  const trainer = workspace.as(erin.id);
  const help = await (await trainer.command('/quiz help')).reply();
  expect(textOf(help)).toContain('/quiz results');
  expect(textOf(help)).not.toContain('/quiz rename');
  await trainer.click({ channel: help.channel, ts: help.ts }, 'line:all');
  await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('/quiz rename'));
});
