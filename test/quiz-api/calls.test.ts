import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillPath } from '../../src/quiz-api/endpoints.ts';

test('encodes every id as exactly one path segment that decodes to the id', () => {
  const anyId = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('a/../b', '%2e%2e', '?x=1', '#', '\\', ' ', '日本'),
  );
  fc.assert(
    fc.property(
      anyId.filter((id) => id !== '.' && id !== '..'),
      (id) => {
        const url = new URL(fillPath('/v1/quizzes/{quiz_id}/groups', [id]), 'https://quiz.example');

        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'v1', 'quizzes', id, 'groups']);
        expect(url.search + url.hash).toBe('');
      },
    ),
  );
});

test.each(['', '.', '..', '\ud800'])('refuses the id %j', (id) => {
  expect(() => fillPath('/v1/quizzes/{quiz_id}', [id])).toThrow(TypeError);
});
