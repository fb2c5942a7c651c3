import { hasAddress, isSamePerson, type Actor } from '../../directory/identity.ts';
import type { Right } from '../../operations/context.ts';
import type { PlatformWords } from '../../operations/services/platform.ts';
import type { Operation } from '../../operations/operation.ts';
import type { CallOptions } from '../../quiz-api/transport.ts';
import type { OperationInput } from '../perform/meaning.ts';
import type { GainedRights } from './gained-rights.ts';
import { policyDecision, ruleOf } from './policy.ts';
import { denialMessage, rightsOf, type Rights } from './rights.ts';
import { losesAddress, userLosingRights, type UserProtection } from './user-protection.ts';
import { say } from '../../domain/said.ts';
import type { Value } from '../../operations/fields/fields.ts';

/** By whose word an operation runs: the person’s own rights now, or another person’s approval of exactly this input. */
type Authority = { kind: 'own' } | { kind: 'approval'; approver: Actor };

export const ownAuthority: Authority = { kind: 'own' };

/** Messages are sentences of `domain/sentence.ts`. */
export type Admission =
  | { kind: 'run' }
  /** Another person has to approve it first. */
  | { kind: 'ask' }
  /** Neither may the person do it, nor ask for it. `rights`: with no target of this kind, or not with this one. */
  | { kind: 'refused'; why: 'rights' | 'own loss' | 'last administrator'; message: string }
  /** The person may ask for it, and this approver may not decide on it. */
  | { kind: 'not for approver'; message: string };

/** What is to be done, to what, and for whom. The input and the person are as they are now. */
interface Wanted {
  operation: Operation;
  input: OperationInput;
  person: Actor;
  authority: Authority;
}

/**
 * Decides whether an operation runs: for a command, a form, a button, an agent, a step of a workflow, the review of a
 * request, the run of an approved one, and each row of a batch. Nothing else asks the policy.
 */
export function decide({ operation, input, person, authority }: Wanted, platform: PlatformWords): Admission {
  // First, so that an approver who may not decide learns nothing of the requester.
  if (authority.kind === 'approval' && !mayDecide(operation, input, rightsOf(authority.approver)))
    return { kind: 'not for approver', message: denialMessage(authority.approver, 'administrator', platform) };
  const decision = policyDecision(operation, input, rightsOf(person));
  if (decision === 'refused')
    return { kind: 'refused', why: 'rights', message: denialMessage(person, operation.right, platform, operation) };
  if (isOwnLoss(operation, input, person)) return { kind: 'refused', why: 'own loss', message: ownLoss };
  if (isLostToBot(operation, input, person))
    return { kind: 'refused', why: 'own loss', message: unrecognized(platform) };
  if (authority.kind === 'own') return { kind: decision === 'at once' ? 'run' : 'ask' };
  return isOwnLoss(operation, input, authority.approver) || isLostToBot(operation, input, authority.approver)
    ? { kind: 'not for approver', message: approversLoss }
    : { kind: 'run' };
}

/**
 * Decides right before a run, when the account must also keep an administrator. Keeps through whom a user gains rights.
 *
 * An administrator alone makes another one at once: nobody is there who could decide.
 */
export type Admit = (wanted: Wanted, teamId: string, call: CallOptions) => Promise<Admission>;

export function createAdmit({
  platform,
  userProtection,
  gainedRights,
}: {
  platform: PlatformWords;
  userProtection: Pick<UserProtection, 'refusal' | 'isOtherAdministrator'>;
  gainedRights: Pick<GainedRights, 'note'>;
}): Admit {
  /** Whether an administrator, who would ask for approval, is the only person who could give it. */
  async function isAlone({ operation, input, person, authority }: Wanted, call: CallOptions): Promise<boolean> {
    const isLimited = person.limits?.has(operation.name) ?? false;
    if (authority.kind !== 'own' || isLimited || ruleOf(operation, input) !== 'making an administrator') return false;
    const rights = rightsOf(person);
    if (!rights.has('administrator') || !rights.has(operation.right)) return false;
    return !(await userProtection.isOtherAdministrator(person, call));
  }

  return async (wanted, teamId, call) => {
    const decided = decide(wanted, platform);
    const admission: Admission = decided.kind === 'ask' && (await isAlone(wanted, call)) ? { kind: 'run' } : decided;
    if (admission.kind !== 'run') return admission;
    const { operation, input, person, authority } = wanted;
    const by = authority.kind === 'own' ? person : authority.approver;
    const message = await userProtection.refusal(operation, input, by, call);
    if (message === undefined) {
      await gainedRights.note(teamId, operation, input, person);
      return admission;
    }
    return authority.kind === 'own'
      ? { kind: 'refused', why: 'last administrator', message }
      : { kind: 'not for approver', message };
  };
}

/** Why the person may not decide on requests of the requester for such an operation, whatever its input; undefined where they may. */
export function reviewerRefusal(
  operation: Operation | undefined,
  { reviewer, requester }: { reviewer: Actor; requester: Actor },
  { platform, allowsSelfApproval }: { platform: PlatformWords; allowsSelfApproval: boolean },
): string | undefined {
  // Only an administrator decides on an operation that this version does not know.
  const right: Right = operation?.right ?? 'administrator';
  if (!rightsOf(reviewer).has(right)) return denialMessage(reviewer, right, platform);
  return !allowsSelfApproval && isSamePerson(reviewer, requester)
    ? say`You can’t decide on your own request. Someone else has to.`
    : undefined;
}

export const throughRequester = say`You got rights through the requester within the last 30 days, so you can’t decide on their requests. Someone else has to.`;

/**
 * Whether a person with these rights may decide on another person's request: administrators with the right, and people who could run it at once.
 *
 * @param input undefined where it cannot be read any more: only administrators decide then
 */
export function mayDecide(operation: Operation, input: OperationInput | undefined, rights: Rights): boolean {
  return (
    rights.has(operation.right) &&
    (rights.has('administrator') || (input !== undefined && policyDecision(operation, input, rights) === 'at once'))
  );
}

export const ownLoss = say`You can’t suspend or delete yourself, or remove your own rights. Another administrator of the quiz account can.`;
const approversLoss = say`This would suspend or delete you, take rights from you, or keep the bot from recognizing you. Another administrator of the quiz account has to decide.`;

const unrecognized = ({ name }: PlatformWords) =>
  say`The bot recognizes you by your ${name} e-mail address, so you can’t take it from your own user. Another administrator of the quiz account can.`;

/** Whether the bot would no longer recognize the person. A user of theirs is in the input as it is now. */
function isLostToBot(operation: Operation, input: OperationInput, { user, emailAddress }: Actor): boolean {
  const change = operation.onUser?.(input);
  const isOwn = user !== undefined && change?.user?.user_id === user.user_id;
  return isOwn && losesAddress(change, emailAddress);
}

/** Whether the operation takes rights, or the way in, from the person themselves. An owner may have an address and no user that the bot can tell. */
function isOwnLoss(operation: Operation, input: OperationInput, { user, emailAddress }: Actor): boolean {
  const target = userLosingRights(operation.onUser?.(input));
  if (target === undefined) return false;
  return user === undefined
    ? emailAddress !== undefined && hasAddress(target, emailAddress)
    : target.user_id === user.user_id;
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
