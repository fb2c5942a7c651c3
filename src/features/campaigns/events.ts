import {
  changedRule,
  type Campaign,
  type CampaignAttempt,
  type CampaignEvent,
  type CampaignMember,
  type CampaignResult,
  type Candidates,
} from '../../domain/campaign.ts';
import { notKnown, notNeeded } from '../../domain/campaign-messages.ts';
import { personOf } from '../../obligations/people.ts';

/**
 * The campaign after these events, in one pass over its members. Events that come twice change nothing the second time.
 * After the end, only what became of messages is of interest, and whether it starts again.
 */
export function applyEvents(campaign: Campaign, events: readonly CampaignEvent[]): Campaign {
  const members = [...campaign.members];
  const places = new Map(members.map(({ userId }, place) => [userId, place]));
  const change = (userIds: readonly string[], changed: (member: CampaignMember) => CampaignMember): void => {
    for (const place of userIds.flatMap((userId) => places.get(userId) ?? []))
      members[place] = changed(members[place]!);
  };
  let next = campaign;
  for (const event of events) {
    if (next.endedAt !== null && event.kind !== 'delivery') continue;
    switch (event.kind) {
      case 'start':
        break;
      case 'result':
        change([event.userId], (member) => withResult(member, event));
        break;
      case 'read':
        members.splice(0, members.length, ...withRead({ ...next, members }, event).members);
        break;
      case 'deleted':
        change([...places.keys()], (member) => without(member, event.responseId));
        break;
      case 'handed':
        change(event.userIds, (member) => handed(member, event.at, next));
        break;
      case 'delivery':
        change([event.userId], (member) => withDelivery(member, event, next));
        break;
      case 'escalated':
        next = { ...next, escalatedUpTo: Math.max(next.escalatedUpTo, event.at) };
        break;
      case 'managed':
        change(event.userIds, (member) => ({ ...member, managerId: event.managerId }));
        break;
      case 'not-report':
        change([event.userId], (member) => notReport(member, event.by));
        break;
      case 'report-after-all':
        change([event.userId], (member) => reportAfterAll(member, event.by));
        break;
      case 'manager-gone':
        change(
          members.filter(({ managerId }) => managerId === event.managerId).map(({ userId }) => userId),
          (member) => ({ ...member, managerId: null }),
        );
        break;
      case 'excuse':
        change(event.userIds, (member) => excusedBy(member, event));
        break;
      case 'include':
        change(event.userIds, (member) => included(member, event.at));
        break;
      case 'rule':
        next = withRule({ ...next, members }, event);
        members.splice(0, members.length, ...next.members);
        break;
      case 'quiz':
        next = withQuiz(next, event);
        break;
      case 'hand-over': {
        const { ownerId, leads, timeZone } = event;
        // The new owner was not asked yet.
        const candidates = next.candidates && { ...next.candidates, askedAt: 0 };
        next = { ...next, ownerId, leads, timeZone, candidates, unable: [], approvedBy: null };
        break;
      }
      case 'unable':
        next = { ...next, unable: event.who };
        break;
      case 'remind-now':
        if (event.userIds === undefined) next = { ...next, remindNowAt: event.at };
        else change(event.userIds, (member) => ({ ...member, remindNowAt: event.at }));
        break;
      case 'snooze':
        change([event.userId], (member) => ({ ...member, snoozedUntil: event.until }));
        break;
      case 'not-me':
        change([event.userId], (member) => ({ ...member, saidNotMeAt: member.saidNotMeAt ?? event.at }));
        break;
      case 'for-me':
        change([event.userId], (member) => ({ ...member, saidNotMeAt: null }));
        break;
      case 'join':
        for (const member of event.members)
          if (!places.has(member.userId))
            places.set(member.userId, members.push({ ...member, stays: [{ from: event.at }] }) - 1);
          else change([member.userId], (known) => back(known, member, event.at));
        if (event.areNamed) next = withNamed(next, event.members);
        next = {
          ...next,
          candidates: withoutPeople(next.candidates, event.members),
          assigning: event.batchId === undefined ? next.assigning : { batchId: event.batchId, isStopped: false },
        };
        break;
      case 'leave':
        change(event.userIds, (member) => gone(member, event.at));
        break;
      case 'ask':
      case 'audience-changed':
      case 'board-shared':
        break;
      case 'candidates':
        next = { ...next, candidates: event.candidates };
        break;
      case 'unreadable':
        next = { ...next, unreadable: event.parts };
        break;
      case 'assigned':
        change(event.userIds, (member) => ({ ...member, assignment: 'has' }));
        break;
      case 'not-assigned':
        change(event.userIds, (member) =>
          member.assignment === 'waiting' ? { ...member, assignment: 'failed' } : member,
        );
        break;
      case 'assigning':
        next = { ...next, assigning: next.assigning && { ...next.assigning, isStopped: event.isStopped } };
        break;
      case 'end':
        next = { ...next, endedAt: event.at };
        break;
    }
  }
  return { ...next, members };
}

