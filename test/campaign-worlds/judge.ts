import { judgeDelivery, dayOf, type Case, shown, clockIn } from './judge-delivery.ts';
import { factsAbout, type Fact, type Journal, type FactOf, type ReportRow, numbersOf } from './journal.ts';
import type { WorldPlan } from './plan.ts';
import {
  standingAt,
  stateOf,
  type Attempt,
  type MemberStanding,
  type Standing,
  isDone,
  countedAttempt,
  validUntil,
} from './oracle.ts';

/** Something that differs from the documentation. */
export interface Difference {
  rule: string;
  campaign: number | undefined;
  message: string;
}

export function judge({ all }: Journal, plan: WorldPlan, holidays: readonly string[]): Difference[] {
  const toldAt = (who: number) => all.flatMap((fact) => (fact.kind === 'message' && fact.who === who ? [fact.at] : []));
  const ofCampaigns = [...plan.campaigns.keys()].flatMap((campaign) => {
    const one: Case = { campaign, facts: factsAbout(all, campaign), toldAt, people: plan.people, holidays };
    if (!one.facts.some(({ kind }) => kind === 'started')) return [];
    return [...judgeMessages(one), ...judgeDelivery(one), ...judgeReports(one), ...judgeBoards(one)].map(
      ([rule, message]) => ({ rule, campaign, message }),
    );
  });
  return [...ofCampaigns, ...oneADay(all, plan)];
}

/** Over a weekend and a holiday. */
const nextDayMs = 4 * 24 * 60 * 60_000;

/** A person gets at most one message a day, over all campaigns, besides those about what is due before they could get another. */
function oneADay(all: readonly Fact[], { people }: WorldPlan): Difference[] {
  const days = new Map<string, number>();
  for (const fact of all) {
    if (fact.kind !== 'message') continue;
    const day = `${fact.who} ${dayOf(fact.at, people[fact.who]!.timeZone)}`;
    const isUrgent = fact.campaigns.some((campaign) => {
      const { dueAt } = standingAt(factsAbout(all, campaign), fact.at);
      return dueAt > fact.at && dueAt <= fact.at + nextDayMs;
    });
    if (!isUrgent || !days.has(day)) days.set(day, (days.get(day) ?? 0) + 1);
  }
  return [...days]
    .filter(([, count]) => count > 1)
    .map(([day, count]) => ({
      rule: 'one a day',
      campaign: undefined,
      message: `person and day ${day}: ${count} messages`,
    }));
}

/** A board counts and names whom the account has in each state, as far as the bot can know it. */
function judgeBoards({ facts }: Case): [rule: string, message: string][] {
  return facts
    .filter((fact): fact is FactOf<'board'> => fact.kind === 'board')
    .flatMap(({ at, text }) => {
      // What happens at the same moment comes after it, and a board does not change after the end.
      const { endedAt = at - 1 } = standingAt(facts, at - 1);
      const now = standingAt(facts, endedAt);
      // An excuse that ends at the same moment can be over.
      const then =
        endedAt === at - 1
          ? standingAt(
              facts.filter((fact) => fact.at < at),
              at,
            )
          : now;
      const [found = [], ...others] = [now, then].flatMap((one) => [
        problemsIn(text, one, one.known),
        problemsIn(text, one, one.read),
      ]);
      return others.some((other) => other.length === 0)
        ? []
        : found.map(([rule, message]): [string, string] => [rule, `at ${shown(at)}, ${message}`]);
    });
}

function problemsIn(text: string, now: Standing, known: readonly Attempt[]): [string, string][] {
  const states = new Map(now.members.map((who) => [who, stateOf(now, who, known)]));
  const inState = (state: MemberStanding) => [...states].flatMap(([who, is]) => (is === state ? [who] : []));
  const of = now.members.length - inState('excused').length;
  const expected = `${inState('done').length} of ${of} ${now.completeWhen}`;
  const found: [string, string][] = [];
  const counts = countsIn(text, now.completeWhen) ?? 'no counts';
  if (counts !== expected) found.push(['board: counts', `it says “${counts}”, not “${expected}”`]);
  const named = numbersOf('Person', text).toSorted((a, b) => a - b);
  const open = [...inState('missing'), ...inState('says it isn’t for them')].toSorted((a, b) => a - b);
  if (now.endedAt === undefined && named.join() !== open.join())
    found.push(['board: names', `it names ${named.join(', ') || 'nobody'}, not ${open.join(', ') || 'nobody'}`]);
  return found;
}

