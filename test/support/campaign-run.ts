import { request } from 'undici';
import type { Campaign } from '../../src/domain/campaign.ts';
import { createSandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { createSeededRandom, type SeededRandom } from '../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { addQuiz } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { people, teamId } from '../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { openStorage } from '../../src/storage/open-storage.ts';
import { systemClock } from '../../src/time/clock.ts';
import { judgeCampaign, type CampaignPerson } from './campaign-oracle.ts';
import { eventBody, sign } from './event.ts';
import { openProcessTestBed, planQuizChannels, type ProcessTestBed } from './process-test-bed.ts';

export interface CampaignRunOptions {
  store: 'sqlite' | 'redis';
  /** Repeats what happens when, but not the scheduling of the processes. */
  seed: number;
  people: number;
  kills: number;
  redisKills?: number;
  /** The length of the campaign, in days. */
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
const [{ quiz }] = planQuizChannels(1) as [ReturnType<typeof planQuizChannels>[number]];

/** Runs a campaign over simulated days, while the bot is killed and Slack fails now and then. */
export async function runCampaign(options: CampaignRunOptions): Promise<CampaignRunOutcome> {
  const random = createSeededRandom(options.seed);
  const startedAt = nextMonday();
  const clock = createSandboxClock(startedAt - minuteMs - Date.now());
  const { campaign, reminders, escalations, endsAt } = planCampaign(options, startedAt);
  const fates = campaign.members.map(({ userId, timeZone }) => ({
    userId,
    timeZone,
    submittedAt: random.number() < submittingShare ? startedAt + Math.floor(random.number() * (endsAt - startedAt)) : undefined,
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
  const { workspace, bots: [bot], redis, folder, close } = testBed;
  if (bot === undefined) throw new Error('no bot');
  let hasProblems = true;
  try {
    injectFaults(workspace, random);
    const restart = async () => {
      await bot.kill();
      await bot.start();
    };
    const happens: { at: number; run: () => Promise<void> }[] = fates.flatMap((fate) => (fate.submittedAt === undefined ? [] : [{ at: fate.submittedAt, run: () => submit(testBed, { ...fate, submittedAt: fate.submittedAt! }) }]));
    const restartLater = async () => {
      await bot.kill();
      await clock.skip(random.between(1, 10) * minuteMs);
      await bot.start();
    };
    // Most of what can be lost happens while messages go out.
    const rounds = [startedAt, ...reminders].flatMap((at) => [at, at + 30 * minuteMs, at + 7 * 60 * minuteMs]);
    const killAt = () => random.pick(rounds) + Math.floor(random.number() * 20 * minuteMs);
    for (let count = 0; count < options.kills; count += 1) happens.push({ at: killAt(), run: count % 2 === 0 ? restartLater : async () => killAtNextPost(workspace, random, () => void clock.hold(restart)) });
    for (let count = 0; count < (options.redisKills ?? 0); count += 1) {
      happens.push({
        at: killAt(),
        async run() {
          await redis?.kill();
          await redis?.startAgain();
        },
      });
    }
    for (const { at, run } of happens.toSorted((a, b) => a.at - b.at)) {
      if (at > clock.now()) await clock.skip(at - clock.now());
      await run();
    }
    await clock.skip(Math.max(0, endsAt - clock.now()) + 60 * minuteMs);
    const seen: CampaignPerson[] = fates.map(({ userId, timeZone, submittedAt }) => ({ id: userId, timeZone, submittedAt, messages: noticesTo(workspace, personIdOf(userId)) }));
    const named = workspace.directMessages(personIdOf('u-lead')).filter(({ text }) => text.includes('still ha')).map(({ ts }) => Number(ts) * 1_000);
    const problems = judgeCampaign({ startedAt, reminders, endsAt, people: seen, lead: { timeZone: leadZone, due: escalations, messages: named } });
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
    await close({ keepFolder: hasProblems });
  }
}

/** The coming Monday at 8:00 in UTC. */
function nextMonday(): number {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const days = (8 - new Date(today).getUTCDay()) % 7 || 7;
  return today + days * dayMs + 8 * 60 * minuteMs;
}

function planCampaign({ people: count, days }: CampaignRunOptions, startedAt: number): { campaign: Campaign; reminders: number[]; escalations: number[]; endsAt: number } {
  const dueAt = startedAt + Math.floor(days / 2) * dayMs + 6 * 60 * minuteMs;
  const endsAt = startedAt + days * dayMs;
  const before = [7, 2, 1].filter((day) => day < Math.floor(days / 2)).map((day) => day * dayMs);
  const overdue = Array.from({ length: days }, (_, index) => dueAt + (index + 1) * 2 * dayMs).filter((at) => at < endsAt);
  const campaign: Campaign = {
    id: 'c-1', teamId, quiz, ownerId: people.tom.id, startedAt, completeWhen: 'passed',
    schedule: { dueAt, remindBeforeMs: before, overdueEveryMs: 2 * dayMs, escalateAfterMs: 3 * dayMs, endsAt },
    lead: { userId: 'u-lead', timeZone: leadZone },
    board: null, endedAt: null, remindNowAt: null, escalatedUpTo: 0, batchId: null, repeats: null,
    members: Array.from({ length: count }, (_, index) => ({
      userId: `u-member-${index}`, name: `Member ${index}`, groups: [], personId: personIdOf(`u-member-${index}`), timeZone: zones[index % zones.length]!,
      addedAt: startedAt, notifiedAt: null, remindedAt: [], snoozedUntil: null, result: null, responseIds: [], excused: null, saidNotMeAt: null,
    })),
  };
  const escalations = Array.from({ length: Math.ceil(days / 7) }, (_, week) => dueAt + (3 + week * 7) * dayMs);
  return { campaign, reminders: [...before.map((ms) => dueAt - ms), ...overdue], escalations, endsAt };
}

function personIdOf(userId: string): string {
  return `U0${userId.replaceAll('-', '').toUpperCase()}`;
}

/** As the start of a campaign leaves it: its place in the list, and the event that starts it. */
async function storeCampaign(campaign: Campaign, { DATA_DIR = '', REDIS_URL }: { DATA_DIR?: string; REDIS_URL?: string }): Promise<void> {
  const { storage } = await openStorage({ dataDir: DATA_DIR, redisUrl: REDIS_URL, clock: systemClock, onError: () => {} });
  await storage.open();
  const { id, quiz: { id: quizId, name }, ownerId, startedAt, endedAt } = campaign;
  await storage.outbox.commit(`campaigns/${teamId}`, {
    version: 0, isBusy: false, state: { campaigns: [{ id, quiz: { id: quizId, name }, ownerId, startedAt, endedAt }] },
    put: [{ queue: `campaign/${teamId}/${id}`, subscriptionId: 'campaigns', at: startedAt, content: { kind: 'campaign-event', event: { kind: 'start', campaign } } }],
  });
  await storage.close();
}

function addMembers({ members }: Campaign, { workspace, quizService: { database } }: Pick<ProcessTestBed, 'workspace' | 'quizService'>): void {
  addQuiz(database, { quiz_id: quiz.id, name: quiz.name, status: 'open', date_created: '2026-01-01 00:00:00' });
  const add = (userId: string, email: string) =>
    database.run("INSERT INTO users (user_id, user_name, folded_user_name, user_type, email_address, first_name, last_name, date_created) VALUES (?, ?, ?, 'respondent', ?, 'Member', ?, '2026-01-01 00:00:00')", [userId, email, email, email, userId]);
  for (const { userId, timeZone } of [...members, { userId: 'u-lead', timeZone: leadZone }]) {
    const email = `${userId}@quiz.example`;
    workspace.setPerson({ id: personIdOf(userId), name: userId, realName: userId, title: 'Member', email, timeZone });
    add(userId, email);
  }
}

/** The service takes a submission, and its webhook arrives or is lost. */
async function submit({ bots, quizService: { database } }: ProcessTestBed, { userId, submittedAt, isWebhookLost }: { userId: string; submittedAt: number; isWebhookLost: boolean }): Promise<void> {
  const responseId = `r-${userId}`;
  const submitted = new Date(submittedAt).toISOString().replace('T', ' ').slice(0, 19);
  database.run(
    `INSERT INTO responses (response_id, quiz_id, user_id, first_name, last_name, email_address, status, started_ms, date_submitted, points, available_points, percentage_score, grade, pass, duration, attempt, ip_address, publish_type)
     VALUES (?, ?, ?, 'Member', '', '', 'submitted', 1, ?, 9, 10, 90, 'A', 1, 60, 1, '127.0.0.1', 'assigned_user')`,
    [responseId, quiz.id, userId, submitted],
  );
  if (isWebhookLost) return;
  const body = eventBody({ event_id: `e-${userId}`, event_date: submitted }, { response_id: responseId, quiz_id: quiz.id, quiz_name: quiz.name, user_id: userId, date_submitted: submitted });
  const deliver = async () => {
    const answer = await request(`${bots[0]!.url}/webhooks/quiz`, { method: 'POST', body, headers: { 'content-type': 'application/json', 'x-webhook-signature': sign(body) } });
    await answer.body.dump();
    return answer.statusCode === 200;
  };
  // The service sends it again until the bot has it.
  while (!(await deliver().catch(() => false)));
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
  for (const method of ['chat.postMessage', 'conversations.history', 'users.lookupByEmail', 'conversations.open', 'users.list', 'dnd.teamInfo']) {
    for (const fault of [{ kind: 'rate-limited', retryAfterS: 1 }, { kind: 'http-error', status: 500 }, { kind: 'lost-answer' }, { kind: 'lost-request' }] as const) {
      workspace.faults.inject(fault, { method, when: () => random.number() < faultShare });
    }
  }
}

function noticesTo(workspace: Workspace, personId: string): CampaignPerson['messages'] {
  return workspace.directMessages(personId).flatMap(({ ts, text }): CampaignPerson['messages'] => {
    if (!text.includes(quiz.name)) return [];
    const at = Number(ts) * 1_000;
    const kind = text.startsWith('📝') ? 'first' : text.startsWith('⏰') ? 'reminder' : undefined;
    return kind ? [{ at, kind }] : [];
  });
}
