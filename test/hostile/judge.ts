import type { BotChange, ChangingCall, Journal } from './journal.ts';
import {
  changedColumns,
  fingerprint,
  followsFrom,
  isForCampaign,
  isPlanned,
  isStart,
  keyOf,
  makes,
} from './matches.ts';
import { momentsIn, type Moments } from './moments.ts';
import {
  decisionNow,
  decisionOnRow,
  mayDecideOnPlan,
  shownOf,
  mayDecide,
  mayHave,
  policyFor,
  standingOf,
  type Intent,
  administratorsOf,
} from './rules.ts';
import type { State } from './state.ts';

/** What a person did, as the judge sees it. */
export interface Deed {
  /** When it began, and when the person had the answer; Infinity without an answer. */
  begin: number;
  end: number;
  personId: string;
  kind: 'do' | 'review' | 'decide' | 'password';
  /** False for a delivery of a foreign workspace, which may do nothing. */
  isOurs: boolean;
  /** What `do` asks for, and the user of `password`. */
  intent?: Intent;
  /** The plans that `do` made. */
  plans?: readonly string[];
  /** Whether `do` also starts what it plans, as a step of a workflow does. */
  isWithStart?: boolean;
  /** The request that `do` became, or that is reviewed or decided. */
  requestId?: string | undefined;
  isApproval?: boolean;
  /** Whether the sender showed whose deed it is, where agents and steps have to. */
  proof?: 'good' | 'bad' | 'unsure';
  /** Whether the signature fits the address of no tenant. */
  isShut?: boolean;
  /** Whether the person has to press a button before it is made. A request for it can be approved. */
  isToPress?: boolean;
  /** The status of the bot’s response; undefined where it was down. */
  status?: number | undefined;
  /** Whether the answer says that it was done, and neither refused nor asked for. */
  isGranted?: boolean;
  /** Nothing came for as long as any test waits. */
  isUnanswered?: boolean;
}

export interface Violation {
  rule:
    | 'policy'
    | 'self'
    | 'last administrator'
    | 'namesake'
    | 'stale approval'
    | 'stray change'
    | 'leak'
    | 'log'
    | 'fault'
    | 'not carried out'
    | 'stranger'
    | 'proof'
    | 'answer'
    | 'tenant';
  message: string;
}

interface Grant {
  personId: string;
  userId: string;
  type: string;
}

/** What an earlier call found of a change. No later deed can have made it. */
interface Judged {
  /** Undefined where nothing allows it, or nothing has to. */
  cause: string | undefined;
  grants: readonly Grant[];
}

/** A violation comes with what happened so many ticks before and after it. */
const nearTicks = 60;
/** The bot takes lists that are up to five seconds old; the reading itself takes some. */
const listMs = 10_000;

const judgedBefore = new WeakMap<BotChange, Judged>();

/**
 * Judges the changes of one cohort: each has to follow from a deed that the policy allows, at most once.
 *
 * @param deeds also those of earlier sequences, whose requests are still there
 * @returns the violations after the tick `from`
 */
