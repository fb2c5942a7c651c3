import type { OperationInput } from './operations.ts';
import type { State, UserState, RowChange } from './state.ts';
import { type SlackPerson, foreignTeam } from './cohort.ts';

/**
 * Who may do what, from docs/permissions-and-approvals.md and section 2.4 of the specification. Written apart from the bot:
 * nothing here imports from `src`.
 */
interface Standing {
  person: SlackPerson | undefined;
  isOwner: boolean;
  /** The quiz user behind the person, also of an owner. */
  user: UserState | undefined;
  isStaff: boolean;
  isAdministrator: boolean;
  edits: boolean;
  managesUsers: boolean;
  managesGroups: boolean;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The quiz user with the address of a member of the workspace: first by user name, then by e-mail address if only one has it. */
export function quizUserOf(state: State, person: SlackPerson | undefined): UserState | undefined {
  if (
    person === undefined ||
    person.teamId === foreignTeam ||
    person.isGuest ||
    person.isDeleted ||
    person.isBot ||
    !person.isConfirmed
  )
    return undefined;
  const users = [...state.users.values()];
  const byName = users.find(({ user_name }) => same(user_name, person.email));
  const byAddress = users.filter(({ email_address }) => same(email_address, person.email));
  return byName ?? (byAddress.length === 1 ? byAddress[0] : undefined);
}

const standings = new WeakMap<State, Map<string, Standing>>();

export function standingOf(state: State, personId: string): Standing {
  const known = standings.get(state) ?? new Map<string, Standing>();
  standings.set(state, known);
  const standing = known.get(personId) ?? newStanding(state, personId);
  known.set(personId, standing);
  return standing;
}

function newStanding(state: State, personId: string): Standing {
  const person = state.people.get(personId);
  const user = quizUserOf(state, person);
  const isOwner = person?.isOwner ?? false;
  const active = user !== undefined && !user.suspended ? user : undefined;
  const isStaff = isOwner || active?.user_type === 'trainer' || active?.user_type === 'administrator';
  const has = (flag: 'edit_quizzes' | 'manage_users' | 'manage_groups') =>
    isOwner || (isStaff && active?.[flag] === true);
  return {
    person,
    isOwner,
    user: isOwner ? user : active,
    isStaff,
    isAdministrator: isOwner || active?.user_type === 'administrator',
    edits: has('edit_quizzes'),
    managesUsers: has('manage_users'),
    managesGroups: has('manage_groups'),
  };
}

export function seesQuiz(state: State, { user, isStaff, isAdministrator }: Standing, quizId: string): boolean {
  if (isAdministrator) return true;
  if (user === undefined) return false;
  if (isStaff) return user.trainerQuizzes.size === 0 || user.trainerQuizzes.has(quizId);
  return hasQuiz(state, user, quizId);
}

/** Whether a quiz is assigned to a user, directly or through a group. */
export function hasQuiz(state: State, user: UserState, quizId: string): boolean {
  return user.quizzes.has(quizId) || [...user.groups].some((group) => state.groupQuizzes.has(`${group} ${quizId}`));
}

function trains(standing: Standing, target: UserState): boolean {
  const { user, isAdministrator } = standing;
  if (isAdministrator) return true;
  return (
    user !== undefined &&
    (!target.quizzes.isDisjointFrom(user.trainerQuizzes) || !target.groups.isDisjointFrom(user.trainerGroups))
  );
}

export const managesUser = (standing: Standing, target: UserState) => standing.managesUsers && trains(standing, target);

export const namesUser = (standing: Standing, target: UserState) =>
  standing.edits || ((standing.managesUsers || standing.managesGroups) && trains(standing, target));

export const managesGroup = ({ user, isAdministrator, managesGroups }: Standing, groupId: string) =>
  managesGroups && (isAdministrator || (user?.trainerGroups.has(groupId) ?? false));

export const namesGroup = (standing: Standing, groupId: string) => standing.edits || managesGroup(standing, groupId);

/** Addresses, phone numbers and codes of attempts. */
export const seesPersonalData = (standing: Standing, quizId: string) =>
  standing.edits &&
  standing.managesUsers &&
  (standing.isAdministrator || (standing.user?.trainerQuizzes.has(quizId) ?? false));

/** What a person asks for: records by their ids. */
export interface Intent extends OperationInput {
  subscription?: string;
  /** The channel that the person is in. A form is in none. */
  at?: string;
}

type Decision = 'at once' | 'asks' | 'no';

const usersOf = new Set([
  'create-user',
  'update-user',
  'suspend-user',
  'reinstate-user',
  'reset-password',
  'delete-user',
  'take-back-user',
  'erase-person',
]);
const groupsOf = new Set(['add-to-group', 'remove-from-group']);
const alertsOf = new Set([
  'subscribe-channel',
  'unsubscribe-channel',
  'pause-alerts',
  'resume-alerts',
  'set-channel-language',
]);

/** The right that an operation needs. */
function hasRight(standing: Standing, operation: string): boolean {
  if (operation === 'delete-response') return standing.isAdministrator;
  if (usersOf.has(operation)) return standing.managesUsers;
  return groupsOf.has(operation) ? standing.managesGroups : standing.edits;
}

/** Whether the person may choose everything that the intent is about. */
function namesAll(state: State, standing: Standing, intent: Intent): boolean {
  const { operation, quiz, user, group, assignees = [] } = intent;
  const target = user === undefined ? undefined : state.users.get(user);
  if (quiz !== undefined && !(state.quizzes.has(quiz) && seesQuiz(state, standing, quiz))) return false;
  // The record names users who are deleted.
  const isOnRecord = operation === 'erase-person' && target === undefined && standing.isAdministrator;
  if (
    user !== undefined &&
    !isOnRecord &&
    !(target && (groupsOf.has(operation) ? namesUser : managesUser)(standing, target))
  )
    return false;
  if (group !== undefined && !(groupsOf.has(operation) ? managesGroup : namesGroup)(standing, group)) return false;
  return assignees.every((id) => {
    const assigned = state.users.get(id);
    return assigned ? namesUser(standing, assigned) : namesGroup(standing, id);
  });
}

/** The row of the policy table that an intent belongs to. */
function rowOf(state: State, intent: Intent): [administrator: Decision, trainer: Decision, other: Decision] {
  const { operation, user, values = {} } = intent;
  const isOfStaff = user !== undefined && state.users.get(user)?.user_type !== 'respondent';
  const risky: [Decision, Decision, Decision] = ['at once', 'asks', 'no'];
  switch (operation) {
    case 'delete-quiz':
    case 'delete-response':
    case 'delete-user':
    case 'erase-person':
      return ['asks', 'asks', 'no'];
    case 'take-back-quiz':
    case 'take-back-user':
      return ['at once', 'at once', 'no'];
    case 'suspend-user':
      return risky;
    case 'update-user':
      return makesAdministrator(state, intent) ? ['asks', 'asks', 'no'] : risky;
    case 'reinstate-user':
      return isOfStaff ? risky : ['at once', 'at once', 'asks'];
    case 'reset-password':
      return isOfStaff ? risky : ['at once', 'at once', 'no'];
    case 'create-user':
      if (makesAdministrator(state, intent)) return ['asks', 'asks', 'no'];
      return (values['user_type']?.[0] ?? 'respondent') !== 'respondent' || (values['flags']?.length ?? 0) > 0
        ? risky
        : ['at once', 'at once', 'asks'];
    default:
      return ['at once', 'at once', 'asks'];
  }
}

function makesAdministrator(state: State, { user, values = {} }: Intent): boolean {
  const isOne = user !== undefined && state.users.get(user)?.user_type === 'administrator';
  return values['user_type']?.[0] === 'administrator' && !isOne;
}

/** Whether the person is the only one who could approve that somebody becomes an administrator. */
function isAlone(state: State, personId: string): boolean {
  const own = standingOf(state, personId).user?.user_id;
  const owners = [...state.people.values()].filter(({ isOwner, id }) => isOwner && id !== personId);
  const others = [...state.users.values()].filter(
    ({ user_id, user_type, suspended, manage_users }) =>
      user_type === 'administrator' && manage_users && !suspended && user_id !== own,
  );
  return owners.length + others.length === 0;
}

export function policyFor(state: State, personId: string, intent: Intent): Decision {
  const standing = standingOf(state, personId);
  if (alertsOf.has(intent.operation)) return mayChangeAlerts(state, standing, personId, intent) ? 'at once' : 'no';
  if (!standing.isStaff || !namesAll(state, standing, intent)) return 'no';
  const [administrator, trainer, other] = rowOf(state, intent);
  if (!hasRight(standing, intent.operation)) return other;
  if (standing.isAdministrator && makesAdministrator(state, intent) && isAlone(state, personId)) return 'at once';
  return standing.isAdministrator ? administrator : trainer;
}

/**
 * Whether a person may subscribe a channel to a quiz that they see, or change a subscription of the channel they are in or their own;
 * administrators change any (docs/alerts.md).
 */
function mayChangeAlerts(
  state: State,
  standing: Standing,
  personId: string,
  { operation, quiz, subscription, at }: Intent,
): boolean {
  if (!standing.isStaff || !standing.edits) return false;
  if (operation === 'subscribe-channel')
    return quiz === undefined
      ? standing.isAdministrator || standing.user?.trainerQuizzes.size === 0
      : state.quizzes.has(quiz) && seesQuiz(state, standing, quiz);
  if (standing.isAdministrator || subscription === undefined) return true;
  const known = state.subscriptions.get(subscription);
  return known !== undefined && (known['channel_id'] === at || known['owner_id'] === personId);
}

/** Whether a person may decide on a request of another person. */
export function mayDecide(state: State, reviewerId: string, requesterId: string, intent: Intent): boolean {
  const reviewer = standingOf(state, reviewerId);
  const requester = standingOf(state, requesterId);
  if (reviewerId === requesterId || (reviewer.user && reviewer.user.user_id === requester.user?.user_id)) return false;
  if (!hasRight(reviewer, intent.operation) || !namesAll(state, reviewer, intent)) return false;
  return reviewer.isAdministrator || policyFor(state, reviewerId, intent) === 'at once';
}

/** Whether a person may still have what they asked for. */
export const mayHave = (state: State, requesterId: string, intent: Intent) =>
  policyFor(state, requesterId, intent) !== 'no';

/** Active administrators; an owner counts where the account knows them. */
export function administratorsOf(state: State): string[] {
  const active = [...state.users.values()]
    .filter(({ user_type, suspended }) => user_type === 'administrator' && !suspended)
    .map(({ user_id }) => user_id);
  const owners = [...state.people.values()]
    .filter(({ isOwner }) => isOwner)
    .flatMap((person) => {
      const user = quizUserOf(state, person);
      return user && !user.suspended ? [user.user_id] : [];
    });
  return [...active, ...owners];
}

/** The single change that a row of a batch or campaign stands for; undefined for rows that stand for none. */
function singleOf({ table, before, after }: RowChange): Intent | undefined {
  const row = { ...before, ...after };
  const [user, group, quiz] = [String(row['user_id']), String(row['group_id']), String(row['quiz_id'])];
  switch (table) {
    case 'users': {
      if (after === null) return undefined;
      if (before === null) {
        const flags = ['edit_quizzes', 'manage_users', 'manage_groups'].filter((flag) => after[flag] === 1);
        return { operation: 'create-user', values: { user_type: [String(after['user_type'])], flags } };
      }
      if (before['suspended'] === after['suspended']) return { operation: 'update-user', user };
      return { operation: after['suspended'] === 1 ? 'suspend-user' : 'reinstate-user', user };
    }
    case 'user_groups':
      return { operation: after === null ? 'remove-from-group' : 'add-to-group', user, group };
    case 'campaign_members':
      return { operation: 'assign-quiz', quiz, assignees: [user] };
    case 'user_quizzes':
    case 'group_quizzes':
      return {
        operation: after === null ? 'unassign-quiz' : 'assign-quiz',
        quiz,
        assignees: [table === 'user_quizzes' ? user : group],
      };
    default:
      return undefined;
  }
}

/** What the table says of a row for its owner and its target as they are, alone or as a part of a campaign. */
export function decisionNow(state: State, ownerId: string, change: RowChange, isOfCampaign: boolean): Decision {
  const intent = singleOf(change);
  const decision = intent === undefined ? 'no' : policyFor(state, ownerId, intent);
  if (!isOfCampaign) return decision;
  const standing = standingOf(state, ownerId);
  if (decision === 'no' || !standing.edits) return 'no';
  const taking = (intent?.assignees ?? []).flatMap((id) => {
    const user = state.users.get(id);
    return user ? [user] : [...state.users.values()].filter(({ groups }) => groups.has(id));
  });
  return taking.every((user) => trains(standing, user)) ? 'at once' : 'asks';
}

/** What an approval was given for: a row runs while its target looks like this. */
export function shownOf(state: State, { table, before }: RowChange): string {
  const target = table === 'users' && before !== null ? state.users.get(String(before['user_id'])) : undefined;
  if (target === undefined) return '';
  const { user_type, edit_quizzes, manage_users, manage_groups, suspended, user_name, email_address } = target;
  return JSON.stringify([user_type, edit_quizzes, manage_users, manage_groups, suspended, user_name, email_address]);
}

/** Whether a plan with this row has to be asked for when it is started (docs/permissions-and-approvals.md). */
export function decisionOnRow(state: State, personId: string, { table, before, after }: RowChange): Decision {
  const standing = standingOf(state, personId);
  const row = { ...before, ...after };
  const user = state.users.get(String(row['user_id']));
  if (!standing.isStaff) return 'no';
  switch (table) {
    case 'users': {
      if (user === undefined || !managesUser(standing, user)) return 'no';
      return after?.['suspended'] === 1 || user.user_type !== 'respondent' ? 'asks' : 'at once';
    }
    case 'user_groups':
      return managesGroup(standing, String(row['group_id'])) ? 'at once' : 'no';
    case 'user_quizzes':
    case 'group_quizzes': {
      const isNamed =
        table === 'group_quizzes'
          ? namesGroup(standing, String(row['group_id']))
          : user !== undefined && namesUser(standing, user);
      if (!standing.edits || !isNamed || !seesQuiz(state, standing, String(row['quiz_id']))) return 'no';
      const taking =
        table === 'user_quizzes'
          ? [user!]
          : [...state.users.values()].filter(({ groups }) => groups.has(String(row['group_id'])));
      return taking.every((someone) => trains(standing, someone)) ? 'at once' : 'asks';
    }
    default:
      return 'no';
  }
}

/** Whether a person may decide on another person’s request to start a plan. */
export function mayDecideOnPlan(state: State, reviewerId: string, requesterId: string): boolean {
  const [reviewer, requester] = [standingOf(state, reviewerId), standingOf(state, requesterId)];
  const isSame =
    reviewerId === requesterId || (reviewer.user !== undefined && reviewer.user.user_id === requester.user?.user_id);
  return !isSame && reviewer.isAdministrator;
}
