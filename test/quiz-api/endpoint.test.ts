import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { path } from '../../src/quiz-api/endpoint.ts';

test('encodes every id as exactly one path segment that decodes to the id', () => {
  const anyId = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('a/../b', '%2e%2e', '?x=1', '#', '\\', ' ', '日本'),
  );
  fc.assert(
    fc.property(
      anyId.filter((id) => id !== '.' && id !== '..'),
      (id) => {
        const url = new URL(path`/v1/quizzes/${id}/groups`, 'https://quiz.example');

        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'v1', 'quizzes', id, 'groups']);
        expect(url.search + url.hash).toBe('');
      },
    ),
  );
});

test.each(['', '.', '..', '\ud800'])('refuses the id %j', (id) => {
  expect(() => path`/v1/quizzes/${id}`).toThrow(TypeError);
});

test('returns a template without ids unchanged', () => {
  expect(path`/v1/users`).toBe('/v1/users');
});