/** The campaign with what the service has, also after its end. */
export function withRead(
  campaign: Campaign,
  { results, since, ...ids }: Extract<CampaignEvent, { kind: 'read' }>,
): Campaign {
  const away = new Map<string, CampaignMember['away']>([
    ...(ids.suspendedIds ?? []).map((userId) => [userId, 'suspended'] as const),
    ...(ids.deletedIds ?? []).map((userId) => [userId, 'no_user'] as const),
  ]);
  const byUser = Map.groupBy(results, ({ userId }) => userId);
  return {
    ...campaign,
    members: campaign.members.map((member) =>
      asRead(member, byUser.get(member.userId) ?? [], { since, away: away.get(member.userId) ?? null }),
    ),
  };
}

/** A message names the due time. */
function handed(member: CampaignMember, at: number, campaign: Campaign): CampaignMember {
  const { messages } = member;
  if (messages.some(({ handedAt }) => handedAt === at)) return member;
  const dueAt = personOf(member, campaign, at).obligation.dueAt ?? null;
  return { ...member, messages: [...messages, { handedAt: at, at: null, failure: null, dueAt }] };
}

/** The latest excuse counts. At its end they are asked again. */
function excusedBy(
  member: CampaignMember,
  { by, reason, at, until }: Extract<CampaignEvent, { kind: 'excuse' }>,
): CampaignMember {
  if (member.excused !== null && member.excused.at > at) return member;
  return { ...member, excused: { by, reason, at, until }, askAgainAt: until };
}

/** Members who said that the quiz is not for them get a message that it is. An excuse by mistake goes without one. */
function included(member: CampaignMember, at: number): CampaignMember {
  const saidNotMe = member.saidNotMeAt !== null && member.saidNotMeAt <= at;
  const wasExcused = member.excused !== null && member.excused.at <= at;
  return {
    ...member,
    saidNotMeAt: saidNotMe ? null : member.saidNotMeAt,
    excused: wasExcused ? null : member.excused,
    askAgainAt: saidNotMe ? at : wasExcused ? null : member.askAgainAt,
  };
}

/** The obstacle is as old as it was when it was first known. An answer that was asked for earlier says nothing new. */
function withQuiz(campaign: Campaign, { name, status, at, by }: Extract<CampaignEvent, { kind: 'quiz' }>): Campaign {
  if (at < campaign.quizKnownAt) return campaign;
  const known = { ...campaign, quiz: { ...campaign.quiz, name }, quizKnownAt: at };
  if (status === 'open') return { ...known, obstacle: null };
  return campaign.obstacle?.status === status ? known : { ...known, obstacle: { status, since: at, by: by ?? null } };
}

/**
 * A message that arrived after all has arrived. One that was taken back since nobody could take the quiz, or since the member was
 * excused for a moment, was never sent: its turn comes again.
 */
