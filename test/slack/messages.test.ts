import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { registerMessages } from '../../src/slack/listeners/messages.ts';
import type { Message } from '../../src/slack/views/blocks/message.ts';
import { teamId } from '../support/governed-account.ts';
import { openAccountOfLines, timeZone } from '../typed-lines/account.ts';

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
  const listeners: ((args: object) => Promise<void>)[] = [];
  const answers: Message[] = [];
  let messages = 0;
  registerMessages(
    { event: (_: string, listener: (args: object) => Promise<void>) => listeners.push(listener) } as never,
    {
      ...account,
      findCompanies: async () => [],
      answerAt: async () => expect.fail('a message has no response URL'),
      openDirectMessages: async () => conversation,
      timeZone,
      sleep: async () => {},
      // The account has no status to show.
      logAndExplain: String,
    } as never,
    { botUserId: () => 'U0BOT', commandPrefix: 'quiz', now: () => 0 },
  );
  const client = { chat: { postMessage: async (message: Message) => void answers.push(message) } };
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
      await listeners[0]!({ event, client, context: { teamId } });
      return [...answers];
    },
    changes: () =>
      account.calls.map(({ call }) => call).filter((call) => !/^\S*\.(?:list|get|find|groups|questions)\b/.test(call)),
  };
}

test('no message changes the account: each line of a change is answered with a button', async () => {
  const bot = openBot();
  onTestFinished(() => bot.account.close());
  const silent: string[] = [];
  let offered = 0;
  for (const line of lines)
    for (const text of [line.slice(1), line.replace(/^\S+ /, '')]) {
      const answers = await bot.say(text);
      if (answers.length !== 1) silent.push(text);
      if (JSON.stringify(answers).includes('Nothing has changed yet')) offered += 1;
    }
  expect(silent).toEqual([]);
  expect(bot.changes()).toEqual([]);
  expect(offered).toBeGreaterThan(200);
});

test('words of such lines in any order change nothing either', async () => {
  const bot = openBot();
  onTestFinished(() => bot.account.close());
  const said = fc.tuple(fc.constantFrom(...lines), fc.array(fc.constantFrom(...words), { maxLength: 4 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(said, async ([line, more, isBefore]) => {
      await bot.say([...(isBefore ? more : []), line.replace(/^\S+ /, ''), ...(isBefore ? [] : more)].join(' '));
      expect(bot.changes()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
