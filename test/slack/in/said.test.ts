import { describe, expect, test } from 'vitest';
import { readSaid } from '../../../src/slack/in/messages.ts';

const botUserId = 'U0BOT';

/** The line that a message is, or the lines that it may be. */
function read(text: string, commandPrefix = 'quiz'): string[] {
  const said = readSaid(text, botUserId, commandPrefix);
  return (said.kind === 'command' ? [said.line] : said.lines).map((line) => `${line.command} ${line.text}`);
}

describe('a message', () => {
  test.each([
    ['/quiz close fire safety', ['/quiz close fire safety']],
    ['/quiz-user', ['/quiz-user ']],
    ['/exam-user suspend rosa', ['/quiz-user suspend rosa']],
    ['<@U0BOT> /quiz close fire safety', ['/quiz close fire safety']],
    ['<@U0BOT|invigilator>, results fire safety', ['/quiz results fire safety']],
    ['`/quiz list`', ['/quiz list']],
    ['```suspend rosa```', ['/quiz-user suspend rosa']],
    ['quiz close fire safety', ['/quiz close fire safety']],
    ['Quiz-user suspend rosa', ['/quiz-user suspend rosa']],
    ['suspend group kitchen', ['/quiz-user suspend group kitchen']],
    ['suspend rosa', ['/quiz-user suspend rosa']],
    ['suspend <@U1> --reason left', ['/quiz-user suspend <@U1> --reason left']],
    ['remind fire safety', ['/quiz-campaign remind fire safety']],
  ])('“%s” is a line', (text, lines) => {
    expect(read(text)).toEqual(lines);
  });

  test('that may be a line of several commands is first one of the command whose own verb it has', () => {
    expect(read('close fire safety')).toEqual(['/quiz close fire safety', '/quiz-campaign close fire safety']);
    expect(read('who hasn’t done fire safety')[0]).toBe('/quiz who hasn’t done fire safety');
    expect(read('status')[0]).toBe('/quiz-admin status');
    expect(read('can you close fire safety, please?')[0]).toBe('/quiz close fire safety');
    expect(read('show kitchen')).toEqual(expect.arrayContaining(['/quiz show kitchen', '/quiz-group show kitchen']));
  });

  test.each([
    '',
    '<@U0BOT>',
    'hello',
    'help',
    'Thanks a lot!',
    '12',
    'me too',
    'today is fine',
    '…',
    '<@U1> close fire safety',
  ])('“%s” is no line', (text) => {
    expect(read(text)).toEqual([]);
  });

  test.each([
    ['create a new user for Kim Doe please', '/quiz-user create Kim Doe'],
    ['create an account for ben@example.org', '/quiz-user create ben@example.org'],
    ['new employee starts monday', '/quiz-user create'],
    ['Could you add a trainer: Ana Silva', '/quiz-user create Ana Silva'],
    ['start a new campaign for food hygiene', '/quiz-campaign start for food hygiene'],
    ['create report for the auditor', '/quiz-campaign report'],
    ['create quiz Ladder use', '/quiz create Ladder use'],
  ])('“%s” says what is made', (text, line) => {
    expect(read(text)).toEqual([line]);
  });

  test.each([
    ['exam close fire safety', ['/quiz close fire safety']],
    ['/exam close fire safety', ['/quiz close fire safety']],
    ['Exam-User suspend rosa', ['/quiz-user suspend rosa']],
    ['quiz close fire safety', ['/quiz close fire safety']],
  ])('“%s” is a line where commands begin with /exam', (text, lines) => {
    expect(read(text, 'exam')).toEqual(lines);
  });

  test('that begins with the name of commands elsewhere is no line', () => {
    expect(read('exam close fire safety')).toEqual([]);
  });

  test('is never a line of a command that does not exist', () => {
    expect(read('/')).toEqual([]);
    expect(readSaid('/nothing at all', botUserId, 'quiz')).toMatchObject({
      kind: 'command',
      line: { command: '/quiz' },
    });
  });
});