function withDelivery(
  member: CampaignMember,
  { handedAt, at, failure, dueAt: named }: Extract<CampaignEvent, { kind: 'delivery' }>,
  campaign: Campaign,
): CampaignMember {
  const others = member.messages.filter((message) => message.handedAt !== handedAt);
  if (failure === notNeeded && campaign.endedAt === null && personOf(member, campaign, at).state === 'open')
    return { ...member, messages: others };
  const known = member.messages.find((message) => message.handedAt === handedAt);
  const isArrived = known !== undefined && known.at !== null && known.failure === null;
  const isGivenUp = known === undefined || (known.failure !== null && known.failure !== notKnown);
  if (isArrived || (isGivenUp && failure !== null)) return member;
  const dueWas = known === undefined ? (personOf(member, campaign, handedAt).obligation.dueAt ?? null) : known.dueAt;
  const dueAt = named === undefined ? dueWas : named;
  const messages = [...others, { handedAt, at, failure, dueAt }];
  return { ...member, messages: messages.toSorted((one, other) => one.handedAt - other.handedAt) };
}

/** A webhook can be in the bot before the service lists its response. */
const listedWithinMs = 2 * 60_000;

/** A member who has not taken it stays the same. */
function without(member: CampaignMember, deletedId: string): CampaignMember {
  const attempts = member.attempts.filter(({ responseId }) => responseId !== deletedId);
  return attempts.length === member.attempts.length ? member : { ...member, attempts };
}

/** A mark that is given later replaces what was known of the attempt. */
function withResult(
  member: CampaignMember,
  { responseId, result, at = 0 }: Extract<CampaignEvent, { kind: 'result' }>,
): CampaignMember {
  const { attempts } = without(member, responseId);
  return { ...member, attempts: [...attempts, { ...result, responseId, knownAt: at }] };
}

/** What the service does not have any more does not count, unless the bot has only just got to know it, or it went with the user. */
function asRead(
  member: CampaignMember,
  results: readonly { responseId: string; result: CampaignResult }[],
  { since, away }: { since: number; away: CampaignMember['away'] },
): CampaignMember {
  const known = member.attempts;
  const read = results.map(({ responseId, result }): CampaignAttempt => {
    const knownAt = known.find((attempt) => attempt.responseId === responseId)?.knownAt ?? since;
    return { ...result, responseId, knownAt };
  });
  const isKept = ({ responseId, knownAt }: CampaignAttempt) =>
    (away === 'no_user' || knownAt > since - listedWithinMs) &&
    !read.some((attempt) => attempt.responseId === responseId);
  return { ...member, away, attempts: [...read, ...known.filter(isKept)] };
}

/**
 * A campaign after its rule was changed. Members who know another due time get a message; so do those who were asked before, and
 * have to take it again.
 */
function withRule(campaign: Campaign, { change, at }: Extract<CampaignEvent, { kind: 'rule' }>): Campaign {
  const changed: Campaign = { ...campaign, rule: changedRule(campaign.rule, change), dueChangedAt: at };
  const isAskedAgain = (member: CampaignMember) =>
    member.messages.length > 0 &&
    personOf(member, campaign, at).state === 'complete' &&
    personOf(member, changed, at).state === 'open';
  return {
    ...changed,
    members: campaign.members.map((member) => (isAskedAgain(member) ? { ...member, remindNowAt: at } : member)),
  };
}

/**
 * A member who comes in again, with what they had: passes, excuses, messages. Events can be applied twice, so one from before they
 * left changes nothing. A member who could not get the quiz before, or did
 * not need it, has it now, or waits for it.
 *
 * @param at in milliseconds since the epoch
 */
function back(
  known: CampaignMember,
  { name, groups, personId, timeZone, assignment }: CampaignMember,
  at: number,
): CampaignMember {
  const { to = Infinity } = known.stays.at(-1) ?? { to: 0 };
  if (to === Infinity && (known.assignment === 'failed' || known.assignment === 'later'))
    return { ...known, assignment };
  if (at < to) return known;
  return { ...known, name, groups, personId, timeZone, assignment, stays: [...known.stays, { from: at }] };
}

