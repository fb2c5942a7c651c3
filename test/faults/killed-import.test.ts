import { describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { textOf } from '../support/open-test-bed.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/proxy.ts';
import { redisMissing } from '../support/redis.ts';
import { limitFor } from '../support/watchdog.ts';

const { ada } = people;
const createsUser = (line: string) => line.startsWith('POST /api/v1/users ');

describe.skipIf(redisMissing !== null)(
  `an import over Redis whose instance is killed while it creates a user${redisMissing ? ` (${redisMissing})` : ''}`,
  () => {
    /** An import that the first of two instances carries out, and that one is killed. The second runs from then on, if at all. */
    async function killedImport({ isOtherAlive }: { isOtherAlive: boolean }) {
      let proxy: RecordingProxy | undefined;
      const testBed = await openProcessTestBed({
        store: 'redis',
        instances: 2,
        serviceUrl: async (url) => (proxy = await startRecordingProxy(url)).url,
      });
      onTestFinished(() => proxy?.close());
      onTestFinished(() => testBed.close());
      const { workspace } = testBed;
      const [one, two] = testBed.bots;
      await two!.stop();
      const held = proxy!.holdChange(createsUser);
      const form = await (await workspace.as(ada.id).command('/quiz-user import')).view();
      const content = 'E-mail,Name\nines@quiz.example,Ines Marques\nann@quiz.example,Ann Bo\n';
      await workspace.as(ada.id).submit(form, { file: [{ name: 'two.csv', content }] });
      const preview = await workspace.until(() =>
        workspace.views(ada.id).find((view) => textOf(view).includes('Nothing has changed yet')),
      );
      await workspace.as(ada.id).click({ view: preview }, 'choose:run-batch');
      await held.arrived;
      const begunAt = performance.now();
      if (isOtherAlive) await two!.start();
      const startMs = performance.now() - begunAt;
      await one!.kill();
      const killedAt = performance.now();
      const next = proxy!.holdChange(createsUser);
      const goesOn = next.arrived.then(() => performance.now());
      next.release();
      return { one: one!, killedAt, startMs, goesOn };
    }

    test('goes on within 10 seconds after the instance is back', async () => {
      const { one, killedAt, goesOn } = await killedImport({ isOtherAlive: false });
      await one.start();
      const readyAt = performance.now();
      expect((await goesOn) - readyAt).toBeLessThan(limitFor(10_000, readyAt - killedAt));
    });

    test('goes on with another instance as soon as that takes the first for dead', async () => {
      const { killedAt, startMs, goesOn } = await killedImport({ isOtherAlive: true });
      expect((await goesOn) - killedAt).toBeLessThan(limitFor(8_000, startMs));
    });
  },
);
