import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { mostInAnyWindow } from '../support/mock-service.ts';
import { percentile } from '../support/measurements.ts';
import { openBoardedCampaign, sendPass } from '../support/process-campaign.ts';
import type { ProcessTestBed } from '../support/process-test-bed.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const betweenMs = 55;
/** The board shows how it begins. */
const settledAfterMs = 3_000;
const timeoutMs = 60_000;

/** Measures how soon a board shows submissions that come within a minute, on one clock. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const people = isShort ? 20 : 1_000;
  await using testBed = await openBoardedCampaign(people);
  const { workspace, bots } = testBed;
  await using agents = new AsyncDisposableStack();
  const agent = agents.adopt(new Agent({ connections: 8 }), (used) => used.destroy());
  const boards = watchBoard(workspace);
  await workspace.until(
    () => workspace.messages(channels.training.id).some(({ text }) => passedIn(text) === 0),
    timeoutMs,
  );
  await pause(settledAfterMs);
  const sentAt: number[] = [];
  const answers: Promise<unknown>[] = [];
  const beganAt = performance.now();
  for (let number = 0; number < people; number += 1) {
    await pause(Math.max(0, beganAt + number * betweenMs - performance.now()));
    sentAt.push(performance.now());
    answers.push(sendPass(bots[0]?.url, number, agent));
  }
  await Promise.all(answers);
  await workspace.until(() => boards.at(-1)?.passed === people, timeoutMs);
  const shownAfterMs = sentAt.map(
    (sent, number) => (boards.find(({ passed }) => passed > number)?.at ?? Number.NaN) - sent,
  );
  const [p95, last] = [percentile(shownAfterMs, 95), shownAfterMs.at(-1) ?? Number.NaN];
  const changes = mostInAnyWindow(
    boards.map(({ at }) => at),
    60_000,
  );
  const shown = workspace.messages(channels.training.id).filter(({ text }) => passedIn(text) !== undefined);
  return [
    {
      name: `${people.toLocaleString('en')} submissions to a campaign with a board, within ${((sentAt.at(-1)! - sentAt[0]!) / 1_000).toFixed(0)} s`,
      figure: `webhook to board p95 ${(p95 / 1_000).toFixed(2)} s, right ${(last / 1_000).toFixed(2)} s after the last, at most ${changes} changes a minute, ${shown.length} ${shown.length === 1 ? 'message' : 'messages'}`,
      ...heldAgainst('board', { p95S: p95 / 1_000, lastS: last / 1_000, changes, messages: shown.length }),
    },
  ];
}

/** The changes of the board, as they arrive at Slack. */
function watchBoard({ faults }: ProcessTestBed['workspace']): { at: number; passed: number }[] {
  const boards: { at: number; passed: number }[] = [];
  faults.inject(
    { kind: 'latency', ms: 0 },
    {
      method: 'chat.update',
      when(call) {
        const passed = passedIn(String(call['text']));
        if (passed !== undefined) boards.push({ at: performance.now(), passed });
        return false;
      },
    },
  );
  return boards;
}

/** How many people have passed, by the text of a board. */
function passedIn(text: string): number | undefined {
  const count = /([\d,]+) of [\d,]+ passed/.exec(text)?.[1];
  return count === undefined ? undefined : Number(count.replaceAll(',', ''));
}
