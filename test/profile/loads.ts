import { people } from '../../src/sandbox/workspace/people.ts';
import { sendCommands } from '../bench/send-commands.ts';
import type { ProcessTestBed } from '../support/process-test-bed.ts';
import { sendWebhooks } from '../support/send-webhooks.ts';

/** What a bot does while it is profiled. */
export interface ProfiledLoad {
  /** The title of the picture. */
  title: string;
  /** What V8 has not seen often, it has not compiled well. */
  warmUp(testBed: ProcessTestBed): Promise<unknown>;
  run(testBed: ProcessTestBed): Promise<unknown>;
}

const webhooks = 60_000;
const commandBursts = 1_500;

export const loads: Record<string, ProfiledLoad> = {
  webhook: {
    title: `${webhooks.toLocaleString('en')} webhooks over SQLite, 64 at once, announced in a channel`,
    warmUp: async (testBed) => send(testBed, 20_000, 'warm-up'),
    run: async (testBed) => send(testBed, webhooks, 'profiled'),
  },
  command: {
    title: `${commandBursts.toLocaleString('en')} times /quiz list over SQLite, one after the other, until each is answered`,
    async warmUp(testBed) {
      await (await testBed.workspace.as(people.ada.id).command('/quiz list')).reply();
      await typeCommands(testBed, 500);
    },
    run: async (testBed) => typeCommands(testBed, commandBursts),
  },
};

async function send({ bots }: ProcessTestBed, count: number, eventIdPrefix: string): Promise<void> {
  await sendWebhooks({ urls: bots.map(({ url }) => url), count, eventIdPrefix });
}

async function typeCommands({ bots: [bot] }: ProcessTestBed, bursts: number): Promise<void> {
  await sendCommands({ apps: [{ url: bot!.url, answers: true }], bursts, atOnce: 1 });
}
