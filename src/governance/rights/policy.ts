import { catalog } from '../../operations/catalog.ts';
import { isLeftOut, kindOf, type Value } from '../../operations/fields/fields.ts';
import type { Operation, Rule, RuleName } from '../../operations/operation.ts';
import type { OperationInput } from '../perform/meaning.ts';
import type { Rights } from './rights.ts';

/** Run the operation, ask another person to decide, or refuse it. */
export type PolicyDecision = 'at once' | 'approval' | 'refused';

/** For administrators with the right that the operation needs, other people with that right, and trainers and administrators without it. */
type Row = readonly [administrator: PolicyDecision, holder: PolicyDecision, other: PolicyDecision];

/** Who may run what at once, and who needs approval. Operations say which rows are about them; people in no column are refused. */
export const policy: Readonly<Record<RuleName, Row>> = {
  reading: ['at once', 'at once', 'refused'],
  // It needs no right in the account: managers of people have none.
  'a person’s own answers to messages, and their own settings': ['at once', 'at once', 'at once'],
  'deleting a quiz, a response or a user, and erasing a person': ['approval', 'approval', 'refused'],
  // Nobody depends on it yet, and nobody else is concerned: the operations look.
  'taking back a quiz or user that the person has just made': ['at once', 'at once', 'refused'],
  'suspending a user': ['at once', 'approval', 'refused'],
  'reinstating a trainer or administrator': ['at once', 'approval', 'refused'],
  // With the password of another person, it is possible to sign in as them.
  'resetting the password of a trainer or administrator': ['at once', 'approval', 'refused'],
  'resetting the password of a respondent': ['at once', 'at once', 'refused'],
  // They decide on the requests of others. `judge.ts` lets an administrator who is alone make one at once.
  'making an administrator': ['approval', 'approval', 'refused'],
  'making a trainer': ['at once', 'approval', 'refused'],
  'changing a user’s type or rights': ['at once', 'approval', 'refused'],
  // The bot recognizes people by their address, so a new address makes a new person.
  'changing a user’s name or address': ['at once', 'approval', 'refused'],
  // It changes nothing in the account, and an agent can do no more than the person.
  'a person’s own access tokens': ['at once', 'at once', 'refused'],
  // It takes away what a step could do, and changes nothing in the account.
  'revoking rights lent to a step of a workflow': ['at once', 'at once', 'refused'],
  // A subscription shows results to everybody in the channel.
  'a channel’s subscriptions': ['at once', 'at once', 'refused'],
  // It leaves the account as it is.
  'dismissing a list of people who have left the workspace': ['at once', 'at once', 'refused'],
  'many changes at once, where one of them needs approval': ['approval', 'approval', 'refused'],
  'resuming many changes whose approval has expired': ['approval', 'approval', 'refused'],
  // It writes to everyone on the list, and no message can be taken back.
  'starting a campaign for more than 100 people': ['approval', 'approval', 'refused'],
  'starting a campaign for people whom the person doesn’t train': ['at once', 'approval', 'refused'],
  'changing the rule of a campaign so that more than 100 people more have to take its quiz': [
    'approval',
    'approval',
    'refused',
  ],
  'changing the rule of a campaign so that people have to take its quiz whom the person doesn’t train': [
    'at once',
    'approval',
    'refused',
  ],
  'adding to a campaign that has more than 100 people then': ['approval', 'approval', 'refused'],
  'adding people whom the person doesn’t train to a campaign': ['at once', 'approval', 'refused'],
  'excusing people from a campaign that is named': ['at once', 'at once', 'approval'],
  // Its board and its messages show who is missing.
  'every other change of a campaign': ['at once', 'at once', 'refused'],
  'every other change': ['at once', 'at once', 'approval'],
};

/** The rule that is about an operation with this input. */
export function ruleOf(operation: Operation, input: OperationInput): RuleName {
  return possibleRules(operation).find(({ when }) => when?.(input) ?? true)?.name ?? 'every other change';
}

/** Decides on an operation with this input, for a person with these rights. */
export function policyDecision(operation: Operation, input: OperationInput, rights: Rights): PolicyDecision {
  return decisionIn(policy[ruleOf(operation, input)], operation, rights);
}

/** The rules that can decide on an operation while the input is not known: the last one does with every input. */
function possibleRules({ access, rules = [] }: Operation): readonly Rule[] {
  if (access !== 'write') return [{ name: ofAccess[access] }];
  return rules.at(-1)?.when === undefined && rules.length > 0 ? rules : [...rules, { name: 'every other change' }];
}

const ofAccess = {
  read: 'reading',
  own: 'a person’s own answers to messages, and their own settings',
  destructive: 'deleting a quiz, a response or a user, and erasing a person',
} as const;

/** Each answer to a person says what else they can do, for which all operations are looked at. */
const rulesOfCatalog = new Map(catalog.map((operation) => [operation, possibleRules(operation)]));

/** The decisions that are possible while the input is not known. */
export function possibleDecisions(operation: Operation, rights: Rights): ReadonlySet<PolicyDecision> {
  const rules = rulesOfCatalog.get(operation) ?? possibleRules(operation);
  return new Set(rules.map(({ name }) => decisionIn(policy[name], operation, rights)));
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

/** Whether the person has to give a reason: always, with some inputs, or never. @param known of the input; a preview says what it needs */
export function reasonFor(
  operation: Operation,
  rights: Rights,
  known: OperationInput = {},
): 'none' | 'optional' | 'required' {
  const isOfPreview = Object.entries(operation.fields).some(
    ([name, { kind }]) => kind === 'plan' && known[name] !== undefined,
  );
  if (isOfPreview && policyDecision(operation, known, rights) === 'approval') return 'required';
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

function accountDecisionIn([administrator, holder, other]: Row, operation: Operation, rights: Rights): PolicyDecision {
  if (operation.access === 'own') return other;
  if (rights.has(operation.right)) return rights.has('administrator') ? administrator : holder;
  const canNameAll = Object.values(operation.fields).every(
    (field) => isLeftOut(field, rights) || kindOf(field).canName(rights, field),
  );
  if (rights.has('staff') && canNameAll) return other;
  return 'refused';
}

/** Whether software asks in a person’s name, and what it asks can come from a text that it read. */
export function isByAgent(through: string): boolean {
  return through === 'assistant' || through === 'agent';
}

/** A token reads on for no longer than this after the platform has deactivated its person. */
export const knownToAgentsForMs = 60_000;

/** Whether agents may ask for an operation at all. People alone make and revoke tokens: an agent must not extend its own reach. */
export function isForAgents({ isTyped, forPeopleOnly }: Operation): boolean {
  return isTyped !== false && forPeopleOnly !== true;
}

/**
 * Whether the person has to press a button before an operation runs that an agent asked for: where it cannot be undone, where
 * it gives rights or an address to a user, and where it shows results to everyone in a channel.
 */
export function needsPress(operation: Operation, input: Readonly<Record<string, Value | undefined>>): boolean {
  const { access, fields } = operation;
  if (access === 'destructive' || operation.needsPress?.(input)) return true;
  return access === 'write' && Object.values(fields).some(({ kind }) => kind === 'channel' || kind === 'board');
}
