import { describe, expect, test } from 'vitest';
import type { Announcement, ListAnnouncement } from '../../../src/domain/announcement.ts';
import { PlatformError } from '../../../src/domain/errors.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import { channels } from '../../../src/sandbox/workspace/people.ts';
import { createAnnouncementChannel, createPosting, countFitting } from '../../../src/slack/announcing/post.ts';
import { createOpenDirectMessages } from '../../../src/slack/people/direct-messages.ts';
import { digest, digestOfQuiz, submission, subscription } from '../../support/builders/alerts.ts';
import { openSlack } from '../open-slack.ts';
import fc from 'fast-check';
import { announcementMessage } from '../../../src/slack/views/announcement.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { sentTexts, problemsOfMessage, problemsOfSize } from '../../support/slack-limits.ts';
import { runs } from '../../support/drawn.ts';

const { id: channelId } = channels.results;
const submitted = (name: string): Announcement => ({
  kind: 'submission',
  submission: submission({ name }),
  showsNames: true,
  postedAt: 0,
});

async function setUp() {
  const { workspace, client } = await openSlack();
  const channel = createAnnouncementChannel(client, createPosting(client), createOpenDirectMessages({ client }));
  const namesIn = (where: string) =>
    workspace.messages(where).map(({ text }) => /^\S+ (\w+) passed /.exec(inEnglish(text ?? ''))?.[1]);
  return { workspace, channel, namesIn };
}