/** “2 of 5 passed” of a board, and what the final post says in words. */
function countsIn(text: string, completeWhen: Standing['completeWhen']): string | undefined {
  const [, of] = /Everyone (?:passed|submitted it): (\d+) /.exec(text) ?? [];
  if (of !== undefined) return `${of} of ${of} ${completeWhen}`;
  if (text.includes('Nobody had to take it.')) return `0 of 0 ${completeWhen}`;
  const [, some, all, isNot] =
    /(\d+) of (\d+) (?:(?:person|people) )?(didn’t )?(?:passed|pass|submitted|submit)\b/.exec(text) ?? [];
  if (some === undefined) return undefined;
  // Said where nobody is done.
  return `${isNot === undefined ? some : 0} of ${all} ${completeWhen}`;
}

const minuteMs = 60_000;
/** Without a webhook, the bot reads the responses before each round of messages, not before each message. */
const readWithinMs = 16 * minuteMs;
/** The bot looks whether the quiz is open right before it writes. Messages of several campaigns are gathered for two minutes. */
const lookedWithinMs = 3 * minuteMs;
/** A message that is being sent when something makes it needless still arrives. */
const onItsWayMs = 2_000;
/** What somebody changes in the account itself, the bot finds in its lists. */
const listedWithinMs = 40 * minuteMs;

/** Nobody gets a message outside their hours, or one that asks for what is not possible. */
function judgeMessages({ facts, people, holidays }: Case): [rule: string, message: string][] {
  const messages = facts.filter((fact): fact is FactOf<'message'> => fact.kind === 'message');
  return messages.flatMap(({ who, at }) => {
    const found: [string, string][] = [];
    const { timeZone, isDisturbedLate } = people[who]!;
    const say = (rule: string, why: string) => found.push([rule, `a message to person ${who} at ${shown(at)}: ${why}`]);
    const clock = clockIn(at, timeZone);
    if (clock.time < '09:00:00' || clock.time >= '18:00:00' || ['Sat', 'Sun'].includes(clock.weekday))
      say('hours', `it is ${clock.weekday} ${clock.time} in ${timeZone}`);
    if (holidays.includes(clock.day)) say('hours', `${clock.day} is a holiday`);
    if (isDisturbedLate && (clock.time >= '16:00:00' || clock.time < '11:00:00'))
      say('do not disturb', `it is ${clock.time} in ${timeZone}`);

    const now = standingAt(facts, at);
    const sent = standingAt(facts, at - onItsWayMs);
    if (now.startedAt === undefined || !now.members.includes(who)) say('not in it', 'they are not in the campaign');
    if (now.endedAt !== undefined && now.endedAt < at) say('over', `it ended at ${shown(now.endedAt)}`);
    if (now.excused.has(who) && sent.excused.has(who))
      say('excused', `they are excused since ${shown(now.excused.get(who)!.at)}`);
    if (now.notMe.has(who) && sent.notMe.has(who)) say('not me', 'they said that it is not for them');
    if (
      isDone(
        now,
        who,
        sent.known.filter((one) => now.attempts.includes(one)),
      )
    )
      say('done', 'they are done, and the bot knew it');
    const before = standingAt(facts, at - readWithinMs);
    const lasting = before.attempts.filter((one) => now.attempts.includes(one));
    if (isDone(now, who, lasting)) say('done unheard', 'they were done a quarter of an hour before');
    const since = at - listedWithinMs;
    if (now.quiz !== 'open' && now.quizSince < at - lookedWithinMs)
      say(`quiz ${now.quiz}`, `the quiz is ${now.quiz} since ${shown(now.quizSince)}`);
    for (const kind of ['suspended', 'deleted'] as const) {
      const happenedAt = now[kind].get(who);
      if (happenedAt !== undefined && happenedAt < since) say(kind, `they are ${kind} since ${shown(happenedAt)}`);
    }
    return found;
  });
}

/** The bot notes when it began a message whose answer was lost. */
const nearMs = 90_000;

/** Every line of a report agrees with what Slack took, and with what the service has. */
function judgeReports({ facts }: Case): [rule: string, message: string][] {
  return facts
    .filter((fact): fact is FactOf<'report'> => fact.kind === 'report')
    .flatMap(({ rows, at }) => {
      const now = standingAt(facts, at);
      const say = (rule: string, message: string): [string, string] => [
        `report: ${rule}`,
        `at ${shown(at)}, ${message}`,
      ];
      const byWho = new Map(rows.map((row) => [numbersOf('Person', row.Person)[0], row]));
      return now.members.flatMap((who) => {
        const row = byWho.get(who);
        if (row === undefined) return now.deleted.has(who) ? [] : [say('person', `person ${who} is not in it`)];
        const messages = facts.flatMap((fact) =>
          fact.kind === 'message' && fact.who === who && fact.at <= at ? [fact.at] : [],
        );
        return [
          ...messageProblems(row, messages, at),
          ...resultProblems(row, now, who),
          ...endProblems(row, facts, now, who),
          ...reachProblems(row, facts, who),
        ].map(([rule, message]) => say(rule, `person ${who}: ${message}`));
      });
    });
}

