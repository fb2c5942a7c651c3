import type { KnownToken } from './proofs.ts';
import { agentPayload, isToPress } from './agent-calls.ts';
import { channelIdOf, slackIdOf, type Cohort, idBehind, takerOf, type Address } from './cohort.ts';
import type { MadeThing } from './made-things.ts';
import type { Deed } from './judge.ts';
import { payloadOf, readStepInput, type AddressedPayload, type Payload } from './payloads.ts';
import { type Around, surroundingsOf, teamIn, type Where } from './place.ts';
import type { Intent } from './rules.ts';
import { senderOf } from './senders.ts';
import { responseUrl, triggerId, viewId } from './slack.ts';
import type { Stage } from './stage.ts';
import type { DeliveredStep, Door, ForeignPart, Step, StepInput } from './steps.ts';
import { eventBody } from '../support/event.ts';

/** What a step delivers, and what the judge has to know of it. */
export interface Sent {
  payload: AddressedPayload;
  number: number;
  deed: Deed;
  /** What the payload has of the other tenant, beside IDs with the number of its cohort in them. */
  captured: readonly string[];
}

/** What the people of a cohort have been shown and asked in a sequence. */
export interface Shown {
  cohort: Cohort;
  /** The IDs of their requests, the latest last. */
  requests: readonly string[];
  things(): readonly MadeThing[];
  tokens(): readonly KnownToken[];
  /** By the index of the step. */
  sent: ReadonlyMap<number, Sent>;
}

