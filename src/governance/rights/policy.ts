import { addToCampaign } from '../../features/campaigns/operations/add.ts';
import { campaignOperations } from '../../features/campaigns/operations/campaign-operations.ts';
import { excuseFromCampaign } from '../../features/campaigns/operations/excuse-and-include.ts';
import { approvalToAdd } from '../../features/campaigns/operations/needed-approval.ts';
import { runChange } from '../../features/campaigns/operations/run-change.ts';
import { runCampaign } from '../../features/campaigns/operations/run-campaign.ts';
import { tokenOperations } from '../../features/agents/operations/agent-tokens.ts';
import { lentRightsOperations } from '../../features/workflows/operations/lent-rights.ts';
import { dismissDeparted } from '../../features/departures/operations/dismiss-departed.ts';
import { alertOperations } from '../../features/alerts/operations/alerts.ts';
import { catalog } from '../../operations/catalog.ts';
import type { AudiencePart } from '../../operations/fields/audience.ts';
import { kindOf, type Value } from '../../operations/fields/fields.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Rights } from './rights.ts';
import { resumeBatch } from '../../features/batches/operations/control-batch.ts';
import { runBatch } from '../../features/batches/operations/run-batch.ts';
import { takeBackQuiz, takeBackUser } from '../../features/administration/take-back.ts';
import { createUser } from '../../features/users/create-user.ts';
import { updateUser } from '../../features/users/update-user.ts';
import { reinstateUser, suspendUser } from '../../features/users/suspend-and-reinstate.ts';
import { resetPassword } from '../../features/users/reset-password.ts';

/** Run the operation, ask another person to decide, or refuse it. */
export type PolicyDecision = 'at once' | 'approval' | 'refused';

type GivenInput = Readonly<Record<string, Value | undefined>>;

interface Row {
  /** As the table of docs/permissions-and-approvals.md names it. */
  change: string;
  concerns(operation: Operation): boolean;
  /** The inputs the row is about; undefined for every input. */
  when?(input: GivenInput): boolean;
  /** Administrators with the right that the operation needs. */
  administrator: PolicyDecision;
  /** Other people with that right. */
  holder: PolicyDecision;
  /** Trainers and administrators without that right. */
  other: PolicyDecision;
}

const alertNames = new Set(alertOperations.map(({ name }) => name));
const campaignNames = new Set(campaignOperations.map(({ name }) => name));

