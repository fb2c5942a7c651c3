import { describe, expect, test } from 'vitest';
import type { Channel, Message } from '../../src/sandbox/workspace/model.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { sendEvent } from '../support/event.ts';
import { mrkdwnTexts } from '../support/slack-limits.ts';
import { startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
import { takeQuiz } from '../support/take-quiz.ts';

const { ada, erin, nora, rosa, tom } = people;
const { training, general, archived, results } = channels;

/** Runs `act` and waits for the ephemeral answer to the person. The channel can get a message as well. */
async function answerTo({ workspace }: TestBed, personId: string, act: () => Promise<unknown>): Promise<Message> {
  const before = workspace.ephemerals(personId).length;
  await act();
  return workspace.until(() => workspace.ephemerals(personId)[before]);
}

async function sendCommand(
  testBed: TestBed,
  personId: string,
  command: string,
  channel: string = training.id,
): Promise<Message> {
  return answerTo(testBed, personId, () =>
    testBed.workspace.as(personId).command(`/quiz-alerts ${command}`, { channel }),
  );
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
  return textOf(
    await answerTo(testBed, personId, () => testBed.workspace.as(personId).click({ channel, ts }, actionId)),
  );
}

describe('/quiz-alerts subscribe', () => {
  test('subscribes with typed options and announces the subscription in the channel', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'subscribe workplace failed names off')).toContain(
      'Subscribed this channel to results of *Workplace safety basics*: failed only, one message per submission, initials instead of names.',
    );
    const announcement = lastIn(testBed, training.id);
    expect(announcement).toContain(
      `<@${erin.id}> subscribed this channel to results of *Workplace safety basics*: failed only, one message per submission, initials instead of names`,
    );
    expect(announcement).toContain('/quiz-alerts subscribe \\"Workplace safety basics\\" failed each names off');
  });

  test('opens the form for the current channel when no options are typed', async () => {
    const { workspace } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const form = await (await trainer.command('/quiz-alerts subscribe', { channel: training.id })).view();
    expect(form.callback_id).toBe('subscribe-channel');
    expect(textOf(form)).toContain(`"initial_conversation":"${training.id}"`);
    await trainer.click({ view: form }, { block: 'delivery' }, 'daily');
    const daily = await workspace.until(() =>
      workspace.views(erin.id).find(({ blocks }) => blocks.some(({ block_id }) => block_id === 'at')),
    );
    const wrong = await trainer.submit(daily, { at: '25:00' });
    expect(wrong.errors).toEqual({ at: expect.stringContaining('“25:00”') });
    const { view } = await trainer.submit(daily, { at: '8:30', time_zone: 'Europe/Berlin' });
    expect(textOf(view)).toContain('results of every quiz: a daily digest at 08:30 (Berlin time).');
  });

  test('shows the field that it lacks to who submits the form before it came', async () => {
    const { workspace } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const form = await (await trainer.command('/quiz-alerts subscribe', { channel: training.id })).view();
    const { errors, view } = await trainer.submit(form, { filter: 'below' });
    expect(errors).toBeUndefined();
    expect(view?.blocks.map(({ block_id }) => block_id)).toContain('limit');
    expect(textOf(view)).toContain('⚠️');
  });

  test('accepts another channel in the form and shows an error under the field if it cannot post there', async () => {
    const testBed = await startTestBed();
    const trainer = testBed.workspace.as(erin.id);
    const form = await (await trainer.command('/quiz-alerts subscribe', { channel: training.id })).view();
    const { errors } = await trainer.submit(form, { channel: general.id });
    expect(errors).toEqual({ channel: expect.stringContaining('/invite @Invigilator') });
    await trainer.click({ view: form }, { block: 'filter' }, 'below');
    const below = await testBed.workspace.until(() =>
      testBed.workspace.views(erin.id).find(({ blocks }) => blocks.some(({ block_id }) => block_id === 'limit')),
    );
    const { view } = await trainer.submit(below, { channel: results.id, limit: '60 %' });
    expect(textOf(view)).toContain('below 60% only');
    expect(lastIn(testBed, results.id)).toContain('below 60% only');
  });

  test('shows only the inputs that apply, and keeps what was entered in the others', async () => {
    const { workspace } = await startTestBed();
    const trainer = workspace.as(erin.id);
    const form = await (await trainer.command('/quiz-alerts subscribe', { channel: training.id })).view();
    const inputs = () =>
      workspace
        .views(erin.id)[0]
        ?.blocks.flatMap((block) => (block.type === 'input' ? [[block.block_id, block.label.text]] : [])) ?? [];
    const choose = async (block: string, value: string, isShown: (labels: string[]) => boolean) => {
      await trainer.click({ view: form.id }, { block }, value);
      await workspace.until(() => isShown(inputs().map(([, label]) => label ?? '')));
    };
    expect(inputs().map(([name]) => name)).toEqual(['channel', 'quiz', 'filter', 'delivery', 'names']);

    await trainer.fill(form.id, { names: ['off'] });
    await choose('delivery', 'daily', (labels) => labels.includes('Time'));
    await trainer.fill(form.id, { at: '08:30' });
    await choose('filter', 'grade', (labels) => labels.includes('Grade'));
    await choose('filter', 'below', (labels) => labels.includes('Percentage'));
    await choose('delivery', 'each', (labels) => !labels.includes('Time'));
    expect(inputs().map(([name]) => name)).toEqual(['channel', 'quiz', 'filter', 'limit', 'delivery', 'names']);
    await choose('delivery', 'daily', (labels) => labels.includes('Time'));
    await choose('filter', 'all', (labels) => !labels.includes('Percentage'));
    expect(workspace.views(erin.id)[0]?.state.values).toMatchObject({
      at: { value: { value: '08:30' } },
      names: { value: { selected_options: [{ value: 'off' }] } },
    });
    const { view } = await trainer.submit(form.id);
    expect(textOf(view)).toContain('daily');
    expect(textOf(view)).toContain('initials');
  });

  test('explains how to invite the bot to a channel without it and stores nothing', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'subscribe all', general.id)).toContain('/invite @Invigilator');
    expect(await replyTo(testBed, erin.id, 'list', general.id)).toContain('This channel has no subscriptions');
    expect(await replyTo(testBed, erin.id, 'subscribe all', archived.id)).toContain('The channel is archived');
  });

  test('to all means every quiz, which a channel has once', async () => {
    const testBed = await startTestBed();
    const what = 'to results of every quiz: one message per submission.';
    expect(await replyTo(testBed, erin.id, 'subscribe to all')).toContain(`Subscribed this channel ${what}`);
    expect(await replyTo(testBed, tom.id, 'subscribe all each')).toContain(
      `This channel was already subscribed ${what} Nothing changed.`,
    );
  });

  test('asks for a channel in a direct message, also in one of several people, which the bot isn’t in', async () => {
    const group: Channel = { id: 'C0GROUP', name: 'mpdm-ada--erin--tom-1', kind: 'mpim', members: [erin.id, tom.id] };
    const testBed = await startTestBed({ workspace: { channels: [group] } });
    for (const typed of ['subscribe', 'subscribe all']) {
      expect(await replyTo(testBed, erin.id, typed, `D${erin.id.slice(1)}`)).toContain('Type this in a channel');
      expect(await replyTo(testBed, erin.id, typed, group.id)).toContain(
        'Alerts go to channels, not to direct messages. Type this in a channel, or name one',
      );
    }
    expect(await replyTo(testBed, erin.id, 'list all', group.id)).not.toContain(group.id);
    expect(await replyTo(testBed, erin.id, 'subscribe #training all', group.id)).toContain('Subscribed');
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
    const started = await testBed.workspace.as(ada.id).command('/quiz-campaign start food for @rosa board here');
    await started.reply();
    const trail = textOf(await (await testBed.workspace.as(ada.id).command('/quiz-admin audit')).reply());
    expect(trail).toContain(`subscribed the channel to results of *Workplace safety basics* · <#${training.id}>`);
    expect(trail).toContain(`paused alerts for *Workplace safety basics* · <#${training.id}>`);
    expect(trail).toContain('used `/quiz-campaign start`');
    expect(trail).not.toContain('channel C0');
  });
});