export function judge(journal: Journal, cohort: number, deeds: readonly Deed[], from = 0): Violation[] {
  const changes = journal.changes(cohort);
  const deletions = changes.filter(({ after, table }) => after === null && (table === 'users' || table === 'quizzes'));
  /** When each cause made its change. */
  const used = new Map<string, number>();
  const grants: Grant[] = [];
  /** The requests that rows of batches made. */
  const rowCalls = new Set<ChangingCall>();
  const { callOf, momentsOf, momentsOfCampaign } = momentsIn(journal, cohort, deeds);
  const violations: Violation[] = [];

  const take = (change: BotChange, cause: string) => {
    used.set(cause, change.tick);
    const call = callOf(change);
    if (call !== undefined && cause.startsWith('batch ')) rowCalls.add(call);
  };

  for (const change of changes) {
    const known = change.tick <= from ? judgedBefore.get(change) : undefined;
    if (known !== undefined) {
      if (known.cause !== undefined) take(change, known.cause);
      grants.push(...known.grants);
      continue;
    }
    judgedBefore.set(change, { cause: undefined, grants: [] });
    if (change.before !== null && change.after !== null && changedColumns(change).length === 0) continue;
    if (followsFrom(change, deletions)) continue;
    const [before] = journal.states(cohort, change.tick - 1, change.tick - 1);
    const [after] = journal.states(cohort, change.tick, change.tick);
    if (before === undefined || after === undefined) throw new Error('a change without a state');
    const grantsBefore = grants.length;
    const isAllowedAs = (isRow: boolean) =>
      deeds.some((deed, index) => {
        const cause = causeOf(deed, index, change, before);
        if (cause === undefined || cause.startsWith('batch ') !== isRow || !isUnused(cause, change)) return false;
        take(change, cause);
        judgedBefore.set(change, { cause, grants: grants.slice(grantsBefore) });
        return true;
      });
    // What somebody did by themselves is no row of a batch that could have made it, too: the rows after it need not wait for it.
    const isAllowed = isAllowedAs(false) || isAllowedAs(true);
    if (change.tick <= from) continue;
    if (!isAllowed)
      violations.push({ rule: ruleOf(change, before), message: `${describe(change)}\n${accountOf(change)}` });
    violations.push(...harm(change, before, after));
  }
  return violations;

  /** What was done around a change, and what caused the others: a violation that does not come again can be explained by it. */
  function accountOf({ tick, table }: BotChange): string {
    const isNear = (at: number) => Math.abs(at - tick) <= nearTicks;
    const others = changes
      .filter((other) => other.table === table && isNear(other.tick))
      .map((other) => {
        const { arrived, answered } = callOf(other) ?? {};
        return `    ${describe(other)}, by ${judgedBefore.get(other)?.cause ?? 'nobody'}, requested ${arrived} to ${answered}`;
      });
    const acts = deeds
      .filter(({ begin, end }) => isNear(begin) || isNear(end))
      .map(
        ({ begin, end, kind, personId, intent, requestId, isGranted }) =>
          `    ${begin} to ${end}: ${personId} ${kind} ${intent?.operation ?? ''} ${requestId ?? ''}${isGranted ? ', granted' : ''}`,
      );
    const rows = [...rowCalls].map(({ arrived, answered }) => `${arrived} to ${answered}`).slice(-5);
    return [...others, ...acts, `    rows of batches: ${rows.join(', ')}`].join('\n');
  }

  /**
   * A bot that is killed while it sets a new password sets another: the service shows no difference, and nobody has seen the first.
   * What else it does again changes nothing.
   */
  function isUnused(cause: string, change: BotChange): boolean {
    const usedAt = used.get(cause);
    if (usedAt === undefined) return true;
    const isPassword = change.before !== null && changedColumns(change).join() === 'password_hash';
    // The row that was cut short runs again where the account came back as it was meanwhile.
    const isRow = cause.startsWith('batch ');
    if (isRow) return journal.kills.some((tick) => tick > usedAt && tick < change.tick);
    return (
      isPassword && cause.startsWith('request ') && journal.kills.some((tick) => tick > usedAt && tick < change.tick)
    );
  }

  /** A name for what allows the change; undefined where the deed does not. */
  function causeOf(deed: Deed, index: number, change: BotChange, before: State): string | undefined {
    if (!deed.isOurs || deed.begin >= change.tick) return undefined;
    const { personId, intent } = deed;
    const moments = (first: number) => journal.states(cohort, first, change.tick - 1);
    // After the answer, only the present counts.
    const seen = (change.since ?? change.tick) <= deed.end ? moments(deed.begin) : [before];
    const isSubscription = change.table === 'subscriptions' && change.before === null;
    if (isSubscription && change.after?.['owner_id'] !== personId) return undefined;
    const during = isSubscription ? seen.map((state) => ({ ...state, quizzes: quizzesUntil(change.tick) })) : seen;
    if (deed.kind === 'do' && intent && makes(intent, change, before)) {
      if (
        deed.isToPress !== true &&
        during.some((state) => policyFor(state, personId, intent) === 'at once') &&
        !isSelfHarm(change, before, personId)
      ) {
        grant(change, [personId]);
        return `${index} ${keyOf(change)}`;
      }
      return undefined;
    }
    if (deed.kind === 'do' && intent && (isStart(intent) || deed.isWithStart)) {
      const maker = deed.isWithStart ? deed : makerOf(intent);
      const isOwn = maker !== undefined && maker.personId === personId && (maker === deed || maker.begin < deed.begin);
      return isOwn && plans(maker, change) && mayRun(maker, change, { start: deed })
        ? causeOfRow(`${index}`, maker, change)
        : undefined;
    }
    if (deed.kind === 'do' && adds(deed, change)) {
      return mayRun(deed, change, { start: deed }) ? causeOfRow(`${index}`, deed, change) : undefined;
    }
    if (deed.kind === 'password' && intent && makes({ ...intent, operation: 'reset-password' }, change, before)) {
      return during.some((state) => maySeePassword(state, personId, intent.user ?? ''))
        ? `${index} ${keyOf(change)}`
        : undefined;
    }
    return deed.kind === 'decide' && deed.isApproval ? approvalOf(deed, change, before) : undefined;
  }

  /** A name for what allows a row of a batch; a campaign starts once, whoever has it started. */
  function causeOfRow(by: string, maker: Deed, change: BotChange): string {
    return change.table === 'campaign_members'
      ? `campaign ${deeds.indexOf(maker)} ${rowKeyOf(change)}`
      : `batch ${by} ${rowKeyOf(change)}`;
  }

  /** The deed that made the plan which is started. */
  function makerOf({ values }: Intent): Deed | undefined {
    const plan = values?.['plan']?.[0] ?? '';
    return deeds.find(({ plans: made, isOurs, intent }) => isOurs && intent !== undefined && made?.includes(plan));
  }

  /** The deed that planned what a request is about, where that is many changes. Administrators also resume the batches of others. */
  function planOf(asked: Deed, intent: Intent, change: BotChange): Deed | undefined {
    if (isStart(intent)) return makerOf(intent);
    if (asked.isWithStart || adds(asked, change)) return asked;
    return intent.operation === 'resume-batch'
      ? deeds.find((deed) => deed.isOurs && deed.begin < asked.begin && deed.plans && plans(deed, change))
      : undefined;
  }

  /** Whether a plan of the deed has the change. An undone batch has the opposite of what the bot did before. */
  function plans(maker: Deed, change: BotChange): boolean {
    const { intent } = maker;
    if (intent?.operation !== 'undo-batch')
      return intent !== undefined && isPlanned(intent, change, statesDuring(maker, change));
    const opposite = keyOf({ ...change, before: change.after, after: change.before });
    return changes.some((earlier) => earlier.tick < change.tick && keyOf(earlier) === opposite);
  }

  /**
   * Whether a row may be made at the moment at which its request reaches the service: by what the owner may do then, to the target as
   * it is then. What needs approval then needs one for the target as it was shown.
   *
   * @param by.start where the owner started the plan alone
   * @param by.shown the states that the approving person saw, before the person decided
   */
  function mayRun(
    { personId, intent }: Deed,
    change: BotChange,
    by: { start: Deed } | { shown: readonly State[]; decided: Deed },
  ): boolean {
    if (journal.states(cohort, change.tick - 1, change.tick - 1).some((state) => isSelfHarm(change, state, personId)))
      return false;
    const isAllAtOnce = change.table === 'campaign_members' || intent?.operation === 'add-to-campaign';
    const isOfCampaign = ['start-campaign', 'require-quiz', 'add-to-campaign'].includes(intent?.operation ?? '');
    const isAlone = 'start' in by && !neededApproval(by.start, intent, change);
    const approved = new Set('shown' in by ? by.shown.map((state) => shownOf(state, change)) : []);
    const arrived = callOf(change)?.arrived ?? change.tick;
    const begun = 'decided' in by ? by.decided : by.start;
    const hasExpired =
      !isAllAtOnce && 'decided' in by && journal.leaps.some((tick) => by.decided.begin < tick && tick < arrived);
    if (isOfCampaign && !wasOpen(begun, change)) return false;
    const isRight = (state: State, isStarting: boolean) => {
      const decision = decisionNow(state, personId, change, isStarting);
      if (decision === 'at once' && (isAlone || 'shown' in by)) return true;
      return decision !== 'no' && !hasExpired && approved.has(shownOf(state, change));
    };
    const isEver = ({ present, earlier }: Moments, isStarting: boolean) =>
      [...present, ...earlier()].some((state) => isRight(state, isStarting));
    // The campaign was decided on when it was started, and each of its assignments is decided on when its turn comes.
    if (isOfCampaign && !isEver(momentsOfCampaign(personId, begun, change), true)) return false;
    return isAllAtOnce || isEver(momentsOf(change, rowCalls), false);
  }

  /** Whether the quiz of an assignment was open when a campaign was started, or its start approved, or later. */
  function wasOpen({ begin }: Deed, { before, after, tick }: BotChange): boolean {
    const quiz = String({ ...before, ...after }['quiz_id']);
    return journal.states(cohort, begin, tick - 1).some(({ quizzes }) => quizzes.get(quiz)?.status === 'open');
  }

  /** Whether a plan had to be asked for when it was started, also by administrators: one that suspends several users. */
  function neededApproval(start: Deed, planned: Intent | undefined, change: BotChange): boolean {
    if (change.after?.['suspended'] !== 1 || !/^(?:suspend-group|undo-batch)$/.test(planned?.operation ?? ''))
      return false;
    return journal
      .states(cohort, start.begin, Math.min(start.end, change.tick - 1))
      .every((state) => decisionOnRow(state, start.personId, change) === 'asks');
  }

  /** Whether the deed is an addition to a campaign, with the change. */
  function adds(deed: Deed, change: BotChange): boolean {
    const { operation, assignees = [] } = deed.intent ?? {};
    if (operation !== 'add-to-campaign' || change.before !== null) return false;
    return isForCampaign(change, assignees, statesDuring(deed, change));
  }

  /** A list of users that was read seconds before counts. */
  function statesDuring({ begin, end }: Deed, { tick }: BotChange): State[] {
    return journal.states(cohort, journal.tickBefore(begin, listMs), Math.min(end, tick - 1));
  }

  /**
   * Also the deleted quizzes. The bot's list of quizzes can be minutes old, and to subscribe a channel it asks the service for no
   * quiz. A subscription to a quiz that is gone shows nobody anything.
   */
  function quizzesUntil(tick: number): State['quizzes'] {
    return new Map(journal.states(cohort, 0, tick).flatMap(({ quizzes }) => [...quizzes]));
  }

  function approvalOf(deed: Deed, change: BotChange, before: State): string | undefined {
    const { personId, requestId } = deed;
    // A bot that was started again reads everything again.
    const start = journal.starts.findLast((tick) => tick < change.tick && tick > deed.begin);
    const during = journal.states(cohort, start ?? deed.begin, change.tick - 1);
    const shown = deeds.filter(
      (other) =>
        other.begin < deed.begin && other.requestId === requestId && other.personId === personId && other.kind !== 'do',
    );
    for (const asked of deeds) {
      const { intent } = asked;
      if (
        asked.kind !== 'do' ||
        !asked.isOurs ||
        intent === undefined ||
        asked.requestId === undefined ||
        asked.requestId !== requestId
      )
        continue;
      const looks = shown.flatMap((look) => journal.states(cohort, look.begin, Math.min(look.end, deed.begin)));
      const maker = planOf(asked, intent, change);
      if (maker !== undefined) {
        const isApproved =
          (maker.personId === asked.personId || intent.operation === 'resume-batch') &&
          shown.length > 0 &&
          during.some((state) => mayDecideOnPlan(state, personId, asked.personId));
        const isInIt = adds(asked, change) || plans(maker, change);
        // A plan shows its users as they were in the list from which it was made.
        const listed = journal.states(cohort, journal.tickBefore(maker.begin, listMs), Math.min(maker.end, deed.begin));
        if (isApproved && isInIt && mayRun(maker, change, { shown: [...looks, ...listed], decided: deed }))
          return causeOfRow(requestId, maker, change);
        continue;
      }
      if (!makes(intent, change, before)) continue;
      const isDecided = during.some((state) => mayDecide(state, personId, asked.personId, intent));
      const isWanted = during.some((state) => mayHave(state, asked.personId, intent));
      if (!isDecided || !isWanted) continue;
      const present = new Set(during.map((state) => fingerprint(intent, state)));
      if (!looks.some((state) => present.has(fingerprint(intent, state)))) continue;
      grant(change, [asked.personId, personId]);
      return `request ${requestId} ${keyOf(change)}`;
    }
    return undefined;
  }

  /** A new password may be seen by those who made it, or had it approved. */
  function grant({ table, before, after }: BotChange, people: readonly string[]): void {
    if (table !== 'users' || after === null) return;
    if (before === null || before['password_hash'] !== after['password_hash']) {
      grants.push(
        ...people.map((personId) => ({ personId, userId: String(after['user_id']), type: String(after['user_type']) })),
      );
    }
  }

  function maySeePassword(state: State, personId: string, userId: string): boolean {
    if (policyFor(state, personId, { operation: 'reset-password', user: userId }) === 'at once') return true;
    const type = state.users.get(userId)?.user_type;
    return (
      standingOf(state, personId).managesUsers &&
      grants.some((granted) => granted.personId === personId && granted.userId === userId && granted.type === type)
    );
  }

  /** Why nothing allows the change. */
  function ruleOf(change: BotChange, before: State): Violation['rule'] {
    const isOwn = deeds.some(
      ({ kind, intent, personId }) =>
        kind === 'do' &&
        intent &&
        makes(intent, change, before) &&
        isSelfHarm(change, before, personId) &&
        policyFor(before, personId, intent) === 'at once',
    );
    if (isOwn) return 'self';
    const requests = deeds.filter(
      ({ kind, intent, requestId }) =>
        kind === 'do' && requestId !== undefined && intent && makes(intent, change, before),
    );
    const isApproved = requests.some(({ requestId, personId, intent }) =>
      deeds.some(
        (deed) =>
          deed.kind === 'decide' &&
          deed.isApproval &&
          deed.requestId === requestId &&
          deed.begin < change.tick &&
          journal
            .states(cohort, deed.begin, deed.begin)
            .some((state) => intent && mayDecide(state, deed.personId, personId, intent)),
      ),
    );
    return isApproved ? 'stale approval' : 'policy';
  }
}