/** Who may run what at once, and who needs approval. The first row that fits counts; people in no column are refused. */
export const policy: readonly Row[] = [
  {
    change: 'reading',
    concerns: ({ access }) => access === 'read',
    administrator: 'at once',
    holder: 'at once',
    other: 'refused',
  },
  {
    // It needs no right in the account: managers of people have none.
    change: 'a person’s own answers to messages, and their own settings',
    concerns: ({ access }) => access === 'own',
    administrator: 'at once',
    holder: 'at once',
    other: 'at once',
  },
  {
    change: 'deleting a quiz, a response or a user, and erasing a person',
    concerns: ({ access }) => access === 'destructive',
    administrator: 'approval',
    holder: 'approval',
    other: 'refused',
  },
  {
    // Nobody depends on it yet, and nobody else is concerned: the operations look.
    change: 'taking back a quiz or user that the person has just made',
    concerns: (operation) => operation === takeBackQuiz || operation === takeBackUser,
    administrator: 'at once',
    holder: 'at once',
    other: 'refused',
  },
  {
    change: 'suspending a user',
    concerns: (operation) => operation === suspendUser,
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'reinstating a trainer or administrator',
    concerns: (operation) => operation === reinstateUser,
    when: ({ user }) => isUserOfStaff(user),
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    // With the password of another person, it is possible to sign in as them.
    change: 'resetting the password of a trainer or administrator',
    concerns: (operation) => operation === resetPassword,
    when: ({ user }) => isUserOfStaff(user),
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'resetting the password of a respondent',
    concerns: (operation) => operation === resetPassword,
    administrator: 'at once',
    holder: 'at once',
    other: 'refused',
  },
  {
    // They decide on the requests of others. `admit.ts` lets an administrator who is alone make one at once.
    change: 'making an administrator',
    concerns: (operation) => operation === createUser || operation === updateUser,
    when: makesOne,
    administrator: 'approval',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'making a trainer',
    concerns: (operation) => operation === createUser,
    when: ({ user_type, flags }) => user_type !== 'respondent' || isGiven(flags),
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'changing a user’s type or rights',
    concerns: (operation) => operation === updateUser,
    when: ({ user_type, edit_quizzes, manage_users, manage_groups }) =>
      [user_type, edit_quizzes, manage_users, manage_groups].some(isGiven),
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    // The bot recognizes people by their address, so a new address makes a new person.
    change: 'changing a user’s name or address',
    concerns: (operation) => operation === updateUser,
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    // It changes nothing in the account, and an agent can do no more than the person.
    change: 'a person’s own access tokens',
    concerns: (operation) => tokenOperations.has(operation),
    administrator: 'at once',
    holder: 'at once',
    other: 'refused',
  },
  {
    // It takes away what a step could do, and changes nothing in the account.
    change: 'revoking rights lent to a step of a workflow',
    concerns: (operation) => lentRightsOperations.has(operation),
    administrator: 'at once',
    holder: 'at once',
    other: 'refused',
  },
  {
    // A subscription shows results to everybody in the channel.
    change: 'a channel’s subscriptions',
    concerns: ({ name }) => alertNames.has(name),
    administrator: 'at once',
    holder: 'at once',
    other: 'refused',
  },
  {
    // It leaves the account as it is.
    change: 'dismissing a list of people who have left the workspace',
    concerns: (operation) => operation === dismissDeparted,
    administrator: 'at once',
    holder: 'at once',
    other: 'refused',
  },
  {
    change: 'many changes at once, where one of them needs approval',
    concerns: (operation) => operation === runBatch,
    when: ({ plan }) => typeof plan === 'object' && 'content' in plan && plan.content.approval !== null,
    administrator: 'approval',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'resuming many changes whose approval has expired',
    concerns: (operation) => operation === resumeBatch,
    when: ({ batch }) => typeof batch === 'object' && 'needsNewApproval' in batch,
    administrator: 'approval',
    holder: 'approval',
    other: 'refused',
  },
  {
    // It writes to everyone on the list, and no message can be taken back.
    change: 'starting a campaign for more than 100 people',
    concerns: (operation) => operation === runCampaign,
    when: ({ plan }) => approvalOf(plan) === 'many people',
    administrator: 'approval',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'starting a campaign for people whom the person doesn’t train',
    concerns: (operation) => operation === runCampaign,
    when: ({ plan }) => approvalOf(plan) !== null,
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'changing the rule of a campaign so that more than 100 people more have to take its quiz',
    concerns: (operation) => operation === runChange,
    when: ({ plan }) => approvalOf(plan) === 'many people',
    administrator: 'approval',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'changing the rule of a campaign so that people have to take its quiz whom the person doesn’t train',
    concerns: (operation) => operation === runChange,
    when: ({ plan }) => approvalOf(plan) !== null,
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'adding to a campaign that has more than 100 people then',
    concerns: (operation) => operation === addToCampaign,
    when: (input) => addingApprovalOf(input) === 'many people',
    administrator: 'approval',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'adding people whom the person doesn’t train to a campaign',
    concerns: (operation) => operation === addToCampaign,
    when: (input) => addingApprovalOf(input) !== null,
    administrator: 'at once',
    holder: 'approval',
    other: 'refused',
  },
  {
    change: 'excusing people from a campaign that is named',
    concerns: (operation) => operation === excuseFromCampaign,
    when: ({ campaign }) => Array.isArray(campaign) && campaign.length > 0,
    administrator: 'at once',
    holder: 'at once',
    other: 'approval',
  },
  {
    // Its board and its messages show who is missing.
    change: 'every other change of a campaign',
    concerns: ({ name }) => campaignNames.has(name),
    administrator: 'at once',
    holder: 'at once',
    other: 'refused',
  },
  {
    change: 'every other change',
    concerns: () => true,
    administrator: 'at once',
    holder: 'at once',
    other: 'approval',
  },
];

