import type { BotChange, ChangingCall, Journal } from './journal.ts';
import type { Deed } from './judge.ts';
import { standingOf } from './rules.ts';
import type { State } from './state.ts';

/** The states in which a change may have been judged: those it was made in, and those that the bot may still go by. */
export interface Moments {
  present: State[];
  earlier: () => State[];
}

/** What the bot knows of people counts for so long where a row concerns no rights. */
const knownForMs = 60_000;

const presses = new Set(['run-batch', 'resume-batch', 'run-campaign', 'add-to-campaign']);

/** Whether a person has set a batch going. */
function isPress({ kind, isOurs, isGranted, intent }: Deed): boolean {
  return isOurs && isGranted === true && (kind === 'decide' || (kind === 'do' && presses.has(intent?.operation ?? '')));
}

/** Whether a row decides who can sign in, as whom, and with which rights. */
function concernsRights({ table, before, after }: BotChange): boolean {
  if (table !== 'users') return false;
  const isWithRights = ['edit_quizzes', 'manage_users', 'manage_groups'].some((flag) => after?.[flag] === 1);
  return before !== null || after?.['user_type'] !== 'respondent' || isWithRights;
}

/** The states in which the bot may have judged what it changed in a cohort. */
export function momentsIn(journal: Journal, cohort: number, deeds: readonly Deed[]) {
  const changes = journal.changes(cohort);
  const calls = journal.calls.filter((call) => call.cohort === cohort);
  return { callOf, momentsOf, momentsOfCampaign };

  /** The request that made a change. */
  function callOf({ tick, table, before, after }: BotChange): ChangingCall | undefined {
    const row = { ...before, ...after };
    const ids =
      table === 'users' && before === null
        ? ['/users']
        : ['user_id', 'group_id', 'quiz_id'].map((column) => String(row[column]));
    return calls.findLast(
      ({ path, arrived, answered }) => arrived < tick && tick <= answered && ids.some((id) => path.includes(id)),
    );
  }

  /**
   * The states in which a row may have been judged: since the request of the row before was answered, or the batch was started,
   * resumed or approved, or the bot was killed. Nothing that is decided after that can rest on what was so earlier.
   *
   * For assignments, memberships and new respondents, what somebody changed in the service itself counts a minute later, or when
   * the batch is started or resumed and when the bot starts: so long the bot goes by what it knows. What the bot changed counts
   * as soon as the bot has the answer.
   *
   * @param rowCalls the requests that rows of batches made
   */
  function momentsOf(change: BotChange, rowCalls: ReadonlySet<ChangingCall>): Moments {
    const arrived = callOf(change)?.arrived ?? change.tick - 1;
    const latest = (ticks: readonly number[]) => Math.max(0, ...ticks.filter((tick) => tick <= arrived));
    const begins = [...deeds.filter(isPress).map(({ begin }) => begin), ...journal.starts, ...journal.leaps];
    const last = latest(begins);
    const begun = isUnderWayAt(last, arrived, rowCalls) ? latest(begins.filter((tick) => tick < last)) : last;
    const rested = latest([...[...rowCalls].map(({ answered }) => answered), begun]);
    const present = journal.states(cohort, rested, change.tick - 1);
    if (concernsRights(change)) return { present, earlier: () => [] };
    const since = Math.max(begun, journal.tickBefore(arrived, knownForMs));
    return { present, earlier: () => knownBetween(since, rested) };
  }

  /** Whether a row may have been judged before its batch was resumed: one that was under way when it was paused is made all the same. */
  function isUnderWayAt(resumed: number, arrived: number, rowCalls: ReadonlySet<ChangingCall>): boolean {
    const isResume = deeds.some(({ begin, intent }) => begin === resumed && intent?.operation === 'resume-batch');
    return isResume && ![...rowCalls].some((call) => resumed < call.arrived && call.arrived < arrived);
  }

  /**
   * The states in which the start of a campaign, or an addition to one, may have been judged: all its people at once. The owner was
   * read then, and the others at most a minute before.
   */
  function momentsOfCampaign(ownerId: string, { begin }: Deed, { tick }: BotChange): Moments {
    const present = journal.states(cohort, begin, tick - 1);
    const started = journal.starts.findLast((start) => start <= begin) ?? 0;
    const since = Math.max(started, journal.tickBefore(begin, knownForMs));
    const earlier = () =>
      knownBetween(since, begin).flatMap((state) => present.map((then) => withPerson(state, then, ownerId)));
    return { present, earlier };
  }

  /** What the bot may know at the tick `until`, where it knows of others’ changes after the tick `since` later or not at all. */
  function knownBetween(since: number, until: number): State[] {
    return journal
      .versions(cohort, since, until)
      .map(({ state, tick }) => withOwnChanges(state, { after: Math.max(tick, since), until }));
  }

  /** A state with the users whom the bot changed since as they were then, where the answer was there in time. */
  function withOwnChanges(state: State, { after, until }: { after: number; until: number }): State {
    const users = new Map(state.users);
    for (const change of changes) {
      const { table, tick } = change;
      const id = String({ ...change.before, ...change.after }['user_id']);
      const isKnown = table === 'users' && tick > after && (callOf(change)?.answered ?? tick) <= until;
      const [then] = isKnown ? journal.states(cohort, tick, tick) : [];
      if (then === undefined) continue;
      const user = then.users.get(id);
      if (user === undefined) users.delete(id);
      else users.set(id, user);
    }
    return { ...state, users };
  }
}

/** A state with a person as they are in another one. */
function withPerson(state: State, other: State, personId: string): State {
  const { user } = standingOf(other, personId);
  return { ...state, people: other.people, users: user ? new Map(state.users).set(user.user_id, user) : state.users };
}
