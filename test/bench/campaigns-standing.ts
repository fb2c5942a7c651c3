import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { costOf, type ProcessCost } from '../support/process-cost.ts';
import { nextMonday, sendPass, storeCampaigns } from '../support/process-campaign.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/proxy.ts';
import { addStanding, standingCampaigns, standingQuiz } from '../support/standing-campaigns.ts';
import type { BenchRow } from './bench-row.ts';

const people = 1_000;
const days = 3;
const dayMs = 24 * 60 * 60_000;
/** What the service is asked a day, by the number of campaigns, and Slack a minute. */
const goals = {
  requestsADay: new Map([
    [1, 30],
    [50, 300],
  ]),
  callsAMinute: 2,
  ratio: 1.3,
};
const counts = [10, 20, 40] as const;
const [firstSubmissions, submissions] = [40, 120];
const betweenMs = 100;
const settledAfterMs = 25_000;

/** What campaigns that stand cost while nothing happens, and what a submission costs the more of them there are. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [count, atMost] of goals.requestsADay) rows.push(await costOfDays(count, atMost));
  return [...rows, await costOfSubmissions()];
}

/** Without the lists of quizzes and users, which the bot reads all the time for backfill, with campaigns or without. */
async function costOfDays(count: number, requestsAtMost: number): Promise<BenchRow> {
  const startedAt = nextMonday(8);
  const clock = createSandboxClock(startedAt - Date.now());
  const campaigns = standingCampaigns(count, { people, startedAt });
  let proxy: RecordingProxy | undefined;
  const { workspace, close } = await openProcessTestBed({
    store: 'sqlite',
    clock,
    env: { ALERTS_CHANNEL: '' },
    async serviceUrl(url) {
      proxy = await startRecordingProxy(url);
      return proxy.url;
    },
    async beforeStart(env, parts) {
      addStanding(campaigns, parts);
      await storeCampaigns(campaigns, env);
    },
  });
  try {
    // The first day has what begins: each campaign reads its results.
    await clock.skip(dayMs);
    const [requestsBefore, callsBefore] = [proxy?.requests.length ?? 0, workspace.calls.length];
    await clock.skip(days * dayMs);
    const asked = (proxy?.requests ?? []).slice(requestsBefore).filter((line) => !isListRead(line));
    const backfill = asked.filter((line) => line.includes('/responses')).length;
    const calls = workspace.calls.length - callsBefore;
    const perDay = asked.length / days;
    const perMinute = calls / (days * 24 * 60);
    return {
      name: `requests in a day in which nothing happens: ${count} standing campaign${count === 1 ? '' : 's'} of ${people.toLocaleString('en')}`,
      figure: `${perDay.toFixed(1)} to the service, ${(backfill / days).toFixed(1)} of them for responses; ${perMinute.toFixed(2)} a minute to Slack (${days} days)`,
      goal: `at most ${requestsAtMost} to the service, ${goals.callsAMinute} a minute to Slack`,
      met: perDay <= requestsAtMost && perMinute <= goals.callsAMinute,
    };
  } finally {
    await close();
    proxy?.close();
  }
}

const isListRead = (line: string) => /^GET \/api\/v1\/(?:quizzes|users)(?:\?|$)/.test(line);

async function costOfSubmissions(): Promise<BenchRow> {
  const costs: ProcessCost[] = [];
  for (const count of counts) costs.push(await costWith(count));
  const ratioOf = (part: keyof ProcessCost) => costs.at(-1)![part] / costs[0]![part];
  const [cpu, written] = [ratioOf('cpuMs'), ratioOf('writtenKb')];
  const shown = costs.map(
    ({ cpuMs, writtenKb }, index) =>
      `${counts[index]} campaigns: ${cpuMs.toFixed(1)} ms of CPU and ${writtenKb.toFixed(0)} KB written`,
  );
  return {
    name: `a submission with so many standing campaigns of ${people.toLocaleString('en')} people, ${(1_000 / betweenMs).toFixed(0)} a second`,
    figure: `${shown.join('; ')}; ${cpu.toFixed(1)} and ${written.toFixed(1)} times as much for 4 times the campaigns`,
    goal: `at most ${goals.ratio} times`,
    met: cpu <= goals.ratio && written <= goals.ratio,
  };
}

/** What a submission of the first campaign’s quiz costs the bot. */
async function costWith(count: number): Promise<ProcessCost> {
  const startedAt = Date.now();
  const campaigns = standingCampaigns(count, { people, startedAt });
  const {
    bots: [bot],
    close,
  } = await openProcessTestBed({
    store: 'sqlite',
    env: { ALERTS_CHANNEL: '' },
    async beforeStart(env, parts) {
      addStanding(campaigns, parts);
      await storeCampaigns(campaigns, env);
    },
  });
  const agent = new Agent({ connections: 8 });
  async function submit(from: number, some: number): Promise<void> {
    for (let number = from; number < from + some; number += 1) {
      await sendPass(bot?.url, number, agent, standingQuiz(1));
      await pause(betweenMs);
    }
    // Results of a campaign of many are gathered before they are kept.
    await pause(settledAfterMs);
  }
  try {
    await submit(0, firstSubmissions);
    const before = costOf(bot!.pid());
    await submit(firstSubmissions, submissions);
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
