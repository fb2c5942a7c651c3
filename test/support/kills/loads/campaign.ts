import type { Campaign } from '../../../../src/domain/campaign.ts';
import { createSandboxClock } from '../../../../src/sandbox/clock/sandbox-clock.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import { isOpen, judgeCampaign, reminderMoment, type CampaignPerson } from '../../campaign-oracle.ts';
import {
  addMembers,
  campaignFor,
  campaignQuiz,
  membersFor,
  nextMonday,
  personIdOf,
  storeCampaign,
} from '../../process-campaign.ts';
import type { ProcessTestBed } from '../../process-test-bed.ts';
import { type KillPlan, type Load, type MakeKillTest, failByChance } from '../kill-test.ts';
import { sendSubmission, takeSubmission } from '../submissions.ts';

interface CampaignOptions {
  people: number;
  /** The length of the campaign. Under 8, it begins on a Thursday, and what follows the due time comes sooner. */
  days: number;
}

interface Plan {
  campaign: Campaign;
  startedAt: number;
  dueAt: number;
  reminders: number[];
  escalations: number[];
  endsAt: number;
}

/** What a member does. */
interface Fate {
  userId: string;
  timeZone: string;
  /** Undefined: they never submit. */
  submittedAt: number | undefined;
  isWebhookLost: boolean;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'];
const leadZone = 'Etc/UTC';
/** A person gets one message a day: a reminder that comes after another message is left out. */
const sameDayMs = 12 * 60 * minuteMs;
const lostShare = 0.1;
const submittingShare = 0.8;
const faultyMethods = [
  'chat.postMessage',
  'conversations.history',
  'users.lookupByEmail',
  'conversations.open',
  'users.list',
  'dnd.teamInfo',
];

/** A campaign over simulated days, while Slack fails and webhooks are lost: its people are written to as its schedule says. */
export function campaignKilled({ people: count, days }: CampaignOptions): MakeKillTest {
  return (random) => {
    const startedAt = nextMonday(8) + (days < 8 ? 3 * dayMs : 0);
    const plan = planCampaign(count, days, startedAt);
    const { campaign, reminders, endsAt } = plan;
    const fates = campaign.members.map(({ userId, timeZone }): Fate => ({
      userId,
      timeZone,
      submittedAt:
        random.number() < submittingShare ? startedAt + Math.floor(random.number() * (endsAt - startedAt)) : undefined,
      isWebhookLost: random.number() < lostShare,
    }));
    // Most of what can be lost happens while messages go out.
    const rounds = [startedAt, ...reminders].flatMap((at) => [at, at + 30 * minuteMs, at + 7 * 60 * minuteMs]);
    const clock = createSandboxClock(startedAt - minuteMs - Date.now());
    return {
      bed: {
        clock,
        env: { ALERTS_CHANNEL: '' },
        async beforeStart(env, testBed) {
          addMembers(campaign, testBed);
          await storeCampaign(campaign, env);
        },
      },
      kills: killsAt(() => random.pick(rounds) + Math.floor(random.number() * 20 * minuteMs)),
      begin(testBed) {
        failByChance(testBed.workspace, random, { methods: faultyMethods, share: 0.03 });
        return loadOf(testBed, { ...plan, fates, days, clock });
      },
    };
  };
}

/** Kills at moments of the simulated time, and after a message was sent whose answer is lost. */
export function killsAt(pick: () => number): KillPlan {
  return {
    moments: { after: 'a time', pick },
    ways: [{ awayMs: { min: minuteMs, max: 10 * minuteMs } }, { atCall: 'chat.postMessage' }],
  };
}

function loadOf(
  testBed: ProcessTestBed,
  run: Plan & { fates: readonly Fate[]; days: number; clock: ReturnType<typeof createSandboxClock> },
): Load {
  const { startedAt, dueAt, reminders, escalations, endsAt, fates, days, clock } = run;
  const { workspace } = testBed;
  const submitting = fates.flatMap(({ submittedAt: at, ...fate }) => (at === undefined ? [] : [{ ...fate, at }]));
  const comingAt = new Map(
    zones.map((zone) => [zone, [startedAt, ...reminders].map((at) => reminderMoment(at, dueAt, zone))]),
  );
  const done = () => fates.reduce((sum, { userId }) => sum + noticesTo(workspace, personIdOf(userId)).length, 0);
  return {
    happens: submitting.map(({ at, userId, isWebhookLost }) => ({
      at,
      async run() {
        const submission = {
          responseId: `r-${userId}`,
          quiz: campaignQuiz,
          userId,
          submittedAt: at,
          points: 90,
          passes: true,
        };
        takeSubmission(testBed, submission);
        if (!isWebhookLost) await sendSubmission(testBed, submission);
      },
    })),
    done,
    isWaiting() {
      const now = clock.now();
      return fates.some(({ userId, timeZone, submittedAt = Infinity }) => {
        if (now >= submittedAt || !isOpen(now, timeZone)) return false;
        const sent = noticesTo(workspace, personIdOf(userId));
        return comingAt.get(timeZone)!.some((at) => at <= now && sent.every((notice) => notice.at < at - sameDayMs));
      });
    },
    over: () => clock.skip(Math.max(0, endsAt - clock.now()) + 60 * minuteMs),
    judge() {
      const seen = fates.map(({ userId: id, timeZone, submittedAt }): CampaignPerson => ({
        id,
        timeZone,
        submittedAt,
        messages: noticesTo(workspace, personIdOf(id)),
      }));
      const named = workspace
        .directMessages(personIdOf('u-lead'))
        .map((message) => ({
          at: Number(message.ts) * 1_000,
          isEscalation: message.text.includes('still ha'),
          isOfWeek: JSON.stringify(message).includes('overdue. '),
        }))
        .filter(({ isEscalation, isOfWeek }) => isEscalation || isOfWeek);
      const lead = { timeZone: leadZone, due: escalations, messages: named };
      const problems = judgeCampaign({ startedAt, dueAt, reminders, endsAt, people: seen, lead });
      const lostWebhooks = submitting.filter(({ isWebhookLost }) => isWebhookLost).length;
      return {
        lost: 0,
        doubled: 0,
        wrong: problems.length,
        problems,
        figure({ kills, redisKills, seed }) {
          const redis = redisKills > 0 ? `, Redis killed ${redisKills} times` : '';
          return `${problems.length} wrong of ${done().toLocaleString('en')} messages and ${named.length} messages with their names (${fates.length.toLocaleString('en')} people, ${days} days, ${submitting.length} submissions, ${lostWebhooks} lost webhooks, ${kills} kills${redis}; seed ${seed})`;
        },
      };
    },
  };
}

function planCampaign(count: number, days: number, startedAt: number): Plan {
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
    ...schedule,
    leads: ['u-lead'],
    timeZone: leadZone,
  });
  const escalations = Array.from(
    { length: Math.ceil(days / 7) },
    (_, week) => dueAt + escalateAfterMs + week * 7 * dayMs,
  );
  return {
    campaign,
    startedAt,
    dueAt,
    reminders: [...before.map((ms) => dueAt - ms), ...overdue],
    escalations,
    endsAt,
  };
}

function noticesTo(workspace: Workspace, personId: string): CampaignPerson['messages'] {
  return workspace.directMessages(personId).flatMap(({ ts, text }): CampaignPerson['messages'] => {
    if (!text.includes(campaignQuiz.name)) return [];
    const at = Number(ts) * 1_000;
    const kind = text.startsWith('📝') ? 'first' : text.startsWith('⏰') ? 'reminder' : undefined;
    return kind ? [{ at, kind }] : [];
  });
}