/** As `keyOf`, with the name of a new user: a batch can create several. */
function rowKeyOf(change: BotChange): string {
  return change.before === null ? `${keyOf(change)} ${String(change.after?.['user_name'] ?? '')}` : keyOf(change);
}

/** Nobody suspends, demotes or deletes themselves, or takes from themselves the address by which the bot knows them. */
function isSelfHarm(change: BotChange, before: State, personId: string): boolean {
  const { user, person } = standingOf(before, personId);
  if (change.table !== 'users' || user === undefined || change.before?.['user_id'] !== user.user_id) return false;
  return isLoss(change) || (person !== undefined && losesAddress(change, person.email));
}

function losesAddress({ before, after }: BotChange, address: string): boolean {
  const has = (row: typeof after) =>
    [row?.['user_name'], row?.['email_address']].some((one) => String(one).toLowerCase() === address.toLowerCase());
  return has(before) && !has(after);
}

/** Whether a user has fewer rights after a change. */
function isLoss({ before, after }: BotChange): boolean {
  if (after === null || before === null) return after === null;
  const ranks = ['respondent', 'trainer', 'administrator'];
  const rank = (row: typeof after) => ranks.indexOf(String(row['user_type']));
  const lostFlag = ['edit_quizzes', 'manage_users', 'manage_groups'].some(
    (flag) => before[flag] === 1 && after[flag] === 0,
  );
  return (before['suspended'] === 0 && after['suspended'] === 1) || rank(after) < rank(before) || lostFlag;
}

