import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import type { Campaign } from '../../src/domain/campaign.ts';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { judgeCampaign, type CampaignPerson } from './campaign-oracle.ts';
import { eventBody, sign } from './event.ts';
import {
  addMembers,
  campaignFor,
  campaignQuiz,
  membersFor,
  nextMonday,
  personIdOf,
  storeCampaign,
} from './process-campaign.ts';
import { followOverRedis, untilJobsAreFreed } from './redis-clock.ts';
import { openProcessTestBed, type ProcessTestBed } from './process-test-bed.ts';

export interface CampaignRunOptions {
  store: 'sqlite' | 'redis';
  /** Repeats what happens when, but not the scheduling of the processes. */
  seed: number;
  people: number;
  kills: number;
  redisKills?: number;
  /** The length of the campaign, in days. Under 8, it begins on a Thursday, and what follows the due time comes sooner. */
  days: number;
}

export interface CampaignRunOutcome {
  /** Sentences; empty where all is right. */
  problems: string[];
  messages: number;
  submissions: number;
  lostWebhooks: number;
  escalations: number;
  /** The folder of the logs; empty where all is right. */
  logFolder: string;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'];
const leadZone = 'Etc/UTC';
const lostShare = 0.1;
const submittingShare = 0.8;
const faultShare = 0.03;

/** Runs a campaign over simulated days, while the bot is killed and Slack fails now and then. */
export async function runCampaign(options: CampaignRunOptions): Promise<CampaignRunOutcome> {
  const random = createSeededRandom(options.seed);
  const startedAt = nextMonday(8) + (options.days < 8 ? 3 * dayMs : 0);
  const clock = createSandboxClock(startedAt - minuteMs - Date.now());
  const { campaign, reminders, escalations, endsAt } = planCampaign(options, startedAt);
  const fates = campaign.members.map(({ userId, timeZone }) => ({
    userId,
    timeZone,
    submittedAt:
      random.number() < submittingShare ? startedAt + Math.floor(random.number() * (endsAt - startedAt)) : undefined,
    isWebhookLost: random.number() < lostShare,
  }));
  const testBed = await openProcessTestBed({
    store: options.store,
    quizChannels: [],
    clock,
    env: { ALERTS_CHANNEL: '' },
    async beforeStart(env, { workspace, quizService }) {
      addMembers(campaign, { workspace, quizService });
      await storeCampaign(campaign, env);
    },
  });
  const {
    workspace,
    bots: [bot],
    redis,
    folder,
    close,
  } = testBed;
  const stopFollowing = redis && followOverRedis(clock, redis.url);
  if (bot === undefined) throw new Error('no bot');
  let hasProblems = true;
  try {
    injectFaults(workspace, random);
    const restart = async () => {
      await bot.kill();
      await bot.start();
      if (redis) await untilJobsAreFreed(redis.url);
    };
    const happens: { at: number; run: () => Promise<void> }[] = fates.flatMap((fate) =>
      fate.submittedAt === undefined
        ? []
        : [{ at: fate.submittedAt, run: () => submit(testBed, { ...fate, submittedAt: fate.submittedAt! }) }],
    );
    const restartLater = async () => {
      await bot.kill();
      await clock.skip(random.between(1, 10) * minuteMs);
      await bot.start();
      if (redis) await untilJobsAreFreed(redis.url);
    };
    // Most of what can be lost happens while messages go out.
    const rounds = [startedAt, ...reminders].flatMap((at) => [at, at + 30 * minuteMs, at + 7 * 60 * minuteMs]);
    const killAt = () => random.pick(rounds) + Math.floor(random.number() * 20 * minuteMs);
    for (let count = 0; count < options.kills; count += 1)
      happens.push({
        at: killAt(),
        run:
          count % 2 === 0
            ? restartLater
            : async () => killAtNextPost(workspace, random, () => void clock.hold(restart)),
      });
    for (let count = 0; count < (options.redisKills ?? 0); count += 1) {
      happens.push({
        at: killAt(),
        async run() {
          await redis?.kill();
          await redis?.startAgain();
          while (!(await isReady(bot.url))) await pause(50);
          if (redis) await untilJobsAreFreed(redis.url);
        },
      });
    }
    for (const { at, run } of happens.toSorted((a, b) => a.at - b.at)) {
      if (at > clock.now()) await clock.skip(at - clock.now());
      await run();
    }
    await clock.skip(Math.max(0, endsAt - clock.now()) + 60 * minuteMs);
    const seen: CampaignPerson[] = fates.map(({ userId, timeZone, submittedAt }) => ({
      id: userId,
      timeZone,
      submittedAt,
      messages: noticesTo(workspace, personIdOf(userId)),
    }));
    const named = workspace
      .directMessages(personIdOf('u-lead'))
      .filter(({ text }) => text.includes('still ha'))
      .map(({ ts }) => Number(ts) * 1_000);
    const problems = judgeCampaign({
      startedAt,
      reminders,
      endsAt,
      people: seen,
      lead: { timeZone: leadZone, due: escalations, messages: named },
    });
    hasProblems = problems.length > 0;
    return {
      problems,
      messages: seen.reduce((sum, { messages }) => sum + messages.length, 0),
      submissions: fates.filter(({ submittedAt }) => submittedAt !== undefined).length,
      lostWebhooks: fates.filter(({ submittedAt, isWebhookLost }) => submittedAt !== undefined && isWebhookLost).length,
      escalations: named.length,
      logFolder: hasProblems ? folder : '',
    };
  } finally {
    stopFollowing?.();
    await close({ keepFolder: hasProblems });
  }
}

function planCampaign(
  { people: count, days }: CampaignRunOptions,
  startedAt: number,
): { campaign: Campaign; reminders: number[]; escalations: number[]; endsAt: number } {
  const dueAt = startedAt + Math.floor(days / 2) * dayMs + 6 * 60 * minuteMs;
  const endsAt = startedAt + days * dayMs;
  const before = [7, 2, 1].filter((day) => day < Math.floor(days / 2)).map((day) => day * dayMs);
  const [overdueEveryMs, escalateAfterMs] = days < 8 ? [dayMs, dayMs] : [2 * dayMs, 3 * dayMs];
  const overdue = Array.from({ length: days }, (_, index) => dueAt + (index + 1) * overdueEveryMs).filter(
    (at) => at < endsAt,
  );
  const schedule = { dueAt, remindBeforeMs: before, overdueEveryMs, escalateAfterMs, endsAt };
  const campaign = campaignFor(membersFor(count, { zones, addedAt: startedAt }), {
    startedAt,
    schedule,
    lead: { userId: 'u-lead', timeZone: leadZone },
  });
  const escalations = Array.from(
    { length: Math.ceil(days / 7) },
    (_, week) => dueAt + escalateAfterMs + week * 7 * dayMs,
  );
  return { campaign, reminders: [...before.map((ms) => dueAt - ms), ...overdue], escalations, endsAt };
}

/** The service takes a submission, and its webhook arrives or is lost. */
async function submit(
  { bots, quizService: { database } }: ProcessTestBed,
  { userId, submittedAt, isWebhookLost }: { userId: string; submittedAt: number; isWebhookLost: boolean },
): Promise<void> {
  const responseId = `r-${userId}`;
  const submitted = new Date(submittedAt).toISOString().replace('T', ' ').slice(0, 19);
  database.run(
    `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
     VALUES (?, ?, ?, 'Member', '', '', 'submitted', 1, ?, 9, 10, 90, 'A', 1, 60, 1, '127.0.0.1', 'assigned_user')`,
    [responseId, campaignQuiz.id, userId, submitted],
  );
  if (isWebhookLost) return;
  const body = eventBody(
    { event_id: `e-${userId}`, event_date: submitted },
    {
      response_id: responseId,
      quiz_id: campaignQuiz.id,
      quiz_name: campaignQuiz.name,
      user_id: userId,
      date_submitted: submitted,
    },
  );
  const deliver = async () => {
    const answer = await request(`${bots[0]!.url}/webhooks/quiz`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-webhook-signature': sign(body) },
    });
    await answer.body.dump();
    return answer.statusCode === 200;
  };
  // The service sends it again until the bot has it.
  while (!(await deliver().catch(() => false)));
}

