import { describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { directMessagesId } from '../../src/sandbox/workspace/state.ts';
import { sendSigned } from '../support/other-programs.ts';
import {
  openProcessTestBed,
  signingSecret,
  type ProcessTestBed,
  type ProcessTestBedOptions,
} from '../support/process-test-bed.ts';
import { startHoldingProxy, type HoldingProxy } from '../support/proxy.ts';
import { redisMissing } from '../support/redis.ts';
import { textOf } from '../support/test-bed.ts';

const { ada } = people;
const line = 'close workplace';

async function open(options: ProcessTestBedOptions): Promise<ProcessTestBed> {
  const testBed = await openProcessTestBed(options);
  onTestFinished(() => testBed.close());
  return testBed;
}

const say = async ({ workspace }: ProcessTestBed, text = line) =>
  workspace.as(ada.id).say(directMessagesId(ada.id), text);

const answersIn = ({ workspace }: ProcessTestBed) =>
  workspace.directMessages(ada.id).filter(({ user }) => user !== ada.id);

/** The answers to the message, once two messages are answered that were sent later. */
async function answersToLine(testBed: ProcessTestBed): Promise<number> {
  const { workspace } = testBed;
  const isOfLine = (message: Parameters<typeof textOf>[0]) => textOf(message).includes('Workplace safety basics');
  for (const [index, text] of ['show forklift', 'results forklift'].entries()) {
    await say(testBed, text);
    await workspace.until(() => answersIn(testBed).filter((message) => !isOfLine(message))[index]);
  }
  return answersIn(testBed).filter(isOfLine).length;
}

/** Delivers the event of the message again, as it is. */
async function deliverAgain({ workspace }: ProcessTestBed, url: string): Promise<number> {
  const delivered = workspace.deliveries.find(({ body }) => Object(body).event?.text !== undefined)!;
  const now = Math.floor(Date.now() / 1_000);
  return (await sendSigned(url, JSON.stringify(delivered.body), now, signingSecret, 'application/json')).status;
}

describe('a message whose event Slack delivers again', () => {
  test('after a restart is answered once', async () => {
    const testBed = await open({ store: 'sqlite' });
    await say(testBed);
    await testBed.workspace.until(() => answersIn(testBed)[0]);
    const [bot] = testBed.bots;
    await bot!.stop();
    await bot!.start();
    expect(await deliverAgain(testBed, bot!.url)).toBe(200);
    expect(await answersToLine(testBed)).toBe(1);
  });

  test.skipIf(redisMissing !== null)(
    'to another instance is answered once',
    async () => {
      const testBed = await open({ store: 'redis', instances: 2 });
      await say(testBed);
      await testBed.workspace.until(() => answersIn(testBed)[0]);
      const [, other] = testBed.bots;
      expect(await deliverAgain(testBed, other!.url)).toBe(200);
      expect(await answersToLine(testBed)).toBe(1);
    },
    60_000,
  );

  test('is answered after all where the bot was killed before its answer', async () => {
    let proxy: HoldingProxy | undefined;
    onTestFinished(() => proxy?.close());
    const testBed = await open({
      store: 'sqlite',
      serviceUrl: async (url) => (proxy = await startHoldingProxy(url)).url,
    });
    const [bot] = testBed.bots;
    const isHeld = proxy!.hold((request) => request.includes('/responses'), 'before');
    await Promise.all([say(testBed, 'results workplace'), isHeld.then(() => bot!.kill())]);
    await bot!.start();
    expect(await deliverAgain(testBed, bot!.url)).toBe(200);
    await testBed.workspace.until(() => answersIn(testBed)[0]);
    expect(await answersToLine(testBed)).toBe(1);
  });
});