/** Makes what the steps of a cohort deliver. @param own what its people were shown. @param other the same in the other tenant */
export function createSending(stage: Stage, { own, other }: { own: Shown; other: () => Shown | undefined }) {
  const { journal, nextNumber } = stage;
  const { cohort } = own;
  const { tenant } = cohort;

  function around(): Around {
    const at = (here: Cohort) => ({
      cohort: here,
      state: journal.state(here.number),
      slackUrl: stage.placeOf(here).slack.url,
    });
    return { ...at(cohort), other: cohort.other && at(cohort.other) };
  }

  function addressOf(door: Door | undefined): Address {
    const of = (whose: 'own' | 'other') => (whose === 'other' && cohort.other ? cohort.other.tenant : tenant);
    return { to: of(door?.to ?? 'own'), signer: of(door?.signed ?? 'own') };
  }

  /** A request of the people here or of the other tenant, counted from the latest. */
  function requestAt(fromLatest: number, isForeign: boolean): string {
    if (fromLatest === -2) return 'no-such-request';
    const { requests } = (isForeign && other()) || own;
    return requests.at(-1 - fromLatest) ?? 'none';
  }

  function noteTyped(personId: string, typed: unknown): void {
    stage.typed.set(personId, `${stage.typed.get(personId) ?? ''} ${JSON.stringify(typed)}`.toLowerCase());
  }

  /** Whoever sends a payload knows what is in it: it is no secret to the tenant that takes it. */
  function noteSent({ body, address }: AddressedPayload, personId: string): void {
    const taker = (takerOf(address) !== tenant && cohort.other) || cohort;
    for (const knowing of [personId, slackIdOf(taker.number, 'nobody')]) noteTyped(knowing, body);
  }

  function newDeed(personId: string): Deed {
    return { begin: journal.tick(), end: Infinity, personId, kind: 'do', isOurs: true };
  }

  function made(step: DeliveredStep): Sent {
    const personId = slackIdOf(cohort.number, step.who);
    const number = nextNumber();
    const isForeign = (part: 'request' | 'token' | 'file' | 'latest') => step.foreign?.includes(part) === true;
    const requestId = 'request' in step ? requestAt(step.request, isForeign('request')) : '';
    const captured = isForeign('request') ? [('metadata' in step && step.metadata) || requestId] : [];
    const here = around();
    const deed: Deed = { ...newDeed(personId), ...deedOf(step, here, requestId) };
    if ('operation' in step && step.do !== 'picker' && step.do !== 'shortcut') {
      const { texts, intent } = readStepInput(step, here);
      noteTyped(personId, texts);
      if (isForeign('latest')) captured.push(...['plan', 'batch', 'campaign'].flatMap((kind) => texts[kind] ?? []));
      if (step.do === 'workflow step') deed.isWithStart = step.operation === 'start-campaign';
      if (step.do === 'agent') deed.isToPress = isToPress(intent);
      if (step.do !== 'open form')
        deed.intent = {
          ...(step.do === 'workflow step' && step.operation === 'create-user' ? newUserOf(step, cohort) : intent),
          ...(!['form', 'message', 'workflow step', 'agent'].includes(step.do) && {
            at: channelIdOf(cohort.number, step.in ?? 'a'),
          }),
        };
    }
    if (step.do === 'picker') noteTyped(personId, step);
    const file = step.do === 'form' ? step.values?.['file']?.[0] : undefined;
    let delivered = step;
    if (file !== undefined && step.do === 'form') {
      const owner = (isForeign('file') && cohort.other) || cohort;
      const id = stage.placeOf(owner).slack.upload(slackIdOf(owner.number, step.who), file);
      if (owner !== cohort) captured.push(id);
      delivered = { ...step, values: { ...step.values, file: [id] } };
    }
    const where = { ...here, number, personId, now: stage.now() };
    const tokens = ((isForeign('token') && other()) || own).tokens();
    const payload =
      delivered.do === 'agent' ? agentPayload(delivered, where, tokens) : payloadOf(delivered, where, requestId);
    if (step.door?.to === 'other' || isForeign('token'))
      captured.push(...tokens.map(({ text }) => text).filter((text) => text === payload.body['token']));
    const isUnanswered = step.foreign?.includes('hooks') === true && cohort.other !== undefined;
    return addressed({ payload: { ...payload, ...(isUnanswered && { isUnanswered }) }, number, deed, captured }, step);
  }

  /** Gives the payload its address, and the deed what follows from it. */
  function addressed(
    { payload, deed, ...rest }: Omit<Sent, 'payload'> & { payload: Omit<AddressedPayload, 'address'> },
    { door, foreign }: { door?: Door; foreign?: readonly ForeignPart[] },
  ): Sent {
    const to = { ...payload, address: addressOf(door) };
    if (door !== undefined || foreign !== undefined) noteSent(to, deed.personId);
    const isShut = takerOf(to.address) === undefined && to.kind !== 'agent';
    return { ...rest, payload: to, deed: { ...deed, ...senderOf(stage, cohort, to), ...(isShut && { isShut }) } };
  }

  return {
    made,
    noteTyped,
    /** The payload of an earlier step, perhaps as if another person had sent it; undefined where that step sent none. */
    repeated({ step, who }: Extract<Step, { do: 'repeat' }>): Sent | undefined {
      const earlier = own.sent.get(step);
      if (earlier === undefined) return undefined;
      const personId = who === undefined ? earlier.deed.personId : slackIdOf(cohort.number, who);
      const { payload: sent } = earlier;
      const body = asPerson(sent.body, earlier.deed.personId, personId);
      // Slack delivers an event again with the same ID, and it was answered the first time.
      const payload = { ...sent, body, ...(sent.kind === 'event' && { isUnanswered: true as const }) };
      noteTyped(personId, payload.body);
      const { requestId, ...deed } = earlier.deed;
      return {
        ...earlier,
        payload,
        deed: {
          ...deed,
          ...(deed.kind !== 'do' && { requestId }),
          begin: journal.tick(),
          end: Infinity,
          personId,
          ...senderOf(stage, cohort, payload),
        },
      };
    },
    /**
     * What the workspace of the other tenant delivered, with a response URL that is not used yet; undefined where that step
     * delivered nothing.
     */
    replayed({ step, door }: Extract<Step, { do: 'replay' }>): Sent | undefined {
      const earlier = other()?.sent.get(step);
      if (earlier === undefined || cohort.other === undefined) return undefined;
      // A token is its person’s from wherever it comes.
      if (door?.to === 'other' && typeof earlier.payload.body['token'] === 'string') return undefined;
      const { personId, isOurs } = earlier.deed;
      const number = nextNumber();
      const { url } = stage.placeOf(cohort.other).slack;
      let text = JSON.stringify(earlier.payload.body);
      for (const handle of [
        (of: number) => responseUrl(url, personId, of),
        (of: number) => triggerId(personId, of),
        (of: number) => viewId(personId, of),
      ])
        text = text.replaceAll(`"${handle(earlier.number)}"`, `"${handle(number)}"`);
      const body = JSON.parse(text) as Record<string, unknown>;
      const { requestId, intent, kind } = earlier.deed;
      const deed = {
        ...newDeed(personId),
        kind,
        isOurs: isOurs && cohort.other.tenant.teamId === tenant.teamId,
        ...(intent && { intent }),
        ...(kind !== 'do' && { requestId }),
      };
      const payload = { kind: earlier.payload.kind, body, isUnanswered: true } as const;
      return addressed({ payload, number, deed, captured: earlier.captured }, { foreign: [], ...(door && { door }) });
    },
    /** What the service of the account sends, or somebody who knows another secret. */
    told(step: Extract<Step, { do: 'webhook' }>): Sent {
      const number = nextNumber();
      const personId = slackIdOf(cohort.number, 'nobody');
      const payload = attemptPayload(step, { ...around(), number, now: stage.now() });
      const sent = addressed({ payload, number, deed: { ...newDeed(personId), isOurs: false }, captured: [] }, step);
      if (step.signed === undefined) return sent;
      return {
        ...sent,
        payload: { ...sent.payload, address: { ...sent.payload.address, signer: undefined } },
        deed: { ...sent.deed, isShut: true },
      };
    },
  };
}

