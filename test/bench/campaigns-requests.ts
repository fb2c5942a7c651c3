import { setTimeout as pause } from 'node:timers/promises';
import type { Campaign } from '../../src/domain/campaign.ts';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { formatDate } from '../../src/sandbox/quiz-service/database.ts';
import { addGroup, assign } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { addResponse, markStarted, markSubmitted } from '../../src/sandbox/quiz-service/store/responses.ts';
import { people as persons } from '../../src/sandbox/workspace/people.ts';
import { dayMs, standingRule } from '../support/builders/campaigns.ts';
import { percentile } from '../support/measurements.ts';
import type { ProcessCost } from '../support/process-cost.ts';
import {
  addMembers,
  campaignFor,
  campaignQuiz,
  membersFor,
  nextMonday,
  storeCampaign,
  storeCampaigns,
} from '../support/process-campaign.ts';
import {
  addOpenQuiz,
  openProcessTestBed,
  type ProcessTestBed,
  type ProcessTestBedOptions,
} from '../support/process-test-bed.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/proxy.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';
import { costOfEach, growth } from './submissions.ts';

/** The others get no messages, which cost no requests: the simulated days pass faster without them. */
const inSlackEvery = 5;
/** Until the campaign ends. */
const daysOfCampaign = 21;
/** `warmUp`: commands sent before those that are measured. */
const fullSize = { members: 1_000, days: daysOfCampaign, warmUp: 40, commands: 600 };
const shortSize = { members: 20, days: 1, warmUp: 1, commands: 4 };
const betweenMs = 50;

