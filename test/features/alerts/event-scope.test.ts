import { expect, test, vi } from 'vitest';
import { createEventParser } from '../../../src/features/alerts/event.ts';
import { createEventScope, type IsOfBot } from '../../../src/features/alerts/event-scope.ts';
import { eventBody } from '../../support/event.ts';

const body = eventBody({}, { user_id: 'u-1' });
const parsed = (text: string) => createEventParser('UTC')(text, { isTrusted: true, takenAt: 1_000 });
const scopeWith = (isOfBot: IsOfBot | undefined) => createEventScope({ isOfBot, timeZone: 'UTC', now: () => 1_000 });

test('a bot for the whole account takes every event as it is', async () => {
  const event = parsed(body);
  expect(await scopeWith(undefined)(event, body)).toBe(event);
});

test('a submission is taken as it is, or not at all', async () => {
  const isOfBot = vi.fn<IsOfBot>(async ({ user_id }) => user_id === 'u-1');
  const event = parsed(body);
  expect(await scopeWith(isOfBot)(event, body)).toBe(event);
  expect(isOfBot.mock.calls[0]![0]).toMatchObject({ quiz_id: 'q-1', email_address: 'rosa@quiz.example' });
  expect(isOfBot.mock.calls[0]![1]).toEqual({ priority: 'background', deadline: 3_000 });
  const other = eventBody({}, { user_id: 'u-2' });
  expect(await scopeWith(isOfBot)(parsed(other), other)).toBeUndefined();
});

test('an event about no submission, or about one that is to be asked for, is left to what comes later', async () => {
  const never = vi.fn<IsOfBot>();
  const hint = createEventParser('UTC')(body, { isTrusted: false, takenAt: 1_000 });
  expect(hint.content?.kind).toBe('hint');
  expect(await scopeWith(never)(hint, body)).toBe(hint);
  const other = eventBody({ event_type: 'user.created' });
  expect(await scopeWith(never)(parsed(other), other)).toEqual(parsed(other));
  expect(never).not.toHaveBeenCalled();
});

test('a submission of which it cannot be told whose it is becomes a hint, of which only the IDs are kept', async () => {
  const failing: IsOfBot = async () => {
    throw new Error('away');
  };
  const event = parsed(body);
  const hint = await scopeWith(failing)(event, body);
  expect(hint).toEqual({
    id: event.id,
    subject: '',
    isBackfilled: false,
    takenAt: 1_000,
    content: { kind: 'hint', quizId: 'q-1', responseId: 'r-1' },
  });
});
