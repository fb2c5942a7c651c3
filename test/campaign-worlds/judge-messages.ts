import { clockIn, shown, type Case } from './case.ts';
import type { FactOf } from './journal.ts';
import { isDone, standingAt } from './oracle.ts';

const minuteMs = 60_000;
/** Without a webhook, the bot reads the responses before each round of messages, not before each message. */
const readWithinMs = 16 * minuteMs;
/** The bot looks whether the quiz is open right before it writes. Messages of several campaigns are gathered for two minutes. */
const lookedWithinMs = 3 * minuteMs;
/** A message that is being sent when the result comes in still arrives. */
const onItsWayMs = 2_000;
/** What somebody changes in the account itself, the bot finds in its lists. */
const listedWithinMs = 40 * minuteMs;

/** Nobody gets a message outside their hours, or one that asks for what is not possible. */
export function judgeMessages({ facts, people, holidays }: Case): [rule: string, message: string][] {
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
    if (now.excused.has(who)) say('excused', `they are excused since ${shown(now.excused.get(who)!.at)}`);
    if (now.notMe.has(who)) say('not me', 'they said that it is not for them');
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
