import { proofOfGrant, noteRevocation, noteTokens, proofOfToken, type KnownToken } from './proofs.ts';
import { type AgentCall, isForPeople, statusOfCall } from './agent-calls.ts';
import {
  handleOfSlackId,
  slackIdOf,
  type Cohort,
  type SlackPerson,
  foreignTeam,
  type Tenant,
  takerOf,
  type Address,
} from './cohort.ts';
import { kindOfAnswer, requestIn } from './deliver.ts';
import type { Journal } from './journal.ts';
import type { Deed, Violation } from './judge.ts';
import type { AddressedPayload, Payload } from './payloads.ts';
import { seesQuiz, standingOf } from './rules.ts';
import type { Stage } from './stage.ts';

type Sender = Partial<Pick<Deed, 'personId' | 'isOurs' | 'proof'>>;

/** Whose deed the call of an agent or the step of a workflow is, and whether it shows that; nothing for what else is delivered. */
export function senderOf(
  { tokens, uses, now }: Pick<Stage, 'tokens' | 'uses' | 'now'>,
  { number, tenant }: Pick<Cohort, 'number' | 'tenant'>,
  { kind, body, address }: AddressedPayload,
): Sender {
  const isOwnDoor = takerOf(address) === tenant;
  if (kind === 'agent') {
    const { token, signature } = body as AgentCall;
    // The workspace of the other tenant says so itself, of a person whom it does not have.
    const isVisit = token === null && signature === 'right' && takerOf(address) === address.to && !isOwnDoor;
    if (isVisit) return { personId: slackIdOf(number, 'nobody'), isOurs: false };
    const { personId, proof } = callerIn(body as AgentCall, { tokens, tenant, address }, now());
    // What nobody proved is answered to nobody.
    return { personId: proof === 'bad' ? slackIdOf(number, 'nobody') : personId, proof, isOurs: proof !== 'bad' };
  }
  const event = body['event'] as
    | { type?: string; function?: { callback_id?: string }; inputs?: Record<string, string> }
    | undefined;
  if (kind !== 'event' || event?.type !== 'function_executed' || body['team_id'] !== tenant.teamId)
    return isOwnDoor ? {} : { isOurs: false };
  const text = event.inputs?.['acts_as'] ?? '';
  const proof = !isOwnDoor
    ? 'bad'
    : proofOfGrant(tenant, { text, step: event.function?.callback_id ?? '' }, uses, now());
  if (proof === 'good') uses.set(text, now());
  return { proof, ...(proof === 'bad' && { isOurs: false }) };
}

function callerIn(
  { signature, token, origin, message }: AgentCall,
  { tokens, tenant, address }: { tokens: Stage['tokens']; tenant: Tenant; address: Address },
  now: number,
): { personId: string; proof: NonNullable<Deed['proof']> } {
  const { params } = message as { params?: Record<'_meta', { slack: { user_id: string; team_id: string | null } }> };
  if (origin !== null || params === undefined) return { personId: '', proof: 'bad' };
  if (token !== null) {
    const known = tokens.find(({ text }) => text === token);
    const isHere = known?.tenant === tenant && address.to === tenant;
    return { personId: known?.personId ?? '', proof: isHere ? proofOfToken(tokens, token, now) : 'bad' };
  }
  const { user_id: personId, team_id: team } = params['_meta'].slack;
  const isHere = signature === 'right' && address.to === tenant && address.signer === tenant;
  return { personId, proof: isHere && team === tenant.teamId ? 'good' : 'bad' };
}

/** What the bot knows of a person in Slack is so old at most, when an agent asks (docs/agents-and-workflows.md). */
const knownForMs = 60_000;
const slackMs = 5_000;

/**
 * What an answer shows of its door: without a proof there is none, with one there is, and an agent does what agents may.
 *
 * @param text of the answer
 */
