import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { createNameIndex } from '../../src/directory/name-index.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';
import { countAnnounced, readAnnouncements } from '../support/delivery-report.ts';
import { sendPass } from '../support/process-campaign.ts';
import { type ProcessTestBed, openProcessTestBed } from '../support/process-test-bed.ts';
import { sampleUsers, userKeys } from '../support/sample-users.ts';
import { askInTurn, sendWebhooks } from '../support/load.ts';
import { type Frame, framesOf, profileSchema, readProfile } from './cpu-profile.ts';
import { Session } from 'node:inspector/promises';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface ProfiledLoad {
  title: string;
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
  await askInTurn({ asked: [{ url: bot!.url, answers: true }], bursts, atOnce: 1 });
}

/** What a bot does while it is profiled. */
interface WorkOfBot {
  store: 'sqlite' | 'redis';
  /** Is not in the profile: what V8 has not seen often, it has not compiled well. Default: the profile begins with the process. */
  warmUp?: (testBed: ProcessTestBed) => Promise<unknown>;
  run: (testBed: ProcessTestBed) => Promise<unknown>;
}

/** Node names them after the date, the time, the process and the thread: `CPU.20261127.101500.4711.0.001.cpuprofile`. */
const isOfMainThread = /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/;

/** Profiles a bot from its start, and takes what lies between the begin and the end of its work. */
async function profileBot({ store, warmUp, run }: WorkOfBot): Promise<Frame> {
  const folder = mkdtempSync(join(tmpdir(), 'invigilator-profile-'));
  try {
    const testBed = await openProcessTestBed({
      store,
      ...(store === 'redis' && { redisSync: 'everysec' }),
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    });
    let [from, to] = [0, 0];
    try {
      if (warmUp) {
        await warmUp(testBed);
        from = monotonicUs();
      }
      await run(testBed);
      to = monotonicUs();
    } finally {
      await testBed.close();
    }
    const file = readdirSync(folder).find((name) => isOfMainThread.test(name));
    if (file === undefined) throw new Error('the bot wrote no profile');
    return framesOf(readProfile(readFileSync(join(folder, file), 'utf8')), { from, to });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Profiles work in this process. */
async function profileHere(work: () => unknown): Promise<Frame> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await work();
    const { profile } = await session.post('Profiler.stop');
    return framesOf(profileSchema.parse(profile), { from: 0, to: Infinity });
  } finally {
    session.disconnect();
  }
}

function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
