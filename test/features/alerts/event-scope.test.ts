import { expect, test, vi } from 'vitest';
import { createReportParser } from '../../../src/features/alerts/event.ts';
import { createEventScope, type IsOfBot } from '../../../src/features/alerts/event-scope.ts';
import { eventBody } from '../../support/event.ts';

const body = eventBody({}, { user_id: 'u-1' });
const parse = createReportParser('UTC');
const parsed = (text: string, isTrusted = true) => parse(text, { isTrusted, takenAt: 1_000 });
const scopeWith = (isOfBot: IsOfBot | undefined) => createEventScope({ isOfBot, now: () => 1_000 });

test('a bot for the whole account takes every event as it is', async () => {
  const { event, response } = parsed(body);
  expect(await scopeWith(undefined)(event, response)).toBe(event);
});

test('a submission is taken as it is, or not at all', async () => {
  const isOfBot = vi.fn<IsOfBot>(async ({ user_id }) => user_id === 'u-1');
  const { event, response } = parsed(body);
  expect(await scopeWith(isOfBot)(event, response)).toBe(event);
  expect(isOfBot.mock.calls[0]![0]).toMatchObject({ quiz_id: 'q-1', email_address: 'rosa@quiz.example' });
  expect(isOfBot.mock.calls[0]![1]).toEqual({ priority: 'background', deadline: 3_000 });
  const other = parsed(eventBody({}, { user_id: 'u-2' }));
  expect(await scopeWith(isOfBot)(other.event, other.response)).toBeUndefined();
});

test('an event about no submission, or about one that is to be asked for, is left to what comes later', async () => {
  const never = vi.fn<IsOfBot>();
  const hint = parsed(body, false);
  expect(hint.event.content?.kind).toBe('hint');
  expect(await scopeWith(never)(hint.event, hint.response)).toBe(hint.event);
  const other = parsed(eventBody({ event_type: 'user.created' }));
  expect(await scopeWith(never)(other.event, other.response)).toBe(other.event);
  expect(never).not.toHaveBeenCalled();
});

test('a submission of which it cannot be told whose it is becomes a hint, of which only the IDs are kept', async () => {
  const failing: IsOfBot = async () => {
    throw new Error('away');
  };
  const { event, response } = parsed(body);
  const hint = await scopeWith(failing)(event, response);
  expect(hint).toEqual({
    id: event.id,
    subject: '',
    isBackfilled: false,
    takenAt: 1_000,
    content: { kind: 'hint', quizId: 'q-1', responseId: 'r-1' },
  });
});
