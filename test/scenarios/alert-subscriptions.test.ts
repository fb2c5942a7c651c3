import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { takeQuiz } from '../support/take-quiz.ts';

const { ada, erin, nora, rosa, tom, zoe } = people;
const { training, general, archived, results } = channels;

/** Runs `act` and waits for the ephemeral answer to the person. The channel can get a message as well. */
async function answerTo({ workspace }: TestBed, personId: string, act: () => Promise<unknown>): Promise<Message> {
  const before = workspace.ephemerals(personId).length;
  await act();
  return workspace.until(() => workspace.ephemerals(personId)[before]);
}

async function sendCommand(testBed: TestBed, personId: string, command: string, channel: string = training.id): Promise<Message> {
  return answerTo(testBed, personId, () => testBed.workspace.as(personId).command(`/quiz-alerts ${command}`, { channel }));
}

async function replyTo(...command: Parameters<typeof sendCommand>): Promise<string> {
  return textOf(await sendCommand(...command));
}

/** The text of the last message in a channel. */
function lastIn({ workspace }: TestBed, channel: string): string {
  return textOf(workspace.messages(channel).at(-1));
}

/** Sends `/quiz-alerts list` and clicks a button of the list. @returns the answer to the click */
async function clickInList(testBed: TestBed, personId: string, actionId: string): Promise<string> {
  const { channel, ts } = await sendCommand(testBed, personId, 'list');
  return textOf(await answerTo(testBed, personId, () => testBed.workspace.as(personId).click({ channel, ts }, actionId)));
}

describe('/quiz-alerts subscribe', () => {
  test('subscribes with typed options and announces the subscription in the channel', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'subscribe workplace failed names off')).toContain('This channel hears of submitted quizzes now: Workplace safety basics, only failed, a message each, initials instead of names');
    const announcement = lastIn(testBed, training.id);
    expect(announcement).toContain(`<@${erin.id}> has this channel told of submitted quizzes: *Workplace safety basics*, only failed`);
    expect(announcement).toContain('/quiz-alerts subscribe \\"Workplace safety basics\\" failed each names off');
  });

  test('opens the form for the current channel when no options are typed', async () => {
    const { workspace } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const form = await (await trainer.command('/quiz-alerts subscribe', { channel: training.id })).view();
    expect(form.callback_id).toBe('subscribe-channel');
    expect(textOf(form)).toContain(`"initial_conversation":"${training.id}"`);
    const wrong = await trainer.submit(form, { delivery: 'daily', at: '25:00' });
    expect(wrong.errors).toEqual({ at: expect.stringContaining('“25:00”') });
    const { view } = await trainer.submit(form, { delivery: 'daily', at: '8:30', time_zone: 'Europe/Berlin' });
    expect(textOf(view)).toContain('Every quiz, a digest daily at 08:30 (Europe/Berlin)');
  });

  test('accepts another channel in the form and shows an error under the field if it cannot post there', async () => {
    const testBed = await startTestBed();
    const trainer = testBed.workspace.as(erin.id);
    const form = await (await trainer.command('/quiz-alerts subscribe', { channel: training.id })).view();
    const { errors } = await trainer.submit(form, { channel: general.id });
    expect(errors).toEqual({ channel: expect.stringContaining('/invite @Invigilator') });
    const { view } = await trainer.submit(form, { channel: results.id, filter: 'below', limit: '60 %' });
    expect(textOf(view)).toContain('only below 60 %');
    expect(lastIn(testBed, results.id)).toContain('only below 60 %');
  });

  test('accepts a typed channel', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'subscribe #quiz-results grade F')).toContain('#quiz-results hears of submitted quizzes now: Every quiz, only grade F');
    expect(lastIn(testBed, results.id)).toContain('only grade F');
  });

  test('uses the Slack time zone of the person when none is typed', async () => {
    const testBed = await startTestBed({ env: { TIME_ZONE: 'Asia/Tokyo', OWNERS: zoe.id } });
    expect(await replyTo(testBed, erin.id, 'subscribe all digest daily 8:30')).toContain('daily at 08:30 (UTC)');
    expect(await replyTo(testBed, zoe.id, 'subscribe all digest daily 8:30')).toContain('daily at 08:30 (Asia/Tokyo)');
  });

  test('explains how to invite the bot to a channel without it and stores nothing', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'subscribe all', general.id)).toContain('/invite @Invigilator');
    expect(await replyTo(testBed, erin.id, 'list', general.id)).toContain('Nothing is subscribed');
    expect(await replyTo(testBed, erin.id, 'subscribe all', archived.id)).toContain('The channel is archived');
  });

  test('refuses invalid options, with an example, and duplicate subscriptions', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'subscribe digest weekly')).toContain('“weekly”: such as digest daily 08:30');
    expect(await replyTo(testBed, erin.id, 'subscribe below 200')).toContain('“200” is not a percentage');
    await replyTo(testBed, erin.id, 'subscribe all');
    expect(await replyTo(testBed, tom.id, 'subscribe all each')).toContain('hears of that already: Every quiz, a message each');
  });

  test('asks for a channel when sent in a direct message', async () => {
    const testBed = await startTestBed();
    const direct = `D${erin.id.slice(1)}`;
    for (const typed of ['subscribe', 'subscribe all']) expect(await replyTo(testBed, erin.id, typed, direct)).toContain('Type this in a channel');
  });

  test('is only for people who can see results', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, nora.id, 'subscribe all')).toContain('You can’t edit quizzes.');
    expect(await replyTo(testBed, rosa.id, 'list')).toContain('Only trainers can work with quizzes.');
  });

  test('is audited with quiz and channel', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe workplace');
    await replyTo(testBed, erin.id, 'pause');
    const trail = textOf(await (await testBed.workspace.as(ada.id).command('/quiz-admin audit')).reply());
    expect(trail).toContain(`*subscribe channel: channel ${training.id}, Workplace safety basics* · done`);
    expect(trail).toContain(`*pause alerts: Workplace safety basics, a message each, channel ${training.id}* · done`);
  });
});