describe('/quiz-alerts list', () => {
  test('shows subscriptions of the channel, then the person’s own in other channels, and all to administrators', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe workplace failed');
    await replyTo(testBed, tom.id, 'subscribe all passed', results.id);
    const own = await replyTo(testBed, erin.id, 'list', results.id);
    expect(own).toContain('*1.* Every quiz: one message per submission\\nset up in the bot’s configuration');
    expect(own).toContain(`*2.* Every quiz: passed only, one message per submission\\nsubscribed by <@${tom.id}>`);
    expect(own).toContain(
      `*3.* *Workplace safety basics*: failed only, one message per submission\\nin <#${training.id}> · subscribed by <@${erin.id}>`,
    );
    expect(await replyTo(testBed, ada.id, 'list')).toContain('2 subscriptions in other channels');
    expect(await replyTo(testBed, ada.id, 'list all')).toContain('*3 subscriptions*');
    expect(await replyTo(testBed, erin.id, 'list all')).toContain('Only administrators');
  });

  test('has buttons that test, pause, resume and end a subscription', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'subscribe workplace')).toContain('Subscribed this channel');
    expect(await clickInList(testBed, erin.id, 'ask:test-alerts')).toContain(
      'Posted a sample alert for *Workplace safety basics* in this channel.',
    );
    expect(lastIn(testBed, training.id)).toContain('This is a test');
    expect(await clickInList(testBed, erin.id, 'ask:pause-alerts')).toContain(
      'Paused alerts for *Workplace safety basics*. Results are kept for 7 days.',
    );
    expect(await replyTo(testBed, erin.id, 'list')).toContain(
      `⏸️ *1.* *Workplace safety basics*: one message per submission\\nsubscribed by <@${erin.id}> · paused by <@${erin.id}>"`,
    );
    expect(await clickInList(testBed, erin.id, 'ask:resume-alerts')).toContain(
      'Resumed alerts for *Workplace safety basics*.',
    );
    expect(await clickInList(testBed, erin.id, 'ask:unsubscribe-channel')).toContain(
      'Unsubscribed this channel from results of *Workplace',
    );
    expect(await replyTo(testBed, erin.id, 'list')).toContain('This channel has no subscriptions');
  });
});

