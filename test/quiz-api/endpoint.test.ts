import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { path } from '../../src/quiz-api/endpoint.ts';

test('every id becomes exactly one segment of the path, and can be read back', () => {
  const anyId = fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom('a/../b', '%2e%2e', '?x=1', '#', '\\', ' ', '日本'));
  fc.assert(fc.property(anyId.filter((id) => id !== '.' && id !== '..'), (id) => {
    const url = new URL(path`/v1/quizzes/${id}/groups`, 'https://quiz.example');

    expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'v1', 'quizzes', id, 'groups']);
    expect(url.search + url.hash).toBe('');
  }));
});

test.each(['', '.', '..', '\ud800'])('%j cannot be an id', (id) => {
  expect(() => path`/v1/quizzes/${id}`).toThrow(TypeError);
});

test('a template without ids is itself', () => {
  expect(path`/v1/users`).toBe('/v1/users');
});
