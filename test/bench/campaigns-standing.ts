import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { costOf, type ProcessCost } from '../support/process-cost.ts';
import { nextMonday, sendPass, storeCampaigns } from '../support/process-campaign.ts';
import { openProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/proxy.ts';
import { addStanding, standingCampaigns, standingQuiz } from '../support/standing-campaigns.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

const dayMs = 24 * 60 * 60_000;
const betweenMs = 100;

interface StandingSize {
  people: number;
  days: number;
  many: number;
  /** The numbers of campaigns beside which submissions are measured. */
  counts: readonly number[];
  firstSubmissions: number;
  submissions: number;
  /** Results of a campaign of many are gathered before they are kept. */
  settledAfterMs: number;
}

const fullSize: StandingSize = {
  people: 1_000,
  days: 3,
  many: 50,
  counts: [10, 20, 40],
  firstSubmissions: 40,
  submissions: 120,
  settledAfterMs: 25_000,
};
const shortSize: StandingSize = {
  people: 10,
  days: 1,
  many: 2,
  counts: [1, 2],
  firstSubmissions: 2,
  submissions: 4,
  settledAfterMs: 0,
};

/** What campaigns that stand cost while nothing happens, and what a submission costs the more of them there are. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  return [
    await costOfDays(1, 'one quiet campaign', size),
    await costOfDays(size.many, 'fifty quiet campaigns', size),
    await costOfSubmissions(size),
  ];
}

/** Without the lists of quizzes and users, which the bot reads all the time for backfill, with campaigns or without. */
async function costOfDays(
  count: number,
  goal: 'one quiet campaign' | 'fifty quiet campaigns',
  { people, days }: StandingSize,
): Promise<BenchRow> {
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
      ...heldAgainst(goal, { requests: perDay, calls: perMinute }),
    };
  } finally {
    await close();
    proxy?.close();
  }
}

const isListRead = (line: string) => /^GET \/api\/v1\/(?:quizzes|users)(?:\?|$)/.test(line);

async function costOfSubmissions(size: StandingSize): Promise<BenchRow> {
  const { people, counts } = size;
  const costs: ProcessCost[] = [];
  for (const count of counts) costs.push(await costWith(count, size));
  const ratioOf = (part: keyof ProcessCost) => costs.at(-1)![part] / costs[0]![part];
  const [cpu, written] = [ratioOf('cpuMs'), ratioOf('writtenKb')];
  const shown = costs.map(
    ({ cpuMs, writtenKb }, index) =>
      `${counts[index]} campaigns: ${cpuMs.toFixed(1)} ms of CPU and ${writtenKb.toFixed(0)} KB written`,
  );
  return {
    name: `a submission with so many standing campaigns of ${people.toLocaleString('en')} people, ${(1_000 / betweenMs).toFixed(0)} a second`,
    figure: `${shown.join('; ')}; ${cpu.toFixed(1)} and ${written.toFixed(1)} times as much for ${counts.at(-1)! / counts[0]!} times the campaigns`,
    ...heldAgainst('submission beside many campaigns', { cpuRatio: cpu, writtenRatio: written }),
  };
}

/** What a submission of the first campaign’s quiz costs the bot. */
async function costWith(
  count: number,
  { people, firstSubmissions, submissions, settledAfterMs }: StandingSize,
): Promise<ProcessCost> {
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
      await sendPass(bot?.url, number, agent, { quiz: standingQuiz(1) });
      await pause(betweenMs);
    }
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