function messageProblems(row: ReportRow, messages: readonly number[], readAt: number): [string, string][] {
  const said = ['First message (UTC)', 'Reminded (UTC)', 'New due time sent (UTC)']
    .flatMap((title) => (row[title] ?? '').split(' ').filter(Boolean).map(Date.parse))
    .toSorted((a, b) => a - b);
  const agreesWith = (taken: readonly number[]) =>
    said.length === taken.length && said.every((at, index) => Math.abs(at - taken[index]!) <= nearMs);
  // Of what happens at the moment of the report, either comes first.
  if (agreesWith(messages) || agreesWith(messages.filter((at) => at < readAt))) return [];
  return [
    [
      'messages',
      `it says ${said.map(shown).join(', ') || 'none'}; Slack took ${messages.map(shown).join(', ') || 'none'}`,
    ],
  ];
}

function resultProblems(row: ReportRow, now: Standing, who: number): [string, string][] {
  // Its responses are gone, and what was known of them stays.
  if (now.quiz === 'deleted') return [];
  const found = problemsBy(row, now, who, now.attempts);
  const others = [now.unsure.get(who) ?? now.attempts, [...now.attempts, ...now.justDeleted]];
  return others.some((known) => problemsBy(row, now, who, known).length === 0) ? [] : found;
}

function problemsBy(row: ReportRow, now: Standing, who: number, known: readonly Attempt[]): [string, string][] {
  const own = known.filter((attempt) => attempt.who === who);
  const counted = countedAttempt(now, who, own);
  const ends = own
    .filter(({ passed }) => passed || now.completeWhen === 'submitted')
    .map((attempt) => validUntil(now, attempt));
  const end = Math.max(0, ...ends);
  const expected: Record<string, string> = {
    State: stateOf(now, who, own),
    Attempts: String(own.length),
    Result: counted === undefined ? '' : counted.passed ? 'passed' : 'failed',
    Percentage: counted === undefined ? '' : counted.passed ? '90' : '20',
    'Submitted (UTC)': counted === undefined ? '' : new Date(counted.submittedAt).toISOString(),
    'Valid until (UTC)': end === 0 || end === Infinity ? '' : new Date(end).toISOString(),
    'Excused because': now.reasons.get(who) ?? '',
  };
  return Object.entries(expected)
    .filter(([title, value]) => withoutReach(row[title] ?? '') !== value)
    .map(([title, value]) => [title.toLowerCase(), `${title} is “${row[title]}”, not “${value}”`]);
}

/** For a campaign that is over, the state at its end stands beside the state now. */
function endProblems(row: ReportRow, facts: Case['facts'], { endedAt }: Standing, who: number): [string, string][] {
  const then = endedAt === undefined ? undefined : standingAt(facts, endedAt);
  const expected: string[] = then ? [stateOf(then, who, then.known), stateOf(then, who, then.read)] : [''];
  const said = withoutReach(row['State at the end'] ?? '');
  // What a report reads can end its campaign.
  const isEnding = endedAt !== undefined && Date.parse(row['As of (UTC)'] ?? '') - endedAt < 1_000;
  if (isEnding || expected.includes(said) || then?.quiz === 'deleted') return [];
  return [['state at the end', `it is “${said}”, not “${expected[0]}”`]];
}

/** Who could not be reached, and when, another column says. */
const withoutReach = (state: string) => state.replace(', can’t be reached', '');

const reasons = [
  { words: /they are suspended/, kind: 'suspended' },
  { words: /aren’t in the quiz account/, kind: 'deleted' },
  { words: /aren’t in Slack|nobody in Slack/, kind: 'left' },
] as const;

/** Whoever could not be reached at a time was not there then. */
function reachProblems(row: ReportRow, facts: Case['facts'], who: number): [string, string][] {
  return (row['Not reached'] ?? '')
    .split('; ')
    .filter(Boolean)
    .flatMap((part): [string, string][] => {
      const [, time, words = part] = /^(\S+Z): (.*)$/.exec(part) ?? [];
      const reason = reasons.find((one) => one.words.test(words));
      // The service takes no assignment to a user whom it has no more.
      if (
        part === 'the quiz couldn’t be assigned to them' &&
        facts.some((fact) => fact.kind === 'deleted' && fact.who === who)
      )
        return [];
      if (time === undefined || reason === undefined) return [['not reached', `it says “${part}”`]];
      const at = Date.parse(time);
      // What the bot knows of people can be an hour old.
      const wasSo = [at, at - 61 * minuteMs, at + minuteMs].some((moment) => {
        const then = standingAt(facts, moment);
        return then[reason.kind].has(who) || (reason.kind === 'left' && then.deleted.has(who));
      });
      return wasSo ? [] : [['not reached', `it says “${part}”, which was not so`]];
    });
}
