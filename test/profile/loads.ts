import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { createNameIndex } from '../../src/directory/name-index.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { sendCommands } from '../bench/send-commands.ts';
import { countAnnounced, readAnnouncements } from '../support/delivery-report.ts';
import { sendPass } from '../support/process-campaign.ts';
import type { ProcessTestBed } from '../support/process-test-bed.ts';
import { sampleUsers, userKeys } from '../support/sample-users.ts';
import { sendWebhooks } from '../support/send-webhooks.ts';
import type { Frame } from './cpu-profile.ts';
import { profileBot, profileHere, type WorkOfBot } from './profiled.ts';

interface ProfiledLoad {
  title: string;
  /** Whether docs/ has a picture of it. */
  isDrawn?: true;
  profile(): Promise<Frame>;
}

const webhooks = 60_000;
const commandBursts = 1_500;
const submissions = 160;
const submissionsEveryMs = 250;
const indexed = 100_000;

const inWords = (count: number) => count.toLocaleString('en');

const manyWebhooks = (store: WorkOfBot['store']): WorkOfBot => ({
  store,
  warmUp: async (testBed) => send(testBed, 20_000, 'warm-up'),
  run: async (testBed) => send(testBed, webhooks, 'profiled'),
});

export const loads: Record<string, ProfiledLoad> = {
  webhook: {
    title: `${inWords(webhooks)} webhooks over SQLite, 64 at once, announced in a channel`,
    isDrawn: true,
    profile: () => profileBot(manyWebhooks('sqlite')),
  },
  'webhook-over-redis': {
    title: `${inWords(webhooks)} webhooks over Redis, 64 at once, announced in a channel`,
    profile: () => profileBot(manyWebhooks('redis')),
  },
  submission: {
    title: `${submissions} submissions over SQLite, 4 a second, announced in a channel`,
    profile: () =>
      profileBot({
        store: 'sqlite',
        warmUp: async (testBed) => submit(testBed, 0, submissions / 2),
        run: async (testBed) => submit(testBed, submissions / 2, submissions),
      }),
  },
  command: {
    title: `${inWords(commandBursts)} times /quiz list over SQLite, one after the other, until each is answered`,
    isDrawn: true,
    profile: () =>
      profileBot({
        store: 'sqlite',
        async warmUp(testBed) {
          await askForList(testBed);
          await typeCommands(testBed, 500);
        },
        run: async (testBed) => typeCommands(testBed, commandBursts),
      }),
  },
  start: {
    title: 'a start over SQLite, until the first /quiz list is answered',
    profile: () => profileBot({ store: 'sqlite', run: askForList }),
  },
  index: {
    title: `the index of ${inWords(indexed)} users, built three times`,
    profile() {
      const users = sampleUsers(indexed);
      return profileHere(() => [1, 2, 3].map(() => createNameIndex(users, userKeys)));
    },
  },
};

async function send({ bots }: ProcessTestBed, count: number, eventIdPrefix: string): Promise<void> {
  await sendWebhooks({ urls: bots.map(({ url }) => url), count, eventIdPrefix });
}

async function submit({ bots: [bot], workspace }: ProcessTestBed, from: number, count: number): Promise<void> {
  const agent = new Agent({ connections: 8 });
  for (let number = from; number < from + count; number += 1) {
    await sendPass(bot!.url, number, agent);
    await pause(submissionsEveryMs);
  }
  await agent.destroy();
  await workspace.until(
    () => countAnnounced(readAnnouncements(workspace.messages(channels.results.id))) >= from + count,
    120_000,
  );
}

async function askForList({ workspace }: ProcessTestBed): Promise<void> {
  await (await workspace.as(people.ada.id).command('/quiz list')).reply();
}

async function typeCommands({ bots: [bot] }: ProcessTestBed, bursts: number): Promise<void> {
  await sendCommands({ apps: [{ url: bot!.url, answers: true }], bursts, atOnce: 1 });
}
