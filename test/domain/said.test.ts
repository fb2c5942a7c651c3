import { expect, test } from 'vitest';
import { capitalized, inEnglish, inEnglishThroughout, isSaid, listed, say } from '../../src/domain/said.ts';

test('a plain value is put into English in each of its texts, and stays as it is otherwise', () => {
  const date = new Date(0);
  const value = inEnglishThroughout({ one: say`Closed ${1} quiz.`, list: [say`open`, 2, null], date, none: undefined });
  expect(JSON.stringify(value).search(/[\uFDD0-\uFDEF]/)).toBe(-1);
  expect(value).toEqual({ one: 'Closed 1 quiz.', list: ['open', 2, null], date, none: undefined });
});

test.each([
  ['the group', 'The group'],
  [say`close ${'x'}`, 'Close x'],
  [listed([say`the group ${'a'}`, 'b']), 'The group a and b'],
  ['', ''],
])('a phrase begins a sentence, and keeps its marks (%#)', (phrase, sentence) => {
  expect(inEnglish(capitalized(phrase))).toBe(sentence);
  expect(isSaid(capitalized(phrase))).toBe(isSaid(phrase));
});