describe('/quiz-alerts list', () => {
  test('shows subscriptions of the channel, then the person’s own in other channels, and all to administrators', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe workplace failed');
    await replyTo(testBed, tom.id, 'subscribe all passed', results.id);
    const own = await replyTo(testBed, erin.id, 'list', results.id);
    expect(own).toContain('*1.* *Every quiz*, a message each\\nfrom the configuration');
    expect(own).toContain(`*2.* *Every quiz*, only passed, a message each\\nby <@${tom.id}>`);
    expect(own).toContain(`*3.* *Workplace safety basics*, only failed, a message each\\nin <#${training.id}> · by <@${erin.id}>`);
    expect(await replyTo(testBed, ada.id, 'list')).toContain('2 more are in other channels');
    expect(await replyTo(testBed, ada.id, 'list all')).toContain('*3 subscriptions*');
    expect(await replyTo(testBed, erin.id, 'list all')).toContain('Only administrators');
  });

  test('has buttons that test, pause, resume and end a subscription', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe workplace');
    expect(await clickInList(testBed, erin.id, 'ask:test-1')).toContain('A test is posted');
    expect(lastIn(testBed, training.id)).toContain('This is a test');
    expect(await clickInList(testBed, erin.id, 'ask:pause-1')).toContain('Paused until somebody resumes it: Workplace');
    expect(await replyTo(testBed, erin.id, 'list')).toContain(`⏸️ *1.* *Workplace safety basics*, a message each\\nby <@${erin.id}> · paused by <@${erin.id}> until it is resumed`);
    expect(await clickInList(testBed, erin.id, 'ask:resume-1')).toContain('Resumed: Workplace');
    expect(await clickInList(testBed, erin.id, 'ask:unsubscribe-1')).toContain('Unsubscribed: Workplace');
    expect(await replyTo(testBed, erin.id, 'list')).toContain('Nothing is subscribed');
  });

  test('offers the form in a channel without subscriptions', async () => {
    const { workspace } = await startTestBed();
    const list = await (await workspace.as(erin.id).command('/quiz-alerts list', { channel: training.id })).reply();
    const form = await (await workspace.as(erin.id).click({ channel: list.channel, ts: list.ts }, 'form:subscribe')).view();
    expect(textOf(form)).toContain(`"initial_conversation":"${training.id}"`);
  });
});

describe('/quiz-alerts unsubscribe, pause, resume and test', () => {
  test('ask which subscription is meant if a channel has several, and accept its number or its quiz', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe workplace');
    await replyTo(testBed, erin.id, 'subscribe all digest hourly');
    const question = await sendCommand(testBed, erin.id, 'pause for 2h');
    expect(textOf(question)).toContain('Which ones?');
    await testBed.workspace.as(erin.id).click({ channel: question.channel, ts: question.ts }, 'choose:1');
    await testBed.workspace.until(() => /Paused until .* \(UTC\): Every quiz, a digest every hour/.test(textOf(testBed.workspace.ephemerals(erin.id).at(-1))));
    expect(await replyTo(testBed, erin.id, 'test workplace')).toContain('A test is posted in the channel: Workplace');
    expect(await replyTo(testBed, erin.id, 'resume 2')).toContain('Resumed: Every quiz, a digest every hour');
    expect(await replyTo(testBed, erin.id, 'unsubscribe 1')).toContain('Unsubscribed: Workplace');
    expect(await replyTo(testBed, erin.id, 'unsubscribe')).toContain('Unsubscribed: Every quiz, a digest every hour');
    expect(await replyTo(testBed, erin.id, 'unsubscribe')).toContain('This channel has no alerts');
  });

  test('pause and resume the subscription of ALERTS_CHANNEL but do not end it', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'unsubscribe', results.id)).toContain('ALERTS_CHANNEL');
    expect(await replyTo(testBed, erin.id, 'pause until 2020-01-01', results.id)).toContain('is over already');
    expect(await replyTo(testBed, erin.id, 'pause for 2h', results.id)).toContain('Paused until');
    expect(await replyTo(testBed, erin.id, 'resume', results.id)).toContain('Resumed');
    expect(await replyTo(testBed, erin.id, 'resume', results.id)).toContain('It was not paused');
  });
});

test('an owner is notified when the bot cannot post in their channel, and resumes from the direct message', async () => {
  const testBed = await startTestBed();
  const { workspace } = testBed;
  await replyTo(testBed, erin.id, 'subscribe all');
  await workspace.as(erin.id).remove(training.id);
  const [open] = testBed.quizService.database.all<{ quiz_id: string }>("SELECT quiz_id FROM quizzes WHERE status = 'open'");
  await takeQuiz(testBed.quizService.url, open?.quiz_id ?? '');
  const notification = await workspace.until(() => workspace.directMessages(erin.id).at(-1));
  expect(textOf(notification)).toContain(`Alerts in <#${training.id}> are paused: Invigilator isn’t in the channel`);
  expect(textOf(notification)).toContain('What was not posted (1 submission)');
  await workspace.as(erin.id).invite(training.id);
  const answer = await answerTo(testBed, erin.id, () => workspace.as(erin.id).click({ channel: notification.channel, ts: notification.ts }, 'ask:resume'));
  expect(textOf(answer)).toContain('Resumed: Every quiz, a message each. The submission that waits is posted now.');
  await workspace.until(() => lastIn(testBed, training.id).includes('Ines Guest'));
});
