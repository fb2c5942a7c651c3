import { shown, type Case } from './case.ts';
import { type FactOf, type ReportRow } from './journal.ts';
import { countedAttempt, standingAt, stateOf, validUntil, type Attempt, type Standing } from './oracle.ts';
import { numbersOf } from './names.ts';

const minuteMs = 60_000;
/** The bot notes when it began a message whose answer was lost. */
const nearMs = 90_000;

/** Every line of a report agrees with what Slack took, and with what the service has. */
export function judgeReports({ facts }: Case): [rule: string, message: string][] {
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
  const said = [row['First message (UTC)'] ?? '', ...(row['Reminded (UTC)'] ?? '').split(' ')]
    .filter(Boolean)
    .map(Date.parse);
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