describe('a channel in Slack', () => {
  test('shows announcements, and finds each again by its key', async () => {
    const { namesIn, channel } = await setUp();
    const first = await channel.post(channelId, submitted('Rosa'), { key: 'm-1' });
    const second = await channel.post(channelId, submitted('Ravi'), { key: 'm-2' });
    expect(namesIn(channelId)).toEqual(['Rosa', 'Ravi']);
    expect(await channel.find(channelId, 'm-1', {})).toBe(first);
    expect(await channel.find(channelId, 'm-3', {})).toBeUndefined();
    expect(await channel.find(channelId, 'm-1', { after: first })).toBeUndefined();
    expect(await channel.find(channelId, 'm-2', { after: first })).toBe(second);
  });

  test('is searched no further back than the message before', async () => {
    const { workspace, channel } = await setUp();
    const first = await channel.post(channelId, submitted('Rosa'), { key: 'm-1' });
    await channel.find(channelId, 'm-2', { after: first });
    await channel.find(channelId, 'm-2', { threadId: first, after: first });
    const lookups = workspace.calls.filter(({ method }) => method.startsWith('conversations.'));
    expect(lookups.map(({ method, args }) => [method, args['channel'], args['oldest']])).toEqual([
      ['conversations.history', channelId, first],
      ['conversations.replies', channelId, first],
    ]);
  });

  test('finds a message that is many pages back', async () => {
    const { channel } = await setUp();
    const first = await channel.post(channelId, submitted('Rosa'), { key: 'first' });
    for (let count = 0; count < 410; count += 1)
      await channel.post(channelId, submitted('Ravi'), { key: `m-${count}` });
    expect(await channel.find(channelId, 'first', {})).toBe(first);
  });

  test('has threads, in which a message is found as well', async () => {
    const { channel } = await setUp();
    const threadId = await channel.post(channelId, submitted('Rosa'), { key: 'p' });
    const reply = await channel.post(channelId, submitted('Ravi'), { key: 'c', threadId });
    expect(await channel.find(channelId, 'c', { threadId, after: threadId })).toBe(reply);
    expect(await channel.find(channelId, 'c', {})).toBeUndefined();
  });

  test('has nothing to find for a bot that may not read it', async () => {
    const { workspace, channel } = await setUp();
    await channel.post(channelId, submitted('Rosa'), { key: 'm-1' });
    workspace.faults.inject(
      { kind: 'api-error', error: 'missing_scope' },
      { method: 'conversations.history', times: 1 },
    );
    expect(await channel.find(channelId, 'm-1', {})).toBeUndefined();
    workspace.faults.inject(
      { kind: 'api-error', error: 'not_in_channel' },
      { method: 'conversations.history', times: 1 },
    );
    await expect(channel.find(channelId, 'm-1', {})).rejects.toMatchObject({ kind: 'closed' });
  });

  test('gets plain sections where Slack refuses a block, and text alone where it refuses those', async () => {
    const { workspace, channel } = await setUp();
    const charted: Announcement = {
      kind: 'digest',
      digest: digest({ quizzes: [digestOfQuiz({ percentages: [10, 20, 30, 40, 50] })] }),
      subscription: subscription({ delivery: { kind: 'digest', every: 'hour' } }),
    };
    await channel.post(channelId, charted);
    for (const times of [1, 2]) {
      workspace.faults.inject({ kind: 'api-error', error: 'invalid_blocks' }, { method: 'chat.postMessage', times });
      await channel.post(channelId, charted);
    }
    const [whole, plain, text] = workspace
      .messages(channelId)
      .map(({ blocks = [] }) => blocks.map(({ type }): string => type));
    expect(whole).toContain('data_visualization');
    expect(plain).toContain('section');
    expect(plain).not.toContain('data_visualization');
    expect(text).not.toContain('divider');
    workspace.faults.inject({ kind: 'api-error', error: 'invalid_blocks' }, { method: 'chat.postMessage', times: 3 });
    await expect(channel.post(channelId, charted)).rejects.toMatchObject({
      kind: 'bad_message',
      code: 'invalid_blocks',
    });
  });

  test('refuses what is too long and can be split, and gets the text of anything else', async () => {
    const { workspace, channel } = await setUp();
    const items = ['Rosa', 'Ravi'].map((name) => ({ submission: submission({ name }), showsNames: true }));
    workspace.faults.inject(
      { kind: 'api-error', error: 'msg_blocks_too_long' },
      { method: 'chat.postMessage', when: ({ blocks }) => blocks !== undefined },
    );
    await expect(channel.post(channelId, { kind: 'submissions', items, postedAt: 0 })).rejects.toMatchObject({
      kind: 'too_long',
      code: 'msg_blocks_too_long',
    });
    expect(workspace.messages(channelId)).toEqual([]);
    await channel.post(channelId, submitted('Rosa'));
    await channel.post(channelId, { kind: 'digest', digest: digest(), subscription: subscription() });
    expect(workspace.messages(channelId).map(({ text }) => inEnglish(text))).toEqual([
      expect.stringContaining('Rosa'),
      expect.stringContaining('Fire safety, 4 submissions'),
    ]);
  });

  test('does not get a message without a plainer form twice', async () => {
    const { workspace, channel } = await setUp();
    workspace.faults.inject({ kind: 'api-error', error: 'invalid_blocks' }, { method: 'chat.postMessage', times: 9 });
    await expect(channel.post(channelId, submitted('Rosa'))).rejects.toBeInstanceOf(PlatformError);
    expect(workspace.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(2);
  });

  test.each([
    [
      { kind: 'rate-limited', retryAfterS: 7 } as const,
      { kind: 'rate_limited', code: 'ratelimited', retryAfterMs: 7_000 },
    ],
    [{ kind: 'http-error', status: 500 } as const, { kind: 'unclear', code: 'slack_webapi_http_error' }],
    [{ kind: 'lost-request' } as const, { kind: 'unclear', code: 'slack_webapi_request_error' }],
    [{ kind: 'api-error', error: 'thread_not_found' } as const, { kind: 'thread_gone', code: 'thread_not_found' }],
  ])('fails in a way that says what to do: %j', async (fault, failure) => {
    const { workspace, channel } = await setUp();
    workspace.faults.inject(fault, { method: 'chat.postMessage', times: 1 });
    const error: unknown = await channel.post(channelId, submitted('Rosa')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlatformError);
    expect(error).toMatchObject(failure);
  });
});

const outside = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    'x'.repeat(1_000),
    '&'.repeat(1_000),
    '<!channel> & <https://x|y>',
    'اختبار السلامة '.repeat(20),
    '👩‍🚒'.repeat(150),
    '\u202Egnp.exe',
    '`*_~`\n> x',
    '\u0000',
    ' ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);
const number = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: -10, max: 1e6, noNaN: true }));
const moments = fc.integer({ min: 0, max: 4e12 });

