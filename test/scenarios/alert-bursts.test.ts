import { describe, expect, inject, test } from 'vitest';
import { runBurst } from '../support/burst.ts';
import { mrkdwnTexts } from '../support/slack-limits.ts';
import { eventBody, numberedName, sendEvent, worstAlerts } from '../support/event.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import type { Block } from '../../src/sandbox/workspace/block-kit/blocks.ts';
import { messageSize } from '../../src/sandbox/workspace/block-kit/validate.ts';
import type { Message } from '../../src/sandbox/workspace/model.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { readAnnouncements } from '../support/delivery-report.ts';
import { fastProcessClock, fastTime } from '../support/fast-clock.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';

test('posts a few messages with every name for a burst of 300 submissions to 15 quizzes', async () => {
  const { messages, announced, unnamed, sentMs } = await runBurst({
    events: 300,
    channels: 0,
    quizzes: 15,
    installation: inject('installation'),
  });
  expect([announced, unnamed]).toEqual([300, 0]);
  // One message per second while webhooks arrive, which takes longer on a busy machine, and up to three more.
  expect(messages).toBeLessThanOrEqual(3 + Math.ceil(sentMs / 1_000));
});

test('the alerts that are hardest to word say what is known, and nothing else', async () => {
  const { workspace, url } = await startTestBed();
  const results = workspace.channels.results.id;
  for (const [index, { body, says, isWithout }] of worstAlerts.entries()) {
    expect((await sendEvent(url, body(1))).status).toBe(200);
    const message = await workspace.until(() => workspace.messages(results)[index]);
    const texts = mrkdwnTexts(message.blocks ?? []);
    expect(texts[0]).toBe(says);
    expect([message.text, ...texts].join('\n')).not.toMatch(isWithout);
  }

  for (const { body } of worstAlerts) expect((await sendEvent(url, body(2))).status).toBe(200);
  const burst = await workspace.until(() =>
    workspace.messages(results).find((message) => textOf(message).includes('📬')),
  );
  const lines = mrkdwnTexts(burst.blocks ?? [])
    .join('\n')
    .split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '📋 *Rosa Almeida* · not graded',
      '🖊️ *Kofi Brandt* · waiting to be marked',
      '✅ *Guest* · 90% (9 of 10 points)',
      '✅ *Juno Kaya* · 90% (9 of 10 points), grade A',
      '❌ *Rosa Almeida* · 33.3% (0.3 of 0.9 points), grade F',
    ]),
  );
  for (const line of lines) expect(line).not.toMatch(/undefined|null|NaN|\.\d{3}|visitor\.example|<p>|&lt;/);
});

describe('300 people at once', () => {
  const people = Array.from({ length: 300 }, (_, index) => numberedName(index + 1));

  const bodyOf = (name: string, index: number, quizzes: number): string =>
    eventBody(
      { event_id: `split-${index}` },
      {
        response_id: `split-${index}`,
        quiz_id: `q-${index % quizzes}`,
        quiz_name: `Workplace safety, part ${index % quizzes}`,
        first_name: 'Maximiliana',
        last_name: name,
      },
    );

  /** Sends a submission of each person while Slack takes no message, so that all of them wait together. */
  async function sendAll(workspace: Workspace, url: string, quizzes: number): Promise<void> {
    const release = workspace.faults.inject({ kind: 'rate-limited', retryAfterS: 1 }, { method: 'chat.postMessage' });
    const answers = await Promise.all(people.map(async (name, index) => sendEvent(url, bodyOf(name, index, quizzes))));
    release();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }

  const namesIn = (messages: readonly Message[]): string[] => readAnnouncements(messages).flatMap(({ names }) => names);
  const sizeOf = ({ blocks = [] }: { blocks?: unknown }): number =>
    messageSize((typeof blocks === 'string' ? JSON.parse(blocks) : blocks) as Block[]);

  test.each([
    ['one quiz', 1, 13_422],
    ['15 quizzes, where Slack takes less', 15, 11_341],
  ])('who submitted %s are all named once, in as few messages as Slack takes', async (_, quizzes, sizeAtMost) => {
    const { workspace, url } = await startTestBed(fastTime(3));
    const results = workspace.channels.results.id;
    await sendAll(workspace, url, quizzes);
    workspace.faults.inject(
      { kind: 'api-error', error: 'msg_blocks_too_long' },
      { method: 'chat.postMessage', when: (args) => sizeOf(args) > sizeAtMost },
    );
    await workspace.until(() => namesIn(workspace.messages(results)).length >= people.length);

    const messages = workspace.messages(results);
    expect(namesIn(messages).toSorted()).toEqual(people);
    const sizes = messages.map((message) => sizeOf(message));
    process.stdout.write(
      `300 people over ${quizzes} quizzes, at most ${sizeAtMost}: ${sizes.length} messages of the sizes ${sizes.join(', ')}\n`,
    );
    const fewest = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / sizeAtMost);
    // The halves of a refused message can leave room for people who need another message.
    expect(messages.length).toBeLessThanOrEqual(fewest + 1);
  });

  test('a bot that is killed between two messages of a burst names everybody once', async () => {
    const {
      workspace,
      bots: [bot],
      close,
    } = await openProcessTestBed({ store: 'sqlite', installation: inject('installation'), clock: fastProcessClock(4) });
    try {
      const results = workspace.channels.results.id;
      await sendAll(workspace, bot?.url ?? '', 40);
      await workspace.until(() => workspace.messages(results).length > 0);
      const killed = Promise.withResolvers<void>();
      workspace.faults.inject(
        { kind: 'lost-answer' },
        {
          method: 'chat.postMessage',
          times: 1,
          when: () => {
            void bot?.kill().then(killed.resolve);
            return true;
          },
        },
      );
      await killed.promise;
      await bot?.start();
      await workspace.until(() => namesIn(workspace.messages(results)).length >= people.length);
      await bot?.kill();
      expect(namesIn(workspace.messages(results)).toSorted()).toEqual(people);
      expect(workspace.messages(results).length).toBeGreaterThan(1);
    } finally {
      await close();
    }
  });
});