/** A member who leaves the audience. @param at in milliseconds since the epoch */
function gone(member: CampaignMember, at: number): CampaignMember {
  const last = member.stays.at(-1);
  if (last === undefined || last.to !== undefined || at < last.from) return member;
  return { ...member, stays: [...member.stays.slice(0, -1), { ...last, to: at }] };
}

/** People who are added by name to a campaign that stands are in its audience from then on, whatever groups they are in. */
function withNamed(campaign: Campaign, members: readonly CampaignMember[]): Campaign {
  const { rule, audience } = campaign;
  if (rule.standing === null || audience.length === 0) return campaign;
  return { ...campaign, audience: [...new Set([...audience, ...members.map(({ userId }) => `user:${userId}`)])] };
}

/** Those who still wait to be taken in when these members are in. */
function withoutPeople(candidates: Candidates | null, members: readonly CampaignMember[]): Candidates | null {
  const taken = new Set(members.map(({ userId }) => userId));
  const people = candidates?.people.filter(({ userId }) => !taken.has(userId)) ?? [];
  return people.length === 0 ? null : { people, askedAt: candidates?.askedAt ?? 0 };
}

/** From then on, the leads get the name. */
function notReport(member: CampaignMember, by: string): CampaignMember {
  const { managerId, notReportOf } = member;
  return {
    ...member,
    managerId: managerId === by ? null : managerId,
    notReportOf: [...new Set([...notReportOf, by])],
  };
}

function reportAfterAll(member: CampaignMember, by: string): CampaignMember {
  const { notReportOf } = member;
  if (!notReportOf.includes(by)) return member;
  return { ...member, managerId: by, notReportOf: notReportOf.filter((personId) => personId !== by) };
}

/**
 * A campaign that stands without what is over since before a moment (milliseconds since the epoch): people who had left by then,
 * messages, stays and attempts. What still says how somebody stands is kept, however old it is. So its size goes by its people,
 * and not by its age. Rounds are kept whole, and forgotten after their end.
 */
export function withoutOld(campaign: Campaign, before: number): Campaign {
  if (campaign.rule.standing === null) return campaign;
  const members = campaign.members.flatMap((member) => {
    const left = member.stays.at(-1)?.to;
    if (left !== undefined && left < before) return [];
    // A member who stays the same is not written again.
    return hasOlder(member, before) ? [memberSince(member, before)] : [member];
  });
  return { ...campaign, members };
}

function hasOlder({ stays, messages, attempts }: CampaignMember, before: number): boolean {
  return (
    messages.some(({ handedAt }) => handedAt < before) ||
    stays.some(({ to = Infinity }) => to < before) ||
    attempts.some(({ submittedAt }) => submittedAt !== null && submittedAt < before)
  );
}

/** The first and the last message say when they were told what. */
function memberSince(member: CampaignMember, before: number): CampaignMember {
  const { stays, messages, attempts } = member;
  const isEnd = (place: number) => place === 0 || place === messages.length - 1;
  return {
    ...member,
    stays: stays.filter(({ to = Infinity }) => to >= before),
    messages: messages.filter(({ handedAt }, place) => handedAt >= before || isEnd(place)),
    attempts: attemptsSince(attempts, before),
  };
}

/**
 * Of the older ones, the latest, and the latest that counts by any rule: passes count the longer the later they are. One without
 * a date is dated by when the bot got to know it, so one that was forgotten would be taken for new at the next reading.
 */
function attemptsSince(attempts: readonly CampaignAttempt[], before: number): readonly CampaignAttempt[] {
  const old = attempts.filter(({ submittedAt }) => submittedAt !== null && submittedAt < before);
  const kept = new Set([
    latestOf(old),
    latestOf(old.filter(({ outcome }) => outcome === 'passed' || outcome === 'not graded')),
  ]);
  return attempts.filter((attempt) => !old.includes(attempt) || kept.has(attempt));
}

function latestOf(attempts: readonly CampaignAttempt[]): CampaignAttempt | undefined {
  return attempts.toSorted((one, other) => (one.submittedAt ?? 0) - (other.submittedAt ?? 0)).at(-1);
}
