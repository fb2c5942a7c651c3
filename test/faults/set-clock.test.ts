import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { people } from '../../src/sandbox/workspace/people.ts';
import { approvalActions, leadsChannelId } from '../support/approvals.ts';
import { eventBody, sendEvent } from '../support/event.ts';
import { fastProcessClock } from '../support/fast-clock.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy } from '../support/proxy.ts';
import { redisMissing } from '../support/redis.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { textOf } from '../support/test-bed.ts';
import { readReadyz } from './observation.ts';
import { eventually } from '../support/watchdog.ts';

const { ada, tom, uma } = people;
const dayMs = 24 * 3_600_000;
/** The bot's time runs this many times as fast as the system's. */
const clockRate = 5;

describe.each(['sqlite', 'redis'] as const)('a bot on %s whose machine’s clock is set', (store) => {
  const isMissing = store === 'redis' && redisMissing !== null;

  async function start() {
    const file = join(temporaryDirectory(), 'ahead');
    const setClock = (ms: number) => writeFileSync(file, String(ms));
    setClock(0);
    let requests: readonly string[] = [];
    const testBed = await openProcessTestBed({
      store,
      clock: fastProcessClock(clockRate),
      env: { APPROVALS_CHANNEL: leadsChannelId, OWNERS: tom.id },
      nodeOptions: [`--import=${new URL(`../support/set-clock.ts?file=${file}`, import.meta.url).href}`],
      async serviceUrl(url) {
        const proxy = await startRecordingProxy(url);
        onTestFinished(() => proxy.close());
        requests = proxy.requests;
        return proxy.url;
      },
    });
    onTestFinished(() => testBed.close());
    const { workspace } = testBed;
    const [bot] = testBed.bots;
    const { url } = bot!;
    await eventually(async () => expect(await readReadyz({ url })).toMatch(/^200/));
    return {
      workspace,
      bot: bot!,
      requests,
      setClock,
      submit: async (id: string) =>
        (await sendEvent(url, eventBody({ event_id: id }, { response_id: id, last_name: id }))).status,
      announced: (name: string) =>
        workspace.messages(workspace.channels.results.id).filter((message) => textOf(message).includes(name)).length,
      metric: async (name: string) =>
        Number(new RegExp(`^${name} (.*)$`, 'm').exec(await (await fetch(`${url}/metrics`)).text())?.[1]),
      run: (command: string, channel = workspace.channels.results.id) =>
        workspace
          .as(ada.id)
          .command(command, { channel })
          .then((outcome) => outcome.reply())
          .then(textOf),
    };
  }

  test.skipIf(isMissing)(
    'goes on after a start with a clock that was ahead, and by 40 days for 40 seconds forgets nothing, drops nothing, and lets no request expire',
    async () => {
      const { workspace, bot, setClock, submit, announced, metric, run, requests } = await start();
      expect(await submit('Before')).toBe(200);
      await bot.stop();
      setClock(40 * dayMs);
      await bot.start();
      await eventually(async () => expect(await submit('Ahead')).toBe(200));
      await eventually(() => expect([announced('Before'), announced('Ahead')]).toEqual([1, 1]));
      const compared = () => requests.filter((line) => line.includes('/responses')).length;
      await eventually(() => expect(compared()).toBeGreaterThan(0));
      // The comparison is kept by then.
      expect(await submit('Next')).toBe(200);
      await eventually(() => expect(announced('Next')).toBe(1));

      const before = compared();
      setClock(0);
      await eventually(async () => expect(await metric('invigilator_clock_jumps_total')).toBe(1));
      expect(await submit('After')).toBe(200);
      await eventually(() => expect(announced('After')).toBe(1));
      await eventually(() => expect(compared()).toBeGreaterThan(before));

      const ids = Array.from({ length: 18 }, (_, n) => `Early${String(n).padStart(2, '0')}`);
      for (const id of ids) expect(await submit(id)).toBe(200);
      await eventually(() => expect(ids.map(announced)).toEqual(ids.map(() => 1)));
      const { ask, approve } = approvalActions({ workspace });
      const request = await ask(uma.id, '/quiz-user suspend rosa --reason "On leave"');
      expect(await run('/quiz-alerts pause')).toContain('Paused');
      expect(await submit('Backlog')).toBe(200);

      setClock(40 * dayMs);
      const since = performance.now();
      await eventually(async () => expect(await metric('invigilator_clock_jumps_total')).toBe(2));
      // Longer than the 30 seconds between two sweeps.
      await eventually(() => expect(performance.now() - since).toBeGreaterThan(40_000 / clockRate));
      setClock(0);
      await eventually(async () => expect(await metric('invigilator_clock_jumps_total')).toBe(3));

      for (const id of ids) expect(await submit(id)).toBe(200);
      expect(await submit('Last')).toBe(200);
      await run('/quiz-alerts resume');
      await eventually(() => expect([announced('Backlog'), announced('Last')]).toEqual([1, 1]));
      expect(ids.map(announced)).toEqual(ids.map(() => 1));
      expect(await approve(ada.id, request)).toContain('Suspended');
    },
  );
});