/** Sends a command and clicks a button below the answer, which the answer to the click replaces. @returns both answers */
async function clickBelowAnswer(
  testBed: TestBed,
  personId: string,
  command: string,
  label: string,
  channel?: string,
): Promise<[before: string, after: string]> {
  const { workspace } = testBed;
  const answer = await sendCommand(testBed, personId, command, channel);
  const before = textOf(answer);
  await workspace.as(personId).click(answer, buttonLabelled(answer, label));
  const after = await workspace.until(() => {
    const shown = textOf(workspace.ephemerals(personId).at(-1));
    return shown === before ? undefined : shown;
  });
  return [before, after];
}

function buttonLabelled({ blocks = [] }: Message, label: string): string {
  const buttons = blocks.flatMap((block) =>
    'elements' in block ? (block.elements as { action_id?: string; text?: { text: string } }[]) : [],
  );
  return buttons.find(({ text }) => text?.text === label)?.action_id ?? `no button ${label}`;
}

describe('the answer to a change of subscriptions', () => {
  test.each([
    ['every option', 'subscribe workplace below 60 digest daily 08:30 Europe/Berlin names off'],
    ['a digest at midnight', 'subscribe all digest daily 24:00'],
  ])('takes unsubscribing back, with %s, for the person who clicks', async (_, subscribe) => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, subscribe);
    const listed = mrkdwnTexts((await sendCommand(testBed, tom.id, 'list')).blocks ?? []);
    const [before, after] = await clickBelowAnswer(testBed, tom.id, 'unsubscribe', 'Undo');
    expect(before).toContain('Unsubscribed this channel from results of ');
    expect(before).not.toContain('waiting');
    expect(after).toContain('Subscribed this channel to results of ');
    expect(after).not.toContain('24:00');
    expect(mrkdwnTexts((await sendCommand(testBed, tom.id, 'list')).blocks ?? [])).toEqual(
      listed.map((text) => text.replace(erin.id, tom.id)),
    );
  });

  test('says that submissions that were waiting are gone', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe all');
    await replyTo(testBed, erin.id, 'pause');
    await sendEvent(testBed.url);
    await testBed.workspace.until(() => lastIn(testBed, results.id).includes('Rosa Almeida'));
    expect(await replyTo(testBed, erin.id, 'unsubscribe')).toContain(
      'The submission that was waiting won’t be posted.',
    );
  });

  test('resumes what was paused, and pauses again until the same time', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe all');
    const [paused, resumed] = await clickBelowAnswer(testBed, erin.id, 'pause for 2h', 'Resume');
    expect(paused).toMatch(/Paused alerts for every quiz until <[^>]*:\d\d>\. Results/);
    expect(resumed).toContain('Resumed alerts for every quiz.');
    await replyTo(testBed, erin.id, 'pause for 2h');
    const [, again] = await clickBelowAnswer(testBed, erin.id, 'resume', 'Pause again');
    expect(again).toMatch(/Paused alerts for every quiz until <[^>]*:\d\d>\. Results/);
  });
});