async function isReady(botUrl: string): Promise<boolean> {
  return (await fetch(`${botUrl}/readyz`)).ok;
}

/** Has the bot killed at its next message, which Slack gets or does not get. */
function killAtNextPost(workspace: Workspace, random: SeededRandom, kill: () => void): void {
  workspace.faults.inject(
    { kind: random.pick(['lost-answer', 'lost-request'] as const) },
    {
      method: 'chat.postMessage',
      times: 1,
      when() {
        kill();
        return true;
      },
    },
  );
}

function injectFaults(workspace: Workspace, random: SeededRandom): void {
  for (const method of [
    'chat.postMessage',
    'conversations.history',
    'users.lookupByEmail',
    'conversations.open',
    'users.list',
    'dnd.teamInfo',
  ]) {
    for (const fault of [
      { kind: 'rate-limited', retryAfterS: 1 },
      { kind: 'http-error', status: 500 },
      { kind: 'lost-answer' },
      { kind: 'lost-request' },
    ] as const) {
      workspace.faults.inject(fault, { method, when: () => random.number() < faultShare });
    }
  }
}

function noticesTo(workspace: Workspace, personId: string): CampaignPerson['messages'] {
  return workspace.directMessages(personId).flatMap(({ ts, text }): CampaignPerson['messages'] => {
    if (!text.includes(campaignQuiz.name)) return [];
    const at = Number(ts) * 1_000;
    const kind = text.startsWith('📝') ? 'first' : text.startsWith('⏰') ? 'reminder' : undefined;
    return kind ? [{ at, kind }] : [];
  });
}
