import { expect, test } from 'vitest';
import {
  amount,
  asSaid,
  capitalized,
  countOf,
  inEnglish,
  inEnglishThroughout,
  isSaid,
  isWorded,
  lengthInEnglish,
  listed,
  mention,
  parseFromOutside,
  say,
} from '../../src/domain/said.ts';

const shown = (text: string) =>
  Array.from(text, (letter) => (letter >= '\uFDD0' && letter <= '\uFDEF' ? '|' : letter)).join('');

test('a sentence has marks around it and around its parts', () => {
  expect(shown(say`Closed ${'Fire safety'}.`)).toBe('|Closed |Fire safety|.|');
  expect(shown(say`${3} left`)).toBe('|||3|| left|');
  expect(shown(countOf(1_234, 'quiz', 'quizzes'))).toBe('|||1,234|| quizzes|');
});

test('a template without words is one, too, unless there is nothing in it', () => {
  expect(shown(say`${'a'} · ${'b'}`)).toBe('||a| · |b||');
  expect(say`${''}`).toBe('');
});

test('in English, the marks are gone, and nothing counts them', () => {
  const text = say`${countOf(2, 'person', 'people')} and ${listed(['Rosa', 'Kim', 'Tom'])} have ${amount(1_000)} points`;
  expect(isSaid(text)).toBe(true);
  expect(isSaid(inEnglish(text))).toBe(false);
  expect(inEnglish(text)).toBe('2 people and Rosa, Kim and Tom have 1,000 points');
  expect(lengthInEnglish(text)).toBe('2 people and Rosa, Kim and Tom have 1,000 points'.length);
});

test('a text that is said is not said again', () => {
  expect(shown(asSaid('Open'))).toBe('|Open|');
  expect(asSaid(asSaid('Open')).length).toBe(asSaid('Open').length);
  expect(asSaid('')).toBe('');
});

test.each([
  ['`/quiz list`', false],
  ['/quiz-user list', false],
  ['· {0}', false],
  [':bell: ', false],
  ['<https://quiz.example|', false],
  ['View', true],
  ['Type `/quiz list`', true],
])('whether “%s” has words: %s', (text, has) => {
  expect(isWorded(text.replaceAll(/\{\d\}/g, ''))).toBe(has);
});

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

test.each([
  ['as they are', JSON.stringify({ name: mention('U1'), of: [{ name: say`Closed ${'x'}.` }] })],
  ['as escapes', '{"name":"\\uFDDE@U1\\ufddf","of":[{"name":"\\ufdd0Closed x.\\uFDD1"}]}'],
])('JSON from outside has no marks, written %s', (_, json) => {
  expect(parseFromOutside(json)).toStrictEqual({ name: '@U1', of: [{ name: 'Closed x.' }] });
  expect(isSaid(JSON.stringify(parseFromOutside(json)))).toBe(false);
});
