import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { costOf, type ProcessCost } from '../support/process-cost.ts';
import { openBoardedCampaign, sendPass } from '../support/process-campaign.ts';
import type { BenchRow } from './bench-row.ts';

const sizes = [250, 2_000] as const;
/** With the first ones, the bot gets to know who is who in Slack, which lasts for a day. */
const firstSubmissions = 60;
const submissions = 120;
const betweenMs = 250;
const settledAfterMs = 5_000;
const timeoutMs = 60_000;
const goalRatio = 1.5;

/** Measures what a submission costs the bot as the campaign that it counts for grows. */
export async function run(): Promise<BenchRow[]> {
  const costs: ProcessCost[] = [];
  for (const people of sizes) costs.push(await costWith(people));
  const [small, large] = costs as [ProcessCost, ProcessCost];
  const [cpu, written] = [large.cpuMs / small.cpuMs, large.writtenKb / small.writtenKb];
  const shown = ({ cpuMs, writtenKb }: ProcessCost) =>
    `${cpuMs.toFixed(1)} ms of CPU and ${writtenKb.toFixed(0)} KB written`;
  return [
    {
      name: `a submission to a campaign with a board, ${(1_000 / betweenMs).toFixed(0)} a second`,
      figure: `${sizes.map((people, index) => `${people.toLocaleString('en')} people: ${shown(costs[index]!)}`).join('; ')}; ${cpu.toFixed(1)} and ${written.toFixed(1)} times as much for 8 times the people`,
      goal: `at most ${goalRatio} times`,
      met: cpu <= goalRatio && written <= goalRatio,
    },
  ];
}

async function costWith(people: number): Promise<ProcessCost> {
  const {
    workspace,
    bots: [bot],
    close,
  } = await openBoardedCampaign(people);
  const agent = new Agent({ connections: 8 });
  const hasPassed = (count: number) =>
    workspace.until(
      () =>
        workspace
          .messages(channels.training.id)
          .some(({ text }) => text.includes(` ${count.toLocaleString('en')} of `)),
      timeoutMs,
    );
  async function submit(number: number): Promise<void> {
    await sendPass(bot?.url, number, agent);
    await pause(betweenMs);
  }

  try {
    await hasPassed(0);
    for (let number = 0; number < firstSubmissions; number += 1) await submit(number);
    await hasPassed(firstSubmissions);
    await pause(settledAfterMs);
    const before = costOf(bot!.pid());
    for (let number = 0; number < submissions; number += 1) await submit(firstSubmissions + number);
    await hasPassed(firstSubmissions + submissions);
    await pause(settledAfterMs);
    const after = costOf(bot!.pid());
    return {
      cpuMs: (after.cpuMs - before.cpuMs) / submissions,
      writtenKb: (after.writtenKb - before.writtenKb) / submissions,
    };
  } finally {
    await agent.destroy();
    await close();
  }
}
