import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../src/operations/catalog.ts';
import { named, say } from '../../src/domain/said.ts';
import { commandEndings, standardNames } from '../../src/domain/own-names.ts';
import { createRename, createRender } from '../../src/words/render.ts';

const exam = { commandPrefix: 'exam', botName: 'Examiner' };
const rename = createRename(exam);

/** What people call things, often like a command of the bot. */
const outsideText = fc
  .array(
    fc.oneof(
      fc.constantFrom('/quiz', '/quiz-user', '/quiz-', 'Invigilator', '@Invigilator', '/', 'quiz', ' ', '“', '”', 'a'),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

const prefix = fc.stringMatching(/^[a-z0-9](?:[a-z0-9_-]{0,18}[a-z0-9])?$/);
const names = fc.record({
  commandPrefix: prefix,
  botName: fc.constantFrom('Examiner', 'Quiz Bot', '$& Invigilator 2'),
});

test('the endings are those of the commands in the catalog', () => {
  const commands = new Set(catalog.map(({ command }) => command.split(' ')[0]));
  expect(commands).toEqual(new Set(commandEndings.map((ending) => `/${standardNames.commandPrefix}${ending}`)));
});

describe('the names of the bot', () => {
  test.each([
    ['Type `/quiz list`, or /quiz-user find.', 'Type `/exam list`, or /exam-user find.'],
    ['/quiz', '/exam'],
    ['Invite me: /invite @Invigilator', 'Invite me: /invite @Examiner'],
    ['Invigilator’s doctor', 'Examiner’s doctor'],
    ['POST /webhooks/quiz, https://quiz.example/quiz, /quizzes, /quiz-other', undefined],
    ['InvigilatorError, invigilator', undefined],
  ])('are put into “%s”', (text, expected = text) => {
    expect(rename(text)).toBe(expected);
  });

  test('are not put into what came from outside', () => {
    fc.assert(
      fc.property(names, outsideText, outsideText, (own, before, after) => {
        const text = say`/quiz show says ${before} and “${after}” isn’t for Invigilator: ${named(before)}`;
        const { commandPrefix, botName } = own;
        const shown = before.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() || 'Unnamed';
        expect(createRender(own)(text, 'label')).toBe(
          `/${commandPrefix} show says ${before} and “${after}” isn’t for ${botName}: ${shown}`,
        );
      }),
    );
  });

  test('change nothing where they are the standard ones', () => {
    fc.assert(
      fc.property(outsideText, (text) => {
        expect(createRename(standardNames)(text)).toBe(text);
      }),
    );
  });
});
