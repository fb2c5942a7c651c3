import { expect, test } from 'vitest';
import type { Fault } from '../../src/sandbox/workspace/faults.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { commandReply, safetyQuiz } from '../support/results.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';

const { ada } = people;

const answers = (error: string): Fault => ({ kind: 'api-error', error });
const exported = `/quiz export ${safetyQuiz}`;
const assignedTo = (channel: string) => `/quiz assign fire wardens to <#${channel}|training>`;

/** What is typed, what Slack answers to which call, and what the person reads and `/quiz-admin status` counts. */
const refusals: [line: string, method: string, fault: Fault, said: string, code: string][] = [
  [
    exported,
    'files.completeUploadExternal',
    answers('missing_scope'),
    'Slack refused this: Invigilator lacks a permission in this workspace. Ask an administrator of the workspace to install Invigilator again. Then try again.',
    'missing_scope',
  ],
  [
    exported,
    'files.getUploadURLExternal',
    answers('fatal_error'),
    'Slack has a fault of its own right now. Try again in a minute.',
    'fatal_error',
  ],
  [
    exported,
    'files.getUploadURLExternal',
    answers('file_uploads_disabled'),
    'Slack refused this. Ask your administrator to check it (reference',
    'file_uploads_disabled',
  ],
  [
    exported,
    'upload',
    { kind: 'http-error', status: 500 },
    'Slack isn’t answering the bot right now. Try again in a minute.',
    'upload_500',
  ],
  [exported, 'upload', { kind: 'lost-request' }, 'Slack isn’t answering the bot right now.', 'UND_ERR_SOCKET'],
  [
    exported,
    'conversations.open',
    { kind: 'rate-limited', retryAfterS: 30 },
    'Slack’s limit for the bot is reached for now. Try again in 30 seconds.',
    'ratelimited',
  ],
  [
    exported,
    'files.completeUploadExternal',
    answers('not_in_channel'),
    'Invigilator isn’t in the channel. Type /invite @Invigilator there. Then try again.',
    'not_in_channel',
  ],
  [
    exported,
    'files.completeUploadExternal',
    answers('channel_not_found'),
    'Invigilator isn’t in the channel.',
    'channel_not_found',
  ],
  [
    exported,
    'files.completeUploadExternal',
    answers('is_archived'),
    'The channel is archived. Unarchive it.',
    'is_archived',
  ],
  [
    exported,
    'files.completeUploadExternal',
    answers('restricted_action'),
    'Only some people can post in the channel.',
    'restricted_action',
  ],
  [
    assignedTo(channels.training.id),
    'conversations.members',
    answers('fatal_error'),
    'Slack has a fault of its own right now.',
    'fatal_error',
  ],
];

test.each(refusals)('%s, where %s answers %o', async (line, method, fault, said, code) => {
  const testBed = await startTestBed();
  testBed.workspace.faults.inject(fault, { method });
  const reply = textOf(await commandReply(testBed, ada.id, line));
  expect(reply).toContain(said);
  expect(reply).not.toContain('Something went wrong');
  expect(reply).toMatch(/reference [0-9a-f]+/);
  await expect
    .poll(async () => textOf(await commandReply(testBed, ada.id, '/quiz-admin status')))
    .toMatch(new RegExp(String.raw`\*Refused by Slack\* ⚠️ 1, most recently .*: \`${code}\`\.`));
});
