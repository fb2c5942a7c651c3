import { shown, type Case } from './case.ts';
import { type FactOf } from './journal.ts';
import { standingAt, stateOf, type Attempt, type MemberStanding, type Standing } from './oracle.ts';
import { numbersOf } from './names.ts';

/** A board counts and names whom the account has in each state, as far as the bot can know it. */
export function judgeBoards({ facts }: Case): [rule: string, message: string][] {
  return facts
    .filter((fact): fact is FactOf<'board'> => fact.kind === 'board')
    .flatMap(({ at, text }) => {
      // What happens at the same moment comes after it, and a board does not change after the end.
      const { endedAt = at - 1 } = standingAt(facts, at - 1);
      const now = standingAt(facts, endedAt);
      const found = problemsIn(text, now, now.known);
      return found.length === 0 || problemsIn(text, now, now.read).length === 0
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