/** Whether somebody becomes an administrator. */
export function makesAdministrator(operation: Operation, input: GivenInput): boolean {
  return operation.onUser !== undefined && makesOne(input);
}

function makesOne({ user, user_type }: GivenInput): boolean {
  const isOne = typeof user === 'object' && 'user_type' in user && user.user_type === 'administrator';
  return user_type === 'administrator' && !isOne;
}

/** Decides on an operation with this input, for a person with these rights. */
export function policyDecision(operation: Operation, input: GivenInput, rights: Rights): PolicyDecision {
  const row = policy.find(({ concerns, when }) => concerns(operation) && (when?.(input) ?? true));
  return row ? decisionIn(row, operation, rights) : 'refused';
}

/** The rows that can decide on an operation while the input is not known. */
function possibleRows(operation: Operation): readonly Row[] {
  const rows = policy.filter(({ concerns }) => concerns(operation));
  return rows.slice(0, rows.findIndex(({ when }) => when === undefined) + 1);
}

/** Each answer to a person says what else they can do, for which all operations are looked at. */
const rowsOfCatalog = new Map(catalog.map((operation) => [operation, possibleRows(operation)]));

/** The decisions that are possible while the input is not known. */
export function possibleDecisions(operation: Operation, rights: Rights): ReadonlySet<PolicyDecision> {
  const rows = rowsOfCatalog.get(operation) ?? possibleRows(operation);
  return new Set(rows.map((row) => decisionIn(row, operation, rights)));
}

/** Whether the person may run the operation or ask for it, with some input. */
export function canHave(operation: Operation, rights: Rights): boolean {
  const possible = possibleDecisions(operation, rights);
  return possible.has('at once') || possible.has('approval');
}

/** The names of the operations that a person with these rights may run or ask for, with some input. */
export function offeredBy(rights: Rights): ReadonlySet<string> {
  return new Set(catalog.filter((operation) => canHave(operation, rights)).map(({ name }) => name));
}

/** Whether the person has to give a reason: always, with some inputs, or never. */
export function reasonFor(operation: Operation, rights: Rights): 'none' | 'optional' | 'required' {
  const possible = possibleDecisions(operation, rights);
  if (!possible.has('approval')) return 'none';
  return possible.has('at once') ? 'optional' : 'required';
}

function decisionIn(row: Row, operation: Operation, rights: Rights): PolicyDecision {
  return limited(accountDecisionIn(row, operation, rights), operation, rights);
}

/** Takes from a decision what the operator takes from everyone. */
function limited(decision: PolicyDecision, { name, access }: Operation, rights: Rights): PolicyDecision {
  const level = rights.limits?.get(name);
  if (level === 'nobody' || (level === 'administrators' && !rights.has('administrator'))) return 'refused';
  return level === 'approval' && decision === 'at once' && access !== 'read' ? 'approval' : decision;
}

function accountDecisionIn(row: Row, operation: Operation, rights: Rights): PolicyDecision {
  if (operation.access === 'own') return row.other;
  if (rights.has(operation.right)) return rights.has('administrator') ? row.administrator : row.holder;
  if (rights.has('staff') && Object.values(operation.fields).every((field) => kindOf(field).canName(rights, field)))
    return row.other;
  return 'refused';
}

function isUserOfStaff(value: Value | undefined): boolean {
  return typeof value === 'object' && 'user_type' in value && value.user_type !== 'respondent';
}

/** Why a plan needs approval; null where it needs none. */
function approvalOf(value: Value | undefined): string | null {
  return typeof value === 'object' && 'content' in value ? value.content.approval : null;
}

/** Why adding people to a campaign needs approval; null where it needs none. */
function addingApprovalOf({ people, campaign }: GivenInput): string | null {
  const isAudience = (value: typeof people): value is AudiencePart[] =>
    Array.isArray(value) && value.every((part) => typeof part === 'object' && 'people' in part);
  const isCampaign = typeof campaign === 'object' && 'members' in campaign;
  return isCampaign && isAudience(people) ? approvalToAdd(people, campaign) : null;
}

function isGiven(value: Value | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}
