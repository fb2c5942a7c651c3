import { setTimeout as pause } from 'node:timers/promises';
import type { Campaign } from '../../src/domain/campaign.ts';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { percentile } from '../support/measurements.ts';
import {
  addMembers,
  campaignFor,
  campaignQuiz,
  membersFor,
  nextMonday,
  storeCampaign,
} from '../support/process-campaign.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/proxy.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

interface CampaignSize {
  members: number;
  days: number;
  /** Sent before those that are measured. */
  warmUp: number;
  commands: number;
}

/** The others get no messages, which cost no requests: the simulated days pass faster without them. */
const inSlackEvery = 5;
const dayMs = 24 * 60 * 60_000;
/** Until the campaign ends. */
const daysOfCampaign = 21;
const fullSize: CampaignSize = { members: 1_000, days: daysOfCampaign, warmUp: 40, commands: 600 };
const shortSize: CampaignSize = { members: 20, days: 1, warmUp: 1, commands: 4 };
const betweenMs = 50;

/** Measures what a campaign costs the quiz service, and what a person notices while it assigns the quiz. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  return [await timeCommands(size), await countRequests(size)];
}

/**
 * The difference between a bot with a campaign and one without, over the same simulated days. Without the lists of quizzes and
 * users, which the bot reads all the time for backfill, with a campaign or without: how often depends on where the clock stops.
 * That a campaign does not read the list of users more often than backfill does is measured by itself.
 */
async function countRequests({ members, days }: CampaignSize): Promise<BenchRow> {
  const requestsOf = async (isRunning: boolean) =>
    inTestBed({ isRunning, members, hour: 8 }, async ({ requests, listReadsAt }, clock) => {
      await clock.skip(days * dayMs + 60 * 60_000);
      return { requests: requests.filter((line) => !isListRead(line)), listReadsAt };
    });
  const [withCampaign, without] = await Promise.all([requestsOf(true), requestsOf(false)]);
  const count = (matches: (line: string) => boolean) => withCampaign.requests.filter(matches).length;
  const assignments = count((line) => line.startsWith('POST '));
  const responses = count((line) => line.startsWith('GET ') && line.includes(`/quizzes/${campaignQuiz.id}/responses`));
  const owner = count((line) => /^GET \/api\/v1\/users\/[^/?]+(?:\?|$)/.test(line));
  const more = withCampaign.requests.length - without.requests.length - assignments;
  const gapMs = shortestGap(withCampaign.listReadsAt);
  return {
    name: `requests to the service: a campaign of ${members.toLocaleString('en')} people over ${days} days`,
    figure: `${assignments.toLocaleString('en')} assignments and ${more} more (${((more / assignments) * 100).toFixed(1)} %): ${responses} for responses, ${owner} for the person with whose rights the quiz is assigned; the list of users ${withCampaign.listReadsAt.length} times, ${without.listReadsAt.length} times without a campaign, at least ${(gapMs / 60_000).toFixed(0)} min apart`,
    ...heldAgainst('requests of a campaign', {
      unassigned: members - assignments,
      excessPercent: (more / members) * 100,
      gapMinutes: gapMs / 60_000,
    }),
  };
}

const isListRead = (line: string) => /^GET \/api\/v1\/(?:quizzes|users)(?:\?|$)/.test(line);

function shortestGap(moments: readonly number[]): number {
  return Math.min(...moments.slice(1).map((at, index) => at - moments[index]!));
}

/** Both bots get the same commands in turn, so that both meet the same load of the machine. */
async function timeCommands({ members, warmUp, commands }: CampaignSize): Promise<BenchRow> {
  return inTestBed({ isRunning: true, members, hour: 10 }, async (assigning) =>
    inTestBed({ isRunning: false, members, hour: 10 }, async (idle) => {
      const timesMs = { assigning: [] as number[], idle: [] as number[] };
      for (let count = 0; count < warmUp + commands; count += 1) {
        const times = { assigning: await timeOfCommand(assigning), idle: await timeOfCommand(idle) };
        if (count < warmUp) continue;
        timesMs.assigning.push(times.assigning);
        timesMs.idle.push(times.idle);
      }
      const assigned = assigning.requests.filter((line) => line.startsWith('POST ')).length;
      const p99 = { assigning: percentile(timesMs.assigning, 99), idle: percentile(timesMs.idle, 99) };
      const ratio = p99.assigning / p99.idle;
      return {
        name: '/quiz list while a campaign assigns its quiz, against a bot without a campaign',
        figure: `p99 ${ratio.toFixed(2)} times as long (${p99.assigning.toFixed(1)} to ${p99.idle.toFixed(1)} ms; p50 ${percentile(timesMs.assigning, 50).toFixed(1)} to ${percentile(timesMs.idle, 50).toFixed(1)} ms; ${assigned} assigned meanwhile)`,
        ...heldAgainst('commands beside a campaign', { ratio }),
      };
    }),
  );
}

/** From a command to the message that answers it, in milliseconds. */
async function timeOfCommand({ workspace }: ProcessTestBed): Promise<number> {
  await pause(betweenMs);
  const begin = performance.now();
  await (await workspace.as(people.ada.id).command('/quiz list')).reply();
  return performance.now() - begin;
}

/** @param hour of the Monday, in UTC, at which the bot starts. First messages go out from 9:00. */
async function inTestBed<Value>(
  { isRunning, members, hour }: { isRunning: boolean; members: number; hour: number },
  use: (
    testBed: ProcessTestBed & Pick<RecordingProxy, 'requests'> & { listReadsAt: readonly number[] },
    clock: ReturnType<typeof createSandboxClock>,
  ) => Promise<Value>,
): Promise<Value> {
  const startedAt = nextMonday(hour);
  const clock = createSandboxClock(startedAt - Date.now());
  let proxy: RecordingProxy | undefined;
  const listReadsAt: number[] = [];
  const testBed = await openProcessTestBed({
    store: 'sqlite',
    clock,
    env: { ALERTS_CHANNEL: '' },
    async serviceUrl(url) {
      proxy = await startRecordingProxy(url, {
        onRequest(line) {
          if (/^GET \/api\/v1\/users(?:\?|$)/.test(line)) listReadsAt.push(clock.now());
        },
      });
      return proxy.url;
    },
    async beforeStart(env, parts) {
      const campaign = campaignOver(startedAt, members);
      addMembers(campaign, parts);
      if (isRunning) await storeCampaign(campaign, env, { assigns: true });
    },
  });
  try {
    return await use({ ...testBed, requests: proxy?.requests ?? [], listReadsAt }, clock);
  } finally {
    await testBed.close();
    proxy?.close();
  }
}

function campaignOver(startedAt: number, members: number): Campaign {
  const dueAt = startedAt + 14 * dayMs;
  const schedule = {
    dueAt,
    remindBeforeMs: [7 * dayMs, dayMs],
    overdueEveryMs: 2 * dayMs,
    escalateAfterMs: 3 * dayMs,
    endsAt: startedAt + daysOfCampaign * dayMs,
  };
  const all = membersFor(members, { zones: ['Etc/UTC'], addedAt: startedAt });
  return campaignFor(
    all.map((member, index) => (index % inSlackEvery === 0 ? member : { ...member, personId: null })),
    { startedAt, ...schedule },
  );
}
