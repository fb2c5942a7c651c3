import type { Campaign } from '../../../../src/domain/campaign.ts';
import { createSandboxClock } from '../../../../src/sandbox/clock/sandbox-clock.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
import {
  addMembers,
  campaignFor,
  campaignQuiz,
  membersFor,
  nextMonday,
  personIdOf,
  storeCampaign,
} from '../../process-campaign.ts';
import { openProcessTestBed, type ProcessTestBed } from '../../process-test-bed.ts';
import { type KillPlan, type Load, type MakeKillTest, failByChance } from '../run-kills.ts';
import { sendSubmission, takeSubmission } from '../../take-quiz.ts';
import { formatInTimeZone, fromZonedTime } from 'date-fns-tz';

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
      clock,
      open: (shared) =>
        openProcessTestBed({
          ...shared,
          env: { ALERTS_CHANNEL: '' },
          async beforeStart(env, testBed) {
            addMembers(campaign, testBed);
            await storeCampaign(campaign, env);
          },
        }),
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
      const lostWebhooks = submitting.filter(({ isWebhookLost }) => isWebhookLost).length;
      return {
        lost: [],
        doubled: [],
        wrong: judgeCampaign({ startedAt, dueAt, reminders, endsAt, people: seen, lead }),
        figure: `${done().toLocaleString('en')} messages and ${named.length} with the names of the missing, ${fates.length.toLocaleString('en')} people, ${days} days, ${submitting.length} submissions, ${lostWebhooks} lost webhooks`,
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

/** What a campaign was to do, and what was seen. Times are milliseconds since the epoch. Shares no code with the rules of campaigns. */
interface CampaignRun {
  startedAt: number;
  dueAt: number;
  /** When reminders come due. */
  reminders: readonly number[];
  endsAt: number;
  people: readonly CampaignPerson[];
  /** The messages that name the missing people, and when they come due. Those of the week come on Mondays, and may take the place of another. */
  lead: { timeZone: string; due: readonly number[]; messages: readonly { at: number; isOfWeek: boolean }[] };
}

interface CampaignPerson {
  id: string;
  timeZone: string;
  /** When the service took their submission; undefined: never. */
  submittedAt: number | undefined;
  messages: readonly { at: number; kind: 'first' | 'reminder' }[];
}

/** First messages are all out by then: a weekend, and the pace of the platform. */
const firstWithinMs = 4 * dayMs;

/** What went wrong, as sentences; the empty list where all is right. */
function judgeCampaign(run: CampaignRun): string[] {
  const comingAt = new Map(
    [...new Set(run.people.map(({ timeZone }) => timeZone))].map((timeZone) => [
      timeZone,
      run.reminders.map((at) => reminderMoment(at, run.dueAt, timeZone)),
    ]),
  );
  const ofPeople = run.people.flatMap((person) =>
    judgePerson(person, comingAt.get(person.timeZone) ?? [], run).map(
      (problem) => `${person.id} (${person.timeZone}): ${problem}`,
    ),
  );
  return [...ofPeople, ...judgeLead(run)];
}

/** Some people never submit, so there are always names. */
function judgeLead({ endsAt, lead: { timeZone, due, messages } }: CampaignRun): string[] {
  const dayOf = (at: number) => formatInTimeZone(at, timeZone, 'yyyy-MM-dd');
  const daysOf = (isOfWeek: boolean) =>
    messages.filter((message) => message.isOfWeek === isOfWeek).map(({ at }) => dayOf(at));
  const [days, weeks] = [daysOf(false), daysOf(true)];
  const expected = due
    .map((at) => firstOpenMoment(at, timeZone))
    .filter((at) => at < endsAt)
    .map(dayOf)
    .filter((day) => days.includes(day) || !weeks.includes(day));
  const wrongWeeks = weeks.filter((day, place) => new Date(day).getUTCDay() !== 1 || weeks.indexOf(day) !== place);
  return [
    ...(expected.join() === days.join()
      ? []
      : [`the lead gets the names on ${days.join(', ')}, not on ${expected.join(', ')}`]),
    ...wrongWeeks.map((day) => `the lead gets a message of the week on ${day}`),
    ...messages
      .filter(({ at }) => !isOpen(at, timeZone))
      .map(({ at }) => `the lead gets the names outside the hours, ${formatInTimeZone(at, timeZone, 'EEE HH:mm:ss')}`),
  ];
}

/** @param comingAt when the reminders come in the hours of the person, several at the same moment where they come due in between */
function judgePerson(
  { timeZone, submittedAt = Infinity, messages }: CampaignPerson,
  comingAt: readonly number[],
  { startedAt, endsAt }: CampaignRun,
): string[] {
  const problems: string[] = [];
  const shown = (at: number) => formatInTimeZone(at, timeZone, 'EEE yyyy-MM-dd HH:mm:ss');
  const dayOf = (at: number) => formatInTimeZone(at, timeZone, 'yyyy-MM-dd');

  for (const { at, kind } of messages)
    if (!isOpen(at, timeZone)) problems.push(`${kind} message outside the hours, ${shown(at)}`);
  const days = messages.map(({ at }) => dayOf(at));
  if (new Set(days).size < days.length) problems.push(`two messages on a day: ${days.join(', ')}`);

  const [first, ...more] = messages.filter(({ kind }) => kind === 'first');
  if (more.length > 0) problems.push(`${more.length + 1} first messages`);
  if (first === undefined && submittedAt > startedAt + firstWithinMs) problems.push('no first message');
  if (first && first.at > startedAt + firstWithinMs) problems.push(`the first message comes late, ${shown(first.at)}`);

  // Reminders of a day are one, from the earliest on; those on the day of the first message are left out.
  const rounds = new Map(
    comingAt
      .filter((at) => at < endsAt && first !== undefined && dayOf(at) > dayOf(first.at))
      .toSorted((a, b) => b - a)
      .map((at) => [dayOf(at), at]),
  );
  for (const [day, beganAt] of rounds) {
    const count = messages.filter(({ at, kind }) => kind === 'reminder' && dayOf(at) === day).length;
    if (count > 0 && submittedAt <= beganAt)
      problems.push(`a reminder on ${day}, after the submission at ${shown(submittedAt)}`);
    if (count === 0 && submittedAt > endOfDay(day, timeZone)) problems.push(`no reminder on ${day}`);
  }
  for (const { at, kind } of messages)
    if (kind === 'reminder' && !rounds.has(dayOf(at))) problems.push(`a reminder that was not due, ${shown(at)}`);
  return problems;
}

/** Whether it is between 9:00 and 18:00 on a weekday there. */
export function isOpen(at: number, timeZone: string): boolean {
  const [weekday, hour] = formatInTimeZone(at, timeZone, 'i H').split(' ').map(Number);
  return weekday! <= 5 && hour! >= 9 && hour! < 18;
}

/** Clocks of all zones differ by full quarters of an hour, so the hours begin at one. */
const quarterMs = 900_000;

/** The first moment in these hours from a time on. */
export function firstOpenMoment(from: number, timeZone: string): number {
  let at = from;
  while (!isOpen(at, timeZone)) at = Math.floor(at / quarterMs + 1) * quarterMs;
  return at;
}

/** What is to come before the due time comes before it: at 17:00 on the last working day, where the next one is too late. */
function reminderMoment(planned: number, dueAt: number, timeZone: string): number {
  const next = firstOpenMoment(planned, timeZone);
  if (planned >= dueAt || next < dueAt) return next;
  let at = Math.floor(planned / quarterMs) * quarterMs;
  while (!isOpen(at, timeZone) || formatInTimeZone(at, timeZone, 'H:mm') !== '17:00') at -= quarterMs;
  return at;
}

function endOfDay(day: string, timeZone: string): number {
  return fromZonedTime(`${day}T23:59:59`, timeZone).getTime();
}
