import type { BotChange } from './journal.ts';
import type { Violation } from './judge.ts';
import { changedColumns, keyOf } from './matches.ts';
import { administratorsOf, standingOf } from './rules.ts';
import type { State } from './state.ts';

/** Nobody suspends, demotes or deletes themselves, or takes from themselves the address by which the bot knows them. */
export function isSelfHarm(change: BotChange, before: State, personId: string): boolean {
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
export function harm(change: BotChange, before: State, after: State): Violation[] {
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

export function describe(change: BotChange): string {
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
