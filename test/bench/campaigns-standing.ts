import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { costOf, type ProcessCost } from '../support/process-cost.ts';
import {
  nextMonday,
  sendPass,
  storeCampaigns,
  addMembers,
  campaignFor,
  membersFor,
} from '../support/process-campaign.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { startRecordingProxy, type RecordingProxy } from '../support/proxy.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';
import type { Campaign } from '../../src/domain/campaign.ts';
import { formatDate } from '../../src/sandbox/quiz-service/database.ts';
import { addGroup, assign, addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { addResponse, markStarted, markSubmitted } from '../../src/sandbox/quiz-service/store/responses.ts';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { standingRule } from '../support/builders/campaigns.ts';

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

const groupId = '20000000-0000-4000-8000-00000000c001';

const standingQuiz = (number: number) => ({
  id: `10000000-0000-4000-8000-00000001${String(number).padStart(4, '0')}`,
  name: `Duty ${number}`,
});

/**
 * Campaigns that stand, for the same group of people who have all passed their quizzes: nothing happens in them.
 *
 * @param options.hasBoards whether each has a board
 */
function standingCampaigns(
  count: number,
  { people, startedAt, hasBoards = false }: { people: number; startedAt: number; hasBoards?: boolean },
): Campaign[] {
  const members = membersFor(people, { zones: ['Etc/UTC'], addedAt: startedAt, notifiedAt: startedAt - dayMs });
  return Array.from({ length: count }, (_, index) =>
    campaignFor(members, {
      ...standingRule,
      id: `standing-${index + 1}`,
      quiz: standingQuiz(index + 1),
      audience: [`group:${groupId}`],
      startedAt,
      ...(hasBoards && { board: { channelId: channels.training.id, showsNames: true } }),
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
      addQuiz(database, { quiz_id: quiz.id, name: quiz.name, status: 'open', date_created: '2026-01-01 00:00:00' });
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