/** What must never be so after a change, even an allowed one. */
function harm(change: BotChange, before: State, after: State): Violation[] {
  const found: Violation[] = [];
  if (administratorsOf(before).length > 0 && administratorsOf(after).length === 0) {
    found.push({ rule: 'last administrator', message: describe(change) });
  }
  const taken = (state: State) => {
    const addresses = [...state.users.values()].flatMap(({ user_name, email_address }) =>
      [...new Set([user_name, email_address].map((address) => address.toLowerCase()))].filter(
        (address) => address !== '',
      ),
    );
    return addresses.length - new Set(addresses).size;
  };
  if (change.table === 'users' && taken(after) > taken(before))
    found.push({ rule: 'namesake', message: describe(change) });
  return found;
}

function describe(change: BotChange): string {
  const row = { ...change.before, ...change.after };
  const columns = changedColumns(change).map((column) =>
    column === 'password_hash'
      ? 'a new password'
      : `${column}: ${change.before?.[column] ?? '-'} → ${change.after?.[column] ?? '-'}`,
  );
  const isWhole = change.before === null || change.after === null;
  const whole = change.table === 'subscriptions' ? JSON.stringify(row) : String(row['user_name'] ?? row['name'] ?? '');
  const since = change.since === undefined ? '' : ` since ${change.since}`;
  return `${keyOf(change)}${isWhole ? ` ${whole}` : ` (${columns.join(', ')})`} at ${change.tick}${since}`;
}
