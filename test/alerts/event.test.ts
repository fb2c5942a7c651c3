import { describe, expect, test } from 'vitest';
import { MalformedEventError, parseEvent, subjectOf, syntheticEvent, syntheticEventId } from '../../src/alerts/event.ts';
import { eventBody } from '../support/event.ts';
import { quizResponse } from '../support/builders/responses.ts';
import { submission } from '../support/builders/alerts.ts';

const submittedAt = Date.UTC(2018, 10, 2, 0, 5, 47);

function malformed(body: string): MalformedEventError {
  try {
    parseEvent(body, true, 1);
  } catch (error) {
    if (error instanceof MalformedEventError) return error;
    throw error;
  }
  throw new Error('the body was parsed');
}

describe('the body of a webhook', () => {
  test('is a submission where the signature covers it', () => {
    expect(parseEvent(eventBody({ event_id: ' e-1 ' }), true, 7)).toEqual({
      id: 'e-1', subject: 'q-1/r-1', isBackfilled: false, takenAt: 7, content: { kind: 'submission', submission: submission({ attempt: 2, submittedAt }) },
    });
  });

  test('is a hint where the signature does not cover it, whatever it says about the response', () => {
    for (const status of ['submitted', 'not_submitted']) {
      expect(parseEvent(eventBody({ event_id: 'e-1' }, { status }), false, 7)).toEqual({
        id: 'e-1', subject: '', isBackfilled: false, takenAt: 7, content: { kind: 'hint', quizId: 'q-1', responseId: 'r-1' },
      });
    }
  });

  test('has no content where nothing was submitted or the type is another', () => {
    for (const body of [eventBody({ event_id: 'e-1' }, { status: 'not_submitted' }), eventBody({ event_id: 'e-1', event_type: 'user.created', data: null })]) {
      expect(parseEvent(body, true, 7)).toEqual({ id: 'e-1', subject: '', isBackfilled: false, takenAt: 7, content: undefined });
    }
  });

  test('can have an id and a type of 200 characters', () => {
    const text = 'x'.repeat(200);
    expect(parseEvent(eventBody({ event_id: text, event_type: text }), true, 7).id).toBe(text);
    expect(malformed(eventBody({ event_id: `${text}x` })).message).toContain('at event_id');
    expect(malformed(eventBody({ event_type: `${text}x` })).message).toContain('at event_type');
  });

  test.each([
    ['text', 'hello', /^the body is not JSON$/],
    ['a list', '[]', /^the body is no event: ./],
    ['a blank event id', eventBody({ event_id: '  ' }), /^the body is no event: .*\n.*at event_id$/],
    ['a submission without its result', eventBody({}, { pass: null }), /^data is no response: .*a submitted response has it\n.*at pass$/],
    ['an id of a backfilled event', eventBody({ event_id: 'backfilled:q-1:r-1' }), /^the event_id has a prefix that only the bot uses$/],
    ['an id of a confirmed event', eventBody({ event_id: 'confirmed:q-1:r-1' }), /^the event_id has a prefix that only the bot uses$/],
  ])('is malformed: %s', (_, body, message) => {
    const error = malformed(body);
    expect(error.message).toMatch(message);
    expect(error.code).toBe('malformed_event');
  });

  test('can have an id with a prefix of the bot further on', () => {
    for (const id of ['e-backfilled:', 'e-confirmed:']) expect(parseEvent(eventBody({ event_id: id }), true, 7).id).toBe(id);
  });
});

test.each([['backfilled', true], ['confirmed', false]] as const)('an event that the bot makes: %s', (kind, isBackfilled) => {
  expect(syntheticEvent(kind, quizResponse(), 7)).toEqual({
    id: `${kind}:q-1:r-1`, subject: 'q-1/r-1', isBackfilled, takenAt: 7, content: { kind: 'submission', submission: submission({ attempt: 2, submittedAt, isBackfilled }) },
  });
  expect(syntheticEventId(kind, 'q-1', 'r-1')).toBe(`${kind}:q-1:r-1`);
  expect(subjectOf(quizResponse())).toBe('q-1/r-1');
});