export function wrongAnswers(
  deed: Deed,
  { kind }: Payload,
  text: string,
  journal: Journal,
  cohort: number,
): Violation[] {
  const { proof, status, personId, intent } = deed;
  const message = `${intent?.operation ?? deed.kind} by ${personId}, ${proof ?? ''}: ${status ?? ''} ${text.slice(0, 300)}`;
  const found: Violation[] = [];
  if (deed.isUnanswered === true || (status ?? 0) >= 500) found.push({ rule: 'answer', message });
  if (kind === 'agent' && proof === 'good' && status !== undefined && status !== 200)
    found.push({ rule: 'answer', message });
  const isTaken =
    kind === 'agent'
      ? status !== undefined && status < 400
      : text.includes('functions.completeSuccess') || requestIn(text) !== undefined;
  if (proof === 'bad' && isTaken) found.push({ rule: 'proof', message });
  if (deed.isShut === true && status !== undefined && status !== 401) found.push({ rule: 'proof', message });
  if (kind === 'webhook' && deed.isShut !== true && status !== undefined && status !== 200)
    found.push({ rule: 'answer', message });
  const lately = () =>
    journal.states(
      cohort,
      Math.max(journal.tickBefore(deed.begin, knownForMs + slackMs), journal.leaps.at(-1) ?? 0),
      journal.tick(),
    );
  const called = kind === 'agent' ? statusOfCall(text) : undefined;
  if (called === 'done' && !lately().some(({ people }) => isMember(people.get(personId))))
    found.push({ rule: 'policy', message });
  if (called !== undefined && isForPeople(intent?.operation ?? '') && ['done', 'requested', 'press'].includes(called))
    found.push({ rule: 'policy', message });
  // A step gives what it read to everybody in the workflow, so it has no names in it by which a leak would be found.
  const isRead = proof === 'good' && intent?.operation === 'show-results' && text.includes('functions.completeSuccess');
  const mayRead = () =>
    journal.states(cohort, 0, journal.tick()).some((state) => {
      const standing = standingOf(state, personId);
      return standing.isStaff && seesQuiz(state, standing, intent?.quiz ?? '');
    });
  if (isRead && kind !== 'agent' && !mayRead()) found.push({ rule: 'policy', message });
  return found;
}

function isMember(person: SlackPerson | undefined): boolean {
  return (
    person !== undefined &&
    person.teamId !== foreignTeam &&
    person.isConfirmed &&
    !person.isGuest &&
    !person.isDeleted &&
    !person.isBot
  );
}

interface Delivered {
  payload: Payload;
  number: number;
  deed: Deed;
}

/** Watches which tokens the people of a cohort are shown, and which they revoke. */
export function watchTokens(
  stage: Stage,
  { number, tenant }: Pick<Cohort, 'number' | 'tenant'>,
  sent: ReadonlyMap<number, Delivered>,
) {
  const { journal, tokens, seenTexts } = stage;
  const violations: Violation[] = [];
  let lookedTo = seenTexts.length;
  const isHere = (personId: string) => handleOfSlackId(personId)?.cohort === number;

  const isRevokedAfter = (step: number, personId: string, name: string) =>
    [...sent.values()].some(
      ({ number: later, deed: { intent, personId: by } }) =>
        later > step &&
        by === personId &&
        intent?.operation === 'revoke-token' &&
        (intent.values?.['name']?.[0] ?? '') === name,
    );

  /**
   * The name of the token that a delivery asked for; undefined where its person could not, or asked for none. An answer that comes
   * after a revocation was sent shows a token that may be revoked.
   */
  function nameOf(step: number, personId: string): string | { late: true } | undefined {
    if ([...sent.values()].every((one) => one.number > step)) return { late: true };
    const { deed, payload } =
      [...sent.values()].find((one) => one.number === step && one.deed.personId === personId) ?? {};
    if (deed?.intent?.operation !== 'make-token' || payload?.kind === 'agent' || !deed.isOurs) return undefined;
    const states = journal.states(number, deed.begin, journal.tick());
    const isStaff = states.some((state) => standingOf(state, personId).isStaff);
    const name = deed.intent.values?.['name']?.[0] ?? '';
    if (!isStaff) return undefined;
    return isRevokedAfter(step, personId, name) ? { late: true } : name;
  }

  return {
    violations,
    /** The tokens of the cohort, the latest last. */
    here: (): KnownToken[] => tokens.filter(({ personId }) => isHere(personId)),
    /** Notes the tokens that people were shown since the last look. */
    look(): void {
      const texts = seenTexts.slice(lookedTo);
      lookedTo += texts.length;
      violations.push(
        ...noteTokens(
          tokens,
          texts.filter(({ reader }) => isHere(reader)),
          { tenant, nameOf, now: stage.now() },
        ),
      );
    },
    /** @param text of the answer. @param isDoubled whether another delivery has another answer */
    noteRevoked({ deed, payload }: Delivered, text: string, isDoubled: boolean): void {
      const { intent, personId, isOurs } = deed;
      if (intent?.operation !== 'revoke-token' || payload.kind === 'agent' || !isOurs) return;
      const about = { personId, name: intent.values?.['name']?.[0] ?? '' };
      const isSaid = ['refused', 'invalid'].includes(kindOfAnswer(text)) && !isDoubled;
      if (text.includes('Revoked the access token')) noteRevocation(tokens, about, 'revoked');
      else if (!isSaid) noteRevocation(tokens, about, 'unsure');
    },
  };
}