describe('/quiz-alerts unsubscribe, pause, resume and test', () => {
  test('ask which subscription is meant if a channel has several or its number is typed, which can be another’s by then, and accept its quiz', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe workplace');
    await replyTo(testBed, erin.id, 'subscribe all digest hourly');
    const question = await sendCommand(testBed, erin.id, 'pause for 2h');
    expect(textOf(question)).toContain('Several subscriptions match. Which one?');
    await testBed.workspace.as(erin.id).click({ channel: question.channel, ts: question.ts }, 'choose:pause-alerts-1');
    await testBed.workspace.until(() =>
      /Paused the hourly digest of every quiz until /.test(textOf(testBed.workspace.ephemerals(erin.id).at(-1))),
    );
    expect(await replyTo(testBed, erin.id, 'test workplace')).toContain('Posted a sample alert for *Workplace');
    const [which, resumed] = await clickBelowAnswer(testBed, erin.id, 'resume 2', 'Every quiz: an hourly digest');
    expect(which).toContain('“2” is this one in the list now. Is this the subscription you mean?');
    expect(resumed).toContain('Resumed the hourly digest of every quiz.');
    const first = 'Workplace safety basics: one message per submission';
    const [, gone] = await clickBelowAnswer(testBed, erin.id, 'unsubscribe 1', first);
    expect(gone).toContain('Unsubscribed this channel from results of *Workplace');
    expect(await replyTo(testBed, erin.id, 'unsubscribe 1')).toContain('Every quiz: an hourly digest');
    expect(await replyTo(testBed, erin.id, 'unsubscribe')).toContain(
      'Unsubscribed this channel from results of every quiz: an hourly digest',
    );
    expect(await replyTo(testBed, erin.id, 'unsubscribe')).toContain('This channel has no subscriptions');
  });

  test('know a quiz by the name that it has now', async () => {
    const testBed = await startTestBed();
    await replyTo(testBed, erin.id, 'subscribe workplace');
    await (await testBed.workspace.as(erin.id).command('/quiz rename workplace to Safety first')).reply();
    expect(await replyTo(testBed, erin.id, 'pause safety first')).toContain('Paused alerts for *Safety first*.');
    expect(await replyTo(testBed, erin.id, 'list')).toContain('*Safety first*: one message per submission');
  });

  test('pause and resume the subscription of ALERTS_CHANNEL but do not end it', async () => {
    const testBed = await startTestBed();
    expect(await replyTo(testBed, erin.id, 'unsubscribe', results.id)).toContain('ALERTS_CHANNEL');
    expect(await replyTo(testBed, erin.id, 'pause until 2020-01-01', results.id)).toContain('is over already');
    expect(await replyTo(testBed, erin.id, 'pause for 2h', results.id)).toContain(
      'Paused alerts for every quiz until <',
    );
    expect(await replyTo(testBed, erin.id, 'resume', results.id)).toContain('Resumed alerts for');
    expect(await replyTo(testBed, erin.id, 'resume', results.id)).toContain('weren’t paused. Nothing changed.');
  });
});

test('an owner is notified when the bot cannot post in their channel, and resumes from the direct message', async () => {
  const testBed = await startTestBed();
  const { workspace } = testBed;
  await replyTo(testBed, erin.id, 'subscribe all');
  await workspace.as(erin.id).remove(training.id);
  const [open] = testBed.quizService.database.all<{ quiz_id: string }>(
    "SELECT quiz_id FROM quizzes WHERE status = 'open'",
  );
  await takeQuiz(testBed.quizService.url, open?.quiz_id ?? '');
  const notification = await workspace.until(() => workspace.directMessages(erin.id).at(-1));
  expect(textOf(notification)).toContain(`Alerts in <#${training.id}> are paused: Invigilator isn’t in the channel`);
  expect(textOf(notification)).toContain('Submissions are kept for 7 days, and 1 is waiting.');
  const resume = async () =>
    textOf(
      await answerTo(testBed, erin.id, () =>
        workspace.as(erin.id).click({ channel: notification.channel, ts: notification.ts }, 'ask:resume-alerts'),
      ),
    );
  expect(await resume()).toContain(
    'Invigilator isn’t in the channel. Type /invite @Invigilator there. Then try again.',
  );
  await workspace.as(erin.id).invite(training.id);
  expect(await resume()).toContain(
    'Resumed alerts for every quiz in the channel. The submission that was waiting will be posted now.',
  );
  await workspace.until(() => lastIn(testBed, training.id).includes('Ines Guest'));
});
