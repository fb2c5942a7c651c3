import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDelivery } from '../../../src/slack/in/delivery.ts';
import { createTake } from '../../../src/slack/in/deliver.ts';
import type { Parts } from '../../../src/slack/in/reply.ts';
import type { Message } from '../../../src/slack/views/blocks/message.ts';
import { teamId } from '../../support/house.ts';
import { openAccountOfLines, timeZone } from '../../typed-lines/account.ts';

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
  const said = fc.tuple(fc.constantFrom(...lines), fc.array(fc.constantFrom(...words), { maxLength: 4 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(said, async ([line, more, isBefore]) => {
      await bot.say([...(isBefore ? more : []), line.replace(/^\S+ /, ''), ...(isBefore ? [] : more)].join(' '));
      expect(bot.changes()).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