/** What the service sends of an attempt that the account has, as if it had just been submitted. */
function attemptPayload(
  step: Extract<Step, { do: 'webhook' }>,
  where: Pick<Where, 'cohort' | 'state' | 'slackUrl' | 'other' | 'number' | 'now'>,
): Payload {
  const { cohort, state } = surroundingsOf('response', step, where);
  const { id, quiz } = cohort.responses[step.response] ?? { id: step.response, quiz: 'a' };
  const quizId = idBehind(cohort.quizzes, quiz);
  const user = state.users.get(cohort.users[step.response] ?? '');
  const at = new Date(where.now).toISOString().replace('T', ' ').slice(0, 19);
  const body = eventBody(
    { event_id: `e-${where.number}`, event_date: at },
    {
      response_id: id,
      quiz_id: quizId,
      quiz_name: state.quizzes.get(quizId)?.name ?? quizId,
      user_id: user?.user_id ?? null,
      user_name: user?.user_name ?? null,
      first_name: user?.first_name ?? '',
      last_name: user?.last_name ?? '',
      email_address: user?.email_address ?? '',
      date_submitted: at,
    },
  );
  return { kind: 'webhook', body: JSON.parse(body) as Record<string, unknown> };
}

/** What a step itself says of its deed. */
function deedOf(step: DeliveredStep, where: Around, requestId: string): Partial<Deed> {
  const isOurs = teamIn(step, where) === where.cohort.tenant.teamId;
  switch (step.do) {
    case 'review':
      return { isOurs, kind: 'review', requestId };
    case 'decide':
      return { isOurs, kind: 'decide', requestId: step.metadata ?? requestId, isApproval: step.verdict === 'approved' };
    case 'password':
      return {
        isOurs,
        kind: 'password',
        intent: {
          operation: 'show-password',
          user: idBehind(surroundingsOf('user', step, where).cohort.users, step.user),
        },
      };
    default:
      return { isOurs };
  }
}

/** A step takes the name and address of its person from their profile. */
function newUserOf({ operation, user = '' }: StepInput, { people }: Cohort): Intent {
  return { operation, values: { user_name: [people[user]?.email ?? ''], user_type: ['respondent'] } };
}

/** The payload as if another person had sent it. */
function asPerson(body: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body).replaceAll(from, to)) as Record<string, unknown>;
}