/** Measures what a campaign costs the quiz service, and what a person notices while it assigns the quiz. */
export async function during({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  return [await timeCommands(size), await countRequests(size)];
}

/**
 * The difference between a bot with a campaign and one without, over the same simulated days. Without the lists of quizzes and
 * users, which the bot reads all the time for backfill, with a campaign or without: how often depends on where the clock stops.
 * That a campaign does not read the list of users more often than backfill does is measured by itself.
 */
async function countRequests({ members, days }: typeof fullSize): Promise<BenchRow> {
  const requestsOf = async (isRunning: boolean) =>
    withRequests(8, oneRound(isRunning, members), async ({ clock, requests, listReadsAt }) => {
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
async function timeCommands({ members, warmUp, commands }: typeof fullSize): Promise<BenchRow> {
  return withRequests(10, oneRound(true, members), async (assigning) =>
    withRequests(10, oneRound(false, members), async (idle) => {
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
  await (await workspace.as(persons.ada.id).command('/quiz list')).reply();
  return performance.now() - begin;
}

interface Recorded extends ProcessTestBed {
  clock: ReturnType<typeof createSandboxClock>;
  /** To the service, as they come. */
  requests: readonly string[];
  /** When the list of users was read, by the clock. */
  listReadsAt: readonly number[];
}

type BeforeStart = NonNullable<ProcessTestBedOptions['beforeStart']>;

/** Uses a bot that starts on a Monday. @param hour in UTC. First messages go out from 9:00. */
async function withRequests<Value>(
  hour: number,
  prepare: (startedAt: number) => BeforeStart,
  use: (recorded: Recorded) => Promise<Value>,
): Promise<Value> {
  const startedAt = nextMonday(hour);
  const clock = createSandboxClock(startedAt - Date.now());
  let proxy: RecordingProxy | undefined;
  using proxies = new DisposableStack();
  proxies.defer(() => proxy?.close());
  const listReadsAt: number[] = [];
  await using testBed = await openProcessTestBed({
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
    beforeStart: prepare(startedAt),
  });
  return await use({ ...testBed, clock, requests: proxy?.requests ?? [], listReadsAt });
}

/** A campaign for which it assigns its quiz, or only its members in the account. */
const oneRound =
  (isRunning: boolean, members: number) =>
  (startedAt: number): BeforeStart =>
  async (env, parts) => {
    const campaign = campaignOver(startedAt, members);
    addMembers(campaign, parts);
    if (isRunning) await storeCampaign(campaign, env, { assigns: true });
  };

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

/** `counts`: of the campaigns beside which submissions are measured. Results of a campaign of many are gathered before they are kept. */
const standingSize = {
  people: 1_000,
  days: 3,
  many: 50,
  counts: [10, 20, 40],
  submissions: { first: 40, measured: 120, betweenMs: 100, settledAfterMs: 25_000 },
};
const shortStandingSize = {
  people: 10,
  days: 1,
  many: 2,
  counts: [1, 2],
  submissions: { first: 2, measured: 4, betweenMs: 100, settledAfterMs: 0 },
};

/** What campaigns that stand cost while nothing happens, and what a submission costs the more of them there are. */
export async function standing({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortStandingSize : standingSize;
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
  { people, days }: typeof standingSize,
): Promise<BenchRow> {
  const prepare = (startedAt: number) => beforeStanding(standingCampaigns(count, { people, startedAt }));
  return withRequests(8, prepare, async ({ workspace, clock, requests }) => {
    // The first day has what begins: each campaign reads its results.
    await clock.skip(dayMs);
    const [requestsBefore, callsBefore] = [requests.length, workspace.calls.length];
    await clock.skip(days * dayMs);
    const asked = requests.slice(requestsBefore).filter((line) => !isListRead(line));
    const backfill = asked.filter((line) => line.includes('/responses')).length;
    const calls = workspace.calls.length - callsBefore;
    const perDay = asked.length / days;
    const perMinute = calls / (days * 24 * 60);
    return {
      name: `requests in a day in which nothing happens: ${count} standing campaign${count === 1 ? '' : 's'} of ${people.toLocaleString('en')}`,
      figure: `${perDay.toFixed(1)} to the service, ${(backfill / days).toFixed(1)} of them for responses; ${perMinute.toFixed(2)} a minute to Slack (${days} days)`,
      ...heldAgainst(goal, { requests: perDay, calls: perMinute }),
    };
  });
}

async function costOfSubmissions({ people, counts, submissions }: typeof standingSize): Promise<BenchRow> {
  const costs: ProcessCost[] = [];
  for (const count of counts) {
    const beforeStart = beforeStanding(standingCampaigns(count, { people, startedAt: Date.now() }));
    const testBed = await openProcessTestBed({ store: 'sqlite', env: { ALERTS_CHANNEL: '' }, beforeStart });
    // Of the quiz of the first campaign.
    costs.push(await costOfEach(testBed, { ...submissions, quiz: standingQuiz(1) }));
  }
  const { shown, ...ratios } = growth(costs, counts, 'campaigns');
  return {
    name: `a submission with so many standing campaigns of ${people.toLocaleString('en')} people, ${(1_000 / submissions.betweenMs).toFixed(0)} a second`,
    figure: shown,
    ...heldAgainst('submission beside many campaigns', ratios),
  };
}

const beforeStanding =
  (campaigns: readonly Campaign[]): BeforeStart =>
  async (env, parts) => {
    addStanding(campaigns, parts);
    await storeCampaigns(campaigns, env);
  };

const groupId = '20000000-0000-4000-8000-00000000c001';

const standingQuiz = (number: number) => ({
  id: `10000000-0000-4000-8000-00000001${String(number).padStart(4, '0')}`,
  name: `Duty ${number}`,
});

/** Campaigns that stand, for the same group of people who have all passed their quizzes: nothing happens in them. */
function standingCampaigns(count: number, { people, startedAt }: { people: number; startedAt: number }): Campaign[] {
  const members = membersFor(people, { zones: ['Etc/UTC'], addedAt: startedAt, notifiedAt: startedAt - dayMs });
  return Array.from({ length: count }, (_, index) =>
    campaignFor(members, {
      ...standingRule,
      id: `standing-${index + 1}`,
      quiz: standingQuiz(index + 1),
      audience: [`group:${groupId}`],
      startedAt,
    }),
  );
}

/** Adds their quizzes, their group with its people, and an attempt of each at each quiz that they passed the day before the start. */
function addStanding(campaigns: readonly Campaign[], testBed: Pick<ProcessTestBed, 'workspace' | 'quizService'>): void {
  const { database } = testBed.quizService;
  const [first] = campaigns;
  if (first === undefined) return;
  database.transaction(() => {
    addMembers(first, testBed);
    addGroup(database, { group_id: groupId, group_name: 'Duty' });
    for (const { userId } of first.members) assign(database, 'user_groups', { user_id: userId, group_id: groupId });
    for (const { quiz, members, startedAt } of campaigns) {
      addOpenQuiz({ database }, quiz);
      assign(database, 'group_quizzes', { quiz_id: quiz.id, group_id: groupId });
      for (const { userId, name } of members) addPass(database, quiz.id, { userId, name, at: startedAt - dayMs });
    }
  });
}

function addPass(
  database: ProcessTestBed['quizService']['database'],
  quizId: string,
  { userId, name, at }: { userId: string; name: string; at: number },
): void {
  const responseId = `${quizId.slice(-5)}-${userId}`;
  addResponse(database, {
    response_id: responseId,
    quiz_id: quizId,
    user_id: userId,
    first_name: 'Member',
    last_name: name,
    email_address: `${userId}@quiz.example`,
    attempt: 1,
    ip_address: '198.51.100.1',
    publish_type: 'assigned_user',
    access_code: '',
    registration_fields: [],
  });
  markStarted(database, responseId, 1, at);
  markSubmitted(database, responseId, {
    points: 9,
    available_points: 10,
    percentage_score: 90,
    grade: 'A',
    pass: true,
    date_submitted: formatDate(at + 600_000),
    duration: 600,
  });
}
