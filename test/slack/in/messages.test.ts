import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { readDelivery } from '../../../src/slack/in/delivery.ts';
import { createTake } from '../../../src/slack/in/deliver.ts';
import type { Parts } from '../../../src/slack/in/reply.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { inEnglish } from '../../../src/domain/said.ts';
import { teamId } from '../../support/house.ts';
import { openAccountOfLines, timeZone } from '../../typed-lines/typed-line.ts';
import { readSaid } from '../../../src/slack/in/messages.ts';
import { leftToCi, runs } from '../../support/drawn.ts';

const conversation = 'D0ADA';

/** What people type after a slash command, in each language, without the command of some. */
const lines = globSync('test/typed-lines/lines/*.txt').flatMap((path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((row) => row.includes(' => '))
    .map((row) => row.split(' => ')[0]!.replace(/^\w+> /, '')),
);
const words = [...new Set(lines.flatMap((line) => line.split(' ')))];

/** The bot, as Ada writes to it, who may do everything at once. */
function openBot() {
  const account = openAccountOfLines();
  const answers: Message[] = [];
  let messages = 0;
  const parts = {
    ...account,
    client: { chat: { postMessage: async (message: Message) => void answers.push(message) } },
    findCompanies: async () => [],
    answerAt: async () => expect.fail('a message has no response URL'),
    openDirectMessages: async () => conversation,
    timeZone,
    sleep: async () => {},
    // The account has no status to show.
    logAndExplain: String,
    botUserId: () => 'U0BOT',
    commandPrefix: 'quiz',
  } as unknown as Parts;
  const take = createTake(parts);
  return {
    account,
    /** @returns the answers to the text */
    async say(text: string): Promise<Message[]> {
      const event = {
        type: 'message',
        channel_type: 'im',
        channel: conversation,
        user: 'UADA',
        ts: String((messages += 1)),
        text,
      };
      answers.length = 0;
      await take(readDelivery({ type: 'event_callback', event }), teamId, async () => {});
      return [...answers];
    },
    changes: () =>
      account.calls.map(({ call }) => call).filter((call) => !/^\S*\.(?:list|get|find|groups|questions)\b/.test(call)),
  };
}

test('no message changes the account: each line of a change is answered with a button', async () => {
  const bot = openBot();
  const silent: string[] = [];
  let offered = 0;
  const some = lines.filter((_, index) => leftToCi === null || index % 3 === 0);
  // Every other one with the name of its command.
  for (const [index, line] of some.entries()) {
    const text = index % 2 === 0 ? line.slice(1) : line.replace(/^\S+ /, '');
    const answers = await bot.say(text);
    if (answers.length !== 1) silent.push(text);
    if (JSON.stringify(answers).includes('Nothing has changed yet')) offered += 1;
  }
  expect(silent).toEqual([]);
  expect(bot.changes()).toEqual([]);
  expect(offered).toBeGreaterThan(some.length / 7);
});

test('words of such lines in any order change nothing either', async () => {
  const bot = openBot();
  const said = fc.tuple(fc.constantFrom(...lines), fc.array(fc.constantFrom(...words), { maxLength: 4 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(said, async ([line, more, isBefore]) => {
      await bot.say([...(isBefore ? more : []), line.replace(/^\S+ /, ''), ...(isBefore ? [] : more)].join(' '));
      expect(bot.changes()).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});

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
  ])('“%s” is a line', (text, expected) => {
    expect(read(text)).toEqual(expected);
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
  ])('“%s” is a line where commands begin with /exam', (text, expected) => {
    expect(read(text, 'exam')).toEqual(expected);
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

test.each([
  ['a change is made, says that it may be done', 'close fire', 'Slack didn’t confirm the bot’s answer.'],
  ['something was only read, says what went wrong', 'show fire', 'It failed'],
])('an answer that gets lost after %s', async (_, text, said) => {
  const account = openAccountOfLines();
  const answers: Message[] = [];
  const parts = {
    ...account,
    findCompanies: async () => [],
    async answerAt(_target: unknown, message: Message) {
      answers.push(message);
      if (answers.length === 1) throw new DOMException('late', 'TimeoutError');
    },
    timeZone,
    sleep: () => new Promise<void>(() => {}),
    logAndExplain: () => 'It failed',
    commandPrefix: 'quiz',
  } as unknown as Parts;
  const command = { command: '/quiz', text, user_id: 'UADA', channel_id: 'C1', trigger_id: 't', response_url: 'r' };
  await createTake(parts)(readDelivery(command), teamId, async () => {});
  expect(answers.map((message) => inEnglish(message.text))).toEqual([
    expect.not.stringContaining(said),
    expect.stringContaining(said),
  ]);
});