const submissions = fc
  .record({
    quizId: fc.oneof(
      fc.constantFrom('q-1', 'q-2', 'q'.repeat(3_000)),
      fc.nat(60).map((one) => `q-${one}`),
    ),
    quizName: outside,
    name: outside,
    percentage: number,
    points: number,
    availablePoints: number,
    grade: outside,
    outcome: fc.constantFrom('passed', 'failed', 'not graded', 'unmarked'),
    attempt: fc.nat(),
    durationSeconds: number,
    submittedAt: fc.option(moments),
    isBackfilled: fc.boolean(),
  })
  .map(submission);
const items = fc.record({ submission: submissions, showsNames: fc.boolean() });
/** A few different values, or very many similar ones. */
const waiting = fc.oneof(
  fc.array(items, { minLength: 1, maxLength: 80, size: 'max' }),
  fc
    .tuple(fc.array(items, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 500 }))
    .map(([some, count]) => Array.from({ length: count }, (_, index) => some[index % some.length]!)),
);

/** The messages of a list, each with as many items as fit. */
function messagesOf(list: ListAnnouncement): Message[] {
  const messages: Message[] = [];
  for (let left = list; left.items.length > 0;) {
    const fitting = countFitting(left);
    messages.push(announcementMessage({ ...left, items: left.items.slice(0, fitting) } as ListAnnouncement));
    left = { ...left, items: left.items.slice(fitting) } as ListAnnouncement;
  }
  return messages;
}

function linesOf(blocks: unknown): string[] {
  return sentTexts(blocks).flatMap((text) => text.split('\n'));
}

function countIn(texts: readonly string[], pattern: RegExp): number {
  return texts.reduce((sum, text) => sum + Number(pattern.exec(text)?.[1]?.replaceAll(',', '') ?? 0), 0);
}

/** Also checks what the workspace counts of a whole message. */
const problemsOf = (message: Message): string[] => [...problemsOfMessage(message), ...problemsOfSize(message)];

test('any number of submissions is split into messages that Slack accepts, and each submission is named once', () => {
  fc.assert(
    fc.property(waiting, (all) => {
      const numbered = all.map(({ submission: one, showsNames }, index) => ({
        submission: { ...one, grade: `#${index}` },
        showsNames,
      }));
      const messages = messagesOf({
        kind: 'submissions',
        items: numbered,
        postedAt: Date.UTC(2026, 10, 21),
      });
      expect(messages.flatMap(problemsOf)).toEqual([]);
      const lines = messages.flatMap(({ blocks }) => linesOf(blocks));
      const named = lines
        .filter((line) => /^(?:✅|❌|📋|🖊️) /u.test(line))
        .map((line) => Number(/grade #(\d+)(?:, [\d,]+(?:st|nd|rd|th) attempt)?(?: · ⏰ late)?$/.exec(line)?.[1]));
      expect(named.toSorted((one, other) => one - other)).toEqual([...numbered.keys()]);
      const some = lines
        .filter((line) => /^(?:📬 )?\*.*\* · [\d,]+ submissions?(?: · |$)/u.test(line))
        .map((line) => countIn([line], /\* · ([\d,]+) submissions?(?: · [^*]*)?$/));
      expect(some.reduce((sum, count) => sum + count, 0)).toBe(all.length);
    }),
    { numRuns: runs(25) },
  );
});
