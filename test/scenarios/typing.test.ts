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
    await workspace.until(() => textOf(workspace.ephemerals(erin.id).at(-1)).includes('fits'));
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
