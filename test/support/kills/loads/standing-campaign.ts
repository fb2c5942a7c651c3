import type { Campaign } from '../../../../src/domain/campaign.ts';
import { createSandboxClock, quarterDaySteps } from '../../../../src/sandbox/clock/sandbox-clock.ts';
import { addGroup, assign, unassign } from '../../../../src/sandbox/quiz-service/store/quizzes.ts';
import type { SeededRandom } from '../../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { channels, people } from '../../../../src/sandbox/workspace/people.ts';
import { addAccountPerson, openProcessTestBed, type ProcessTestBed } from '../../process-test-bed.ts';
import { standingRule } from '../../builders/campaigns.ts';
import { firstOpenMoment, isOpen, killsAt } from './campaign.ts';
import {
  addMembers,
  campaignFor,
  campaignQuiz,
  membersFor,
  nextMonday,
  personIdOf,
  storeCampaign,
} from '../../process-campaign.ts';
import { type RecordingProxy, startRecordingProxy } from '../../proxy.ts';
import { type Load, type MakeKillTest, failByChance } from '../run-kills.ts';

interface StandingOptions {
  people: number;
  /** How many people join, and how many leave. */
  joins: number;
  leaves: number;
}

/** Somebody who joins or leaves an audience, by the channel or the group of the account. */
interface Move {
  userId: string;
  timeZone: string;
  way: 'channel' | 'group';
  at: number;
  /** Slack’s event never reaches the bot. */
  isEventLost: boolean;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'];
const groupId = '20000000-0000-4000-8000-00000000c002';
const channel = channels.partners;
/** Everyone who was in it from the start has it due at 17:00 on the 14th day after they came in, and is reminded two days before. */
const [inItForMs, remindBeforeMs] = [9 * dayMs, 2 * dayMs];
const dueHour = 17;
const movesForMs = 4 * dayMs;
/** The weekend after the last joiner, and the days on which they are written to. */
const lastsMs = 9 * dayMs;
const lostShare = 0.25;
/** After these, no event comes that would have the bot look: the last of them are found by the daily comparison alone. */
const toldShare = 0.8;
const groupShare = 0.3;
/** The bot finds what no event tells once a day; after a kill it is away for minutes. */
const foundWithinMs = dayMs + hourMs;
/** Slack takes a message a second, and a kill in between costs minutes. */
const writtenWithinMs = 3 * hourMs;
const membershipEvents = ['member_joined_channel', 'member_left_channel'];
const faultyMethods = ['chat.postMessage', 'conversations.members', 'users.lookupByEmail', 'users.list'];

/**
 * A campaign that stands, over simulated days in which people join and leave, Slack loses events and fails, and the bot is
 * killed: who joins gets the quiz and a message, once; who leaves hears nothing more; everyone else is reminded once. What counts
 * is what Slack and the service saw.
 */
export function standingKilled({ people: count, joins, leaves }: StandingOptions): MakeKillTest {
  return (random) => {
    const startedAt = nextMonday(8);
    const campaign = standing(count, startedAt);
    const joiners = movesOf('joiner', joins, random, startedAt);
    const leavers = movesOf('member', leaves, random, startedAt);
    const busy = [...joiners.map(({ at }) => at), reminderAt(startedAt)];
    const clock = createSandboxClock(startedAt - minuteMs - Date.now(), quarterDaySteps);
    let proxy: RecordingProxy | undefined;
    return {
      clock,
      open: (shared) =>
        openProcessTestBed({
          ...shared,
          env: { ALERTS_CHANNEL: '' },
          serviceUrl: async (url) => (proxy = await startRecordingProxy(url)).url,
          async beforeStart(env, testBed) {
            addEverybody(testBed, campaign, { joiners, leavers });
            await storeCampaign(campaign, env);
          },
        }),
      // Most of what can be lost happens within minutes after people join, and while reminders go out.
      kills: killsAt(() => random.pick(busy) + Math.floor(random.number() * 5 * minuteMs)),
      begin(testBed) {
        failByChance(testBed.workspace, random, { methods: faultyMethods, share: 0.03 });
        return loadOf(testBed, { campaign, startedAt, joiners, leavers, clock, requests: () => proxy?.requests ?? [] });
      },
      close: () => proxy?.close(),
    };
  };
}

/** By the zone of the lead, which is UTC. */
function reminderAt(startedAt: number): number {
  const dueDay = Math.floor((startedAt - inItForMs) / dayMs) + standingRule.standing.withinDays;
  return dueDay * dayMs + dueHour * hourMs - remindBeforeMs;
}

function standing(count: number, startedAt: number): Campaign {
  const addedAt = startedAt - inItForMs;
  return campaignFor(membersFor(count, { zones, addedAt, notifiedAt: addedAt }), {
    ...standingRule,
    remindBeforeMs: [remindBeforeMs],
    overdueEveryMs: null,
    escalateAfterMs: null,
    ownerId: people.ada.id,
    startedAt,
    audience: [`channel:${channel.id}|${channel.name}`, `group:${groupId}`],
  });
}

/** At most one within five minutes: more than 20 within an hour would wait for an answer. */
function movesOf(who: string, count: number, random: SeededRandom, startedAt: number): Move[] {
  return Array.from({ length: count }, (_, index) => ({
    userId: `u-${who}-${index}`,
    timeZone: zones[index % zones.length]!,
    way: random.number() < groupShare ? 'group' : 'channel',
    at: startedAt + Math.floor(((index + random.number()) * movesForMs) / count),
    isEventLost: index >= count * toldShare || random.number() < lostShare,
  }));
}

function addEverybody(
  testBed: Pick<ProcessTestBed, 'workspace' | 'quizService'>,
  campaign: Campaign,
  { joiners, leavers }: { joiners: readonly Move[]; leavers: readonly Move[] },
): void {
  const { workspace, quizService } = testBed;
  const fromChannel = new Set(leavers.flatMap(({ userId, way }) => (way === 'channel' ? [userId] : [])));
  quizService.database.transaction(() => {
    addMembers(campaign, testBed);
    for (const { userId, timeZone } of joiners)
      addAccountPerson(testBed, { personId: personIdOf(userId), userId, timeZone });
    addGroup(quizService.database, { group_id: groupId, group_name: 'Duty' });
    for (const { userId } of campaign.members)
      if (!fromChannel.has(userId)) assign(quizService.database, 'user_groups', { user_id: userId, group_id: groupId });
  });
  workspace.setChannel(channel.id, { members: [...channel.members, ...[...fromChannel].map(personIdOf)] });
}

function loadOf(
  testBed: ProcessTestBed,
  run: {
    campaign: Campaign;
    startedAt: number;
    joiners: readonly Move[];
    leavers: readonly Move[];
    clock: ReturnType<typeof createSandboxClock>;
    requests: () => readonly string[];
  },
): Load {
  const { campaign, startedAt, joiners, leavers, clock, requests } = run;
  const { workspace, quizService } = testBed;
  const leftAt = new Map(leavers.map(({ userId, at }) => [userId, at]));
  const messagesTo = (userId: string) =>
    workspace
      .directMessages(personIdOf(userId))
      .filter(({ text }) => text.includes(campaignQuiz.name))
      .map(({ ts }) => Number(ts) * 1_000);
  const written = () =>
    [...campaign.members, ...joiners].reduce((sum, { userId }) => sum + messagesTo(userId).length, 0);

  async function move({ userId, way, isEventLost }: Move, isJoining: boolean): Promise<void> {
    if (way === 'group') {
      (isJoining ? assign : unassign)(quizService.database, 'user_groups', { user_id: userId, group_id: groupId });
      return;
    }
    if (isEventLost) workspace.faults.setEventFault({ kind: 'lost' }, membershipEvents);
    await (isJoining ? workspace.join : workspace.leave)(channel.id, personIdOf(userId));
    workspace.faults.setEventFault(undefined);
  }

  return {
    happens: [
      ...joiners.map((joiner) => ({ at: joiner.at, run: () => move(joiner, true) })),
      ...leavers.map((leaver) => ({ at: leaver.at, run: () => move(leaver, false) })),
    ],
    done: written,
    isWaiting() {
      const now = clock.now();
      return joiners.some(
        ({ userId, timeZone, way, isEventLost, at }) =>
          way === 'channel' &&
          !isEventLost &&
          at + 3 * minuteMs < now &&
          isOpen(now, timeZone) &&
          messagesTo(userId).length === 0,
      );
    },
    over: () => clock.skip(Math.max(0, startedAt + lastsMs - clock.now())),
    judge() {
      const missed: string[] = [];
      const twice: string[] = [];
      const wrong: string[] = [];
      const note = (list: string[], userId: string, what: string) =>
        list.push(`${userId}: ${what}, ${messagesTo(userId).map(dated).join(', ')}`);
      const assignments = Map.groupBy(requests().flatMap(assignedUser), (userId) => userId);

      for (const { userId, timeZone, at } of joiners) {
        const [first, ...more] = messagesTo(userId);
        const times = assignments.get(userId)?.length ?? 0;
        if (times === 0) note(missed, userId, 'not assigned');
        if (times > 1) note(twice, userId, `assigned ${times} times`);
        if (more.length > 0) note(twice, userId, 'told more than once');
        if (first === undefined) note(missed, userId, `joined ${dated(at)} and not told`);
        else if (first < at || first > firstOpenMoment(at + foundWithinMs, timeZone) + writtenWithinMs)
          note(wrong, userId, `joined ${dated(at)} and told at another time`);
      }
      for (const { userId, timeZone } of campaign.members) {
        const messages = messagesTo(userId);
        const left = leftAt.get(userId) ?? Infinity;
        const remindedBy = firstOpenMoment(reminderAt(startedAt), timeZone) + writtenWithinMs;
        if (messages.length > 1) note(twice, userId, 'reminded more than once');
        if (messages.length === 0 && left > remindedBy) note(missed, userId, 'not reminded');
        if (messages.some((at) => at > left + foundWithinMs)) note(wrong, userId, `left ${dated(left)} and told later`);
        if (assignments.has(userId)) note(wrong, userId, 'assigned what they had');
      }
      const moves = [...joiners, ...leavers];
      const lostEvents = moves.filter(({ way, isEventLost }) => way === 'channel' && isEventLost).length;
      const untold = moves.filter(({ way }) => way === 'group').length;
      return {
        lost: missed,
        doubled: twice,
        wrong,
        figure: `${campaign.members.length.toLocaleString('en')} people, ${joiners.length} joins, ${leavers.length} leaves, ${lostEvents} events lost, ${untold} without an event, ${written().toLocaleString('en')} messages, ${[...assignments.values()].flat().length} assignments`,
      };
    },
  };
}

const dated = (at: number) => (Number.isFinite(at) ? new Date(at).toISOString().slice(0, 16) : 'never');

/** The user to whom a request assigns a quiz. */
function assignedUser(line: string): string[] {
  const [, userId] = /^POST \/api\/v1\/users\/([^/]+)\/quizzes\b/.exec(line) ?? [];
  return userId === undefined ? [] : [userId];
}
