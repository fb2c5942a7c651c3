import { setTimeout as delay } from 'node:timers/promises';
import { statusOfCall } from './agent-calls.ts';
import { cohortOfSlackId } from './cohort.ts';
import type { Deed } from './judge.ts';
import type { AddressedPayload } from './payloads.ts';
import type { Place } from './place.ts';
import type { Stage } from './stage.ts';
import { watchdogMs } from '../support/watchdog.ts';

/** A delivery of a foreign workspace has no answer; a forged step ends with an error. */
const silenceMs = 60;
/** For the answer to a change that waits its turn, which an answer that is kept back holds up. */
const heldUpMs = 120;

/**
 * Delivers a payload, and notes in the deed when the person has the answer, also when it comes later.
 *
 * @param about.isHeldUp whether the answer may have to wait for one that is kept back
 * @returns what the person reads; empty without an answer
 */
export async function deliver(
  stage: Stage,
  payload: AddressedPayload,
  { place, number, deed, isHeldUp }: { place: Place; number: number; deed: Deed; isHeldUp: boolean },
): Promise<string> {
  const { journal } = stage;
  const { slack, store, tenant } = place;
  if (payload.kind === 'agent' || payload.kind === 'webhook') return call(stage, payload, { place, number, deed });
  let soFar = '';
  const answered = (async () => {
    soFar = await slack.answerTo(number, deed.personId);
    // What a modal waits for follows.
    const last = isWaiting(soFar) ? await slack.answerTo(number, deed.personId) : soFar;
    deed.end = journal.tick();
    return last;
  })();
  const cohort = cohortOfSlackId(deed.personId)!;
  const killsBefore = journal.kills.length;
  const requestsBefore = store.requests(cohort).length;
  const seenBefore = stage.seenTexts.length;
  const acknowledged = await stage.deliver(payload);
  deed.status = acknowledged?.status;
  let text = acknowledged?.body ?? '';
  if (text.startsWith('{') || text.startsWith('['))
    stage.seenTexts.push({ tenant, reader: deed.personId, text, isView: true, step: number });
  const isLate = text === '' || isWaiting(text);
  const hasAnswer =
    payload.isAnsweredLater === true ||
    (payload.kind !== 'event' &&
      payload.kind !== 'block_suggestion' &&
      !(payload.kind === 'view_submission' && !isLate));
  if (hasAnswer && isLate) {
    const stop = new AbortController();
    const { signal } = stop;
    const isSilent =
      acknowledged?.status !== 200 ||
      payload.isUnanswered === true ||
      (!deed.isOurs && !(payload.isStep && payload.address.to === tenant));
    const isStep = payload.isStep === true && !isSilent;
    // A step whose request waits already asks nobody again.
    const mayCome = () =>
      isStep ? store.isBusy(cohort) || store.requests(cohort).length > requestsBefore : !isSilent && !isHeldUp;
    const silence = async () => {
      const endsAt = performance.now() + watchdogMs;
      while (!signal.aborted && mayCome() && performance.now() < endsAt)
        await delay(20, undefined, { signal }).catch(() => {});
      deed.isUnanswered = !signal.aborted && mayCome();
      await delay(isSilent ? silenceMs : heldUpMs, undefined, { signal }).catch(() => {});
      return '';
    };
    const killed = (async () => {
      while (!signal.aborted && journal.kills.length === killsBefore)
        await delay(20, undefined, { signal }).catch(() => {});
      await delay(silenceMs, undefined, { signal }).catch(() => {});
    })();
    const asked = payload.isStep ? [requestFor(stage, deed, { from: seenBefore, signal })] : [];
    text = (await Promise.race([answered, ...asked, silence(), killed.then(() => '')])) || soFar || text;
    stop.abort();
  }
  if (text !== '' && !isWaiting(text)) deed.end = Math.min(deed.end, journal.tick());
  return text;
}

/** Calls a tool or tells of an attempt: the answer is the response. */
async function call(
  stage: Stage,
  payload: AddressedPayload,
  { place: { tenant }, number, deed }: { place: Place; number: number; deed: Deed },
): Promise<string> {
  const answer = await stage.deliver(payload);
  deed.status = answer?.status;
  const text = answer?.body ?? '';
  stage.seenTexts.push({ tenant, reader: deed.personId, text, isView: false, step: number, isByAgent: true });
  if (answer !== undefined) deed.end = stage.journal.tick();
  return text;
}

/** A step of a workflow has no answer while its request waits: the person reads of the request in a direct message. */
async function requestFor(
  { seenTexts }: Stage,
  { personId }: Deed,
  { from, signal }: { from: number; signal: AbortSignal },
): Promise<string> {
  const ofPerson = (texts: typeof seenTexts) => texts.filter(({ reader }) => reader === personId);
  const known = new Set([undefined, ...ofPerson(seenTexts.slice(0, from)).map(({ text }) => requestIn(text))]);
  while (!signal.aborted) {
    const asked = ofPerson(seenTexts.slice(from)).find(({ text }) => !known.has(requestIn(text)));
    if (asked !== undefined) return asked.text;
    await delay(20, undefined, { signal }).catch(() => {});
  }
  return '';
}

/** Whether an answer is a message or modal of nothing but what the person waits for. */
const isWaiting = (text: string) => /blocks[\\"]+:\[\{[^{]*\{[^{}]*⏳[^{}]*\}\}\]/.test(text);

const kindsOfCalls: Readonly<Record<string, string>> = {
  done: 'answered',
  requested: 'asked',
  press: 'to press',
  refused: 'refused',
};

/** For the report: what kind of answer a person reads. */
export function kindOfAnswer(text: string): string {
  if (text === '') return 'no answer';
  if (text.includes('another workspace')) return 'foreign';
  const called = statusOfCall(text);
  if (called !== undefined) return kindsOfCalls[called] ?? 'invalid';
  if (text.includes('"jsonrpc"')) return 'invalid';
  if (requestIn(text) !== undefined) return 'asked';
  if (text.startsWith('{"option')) return 'options';
  if (text.includes('🚫') || text.includes('functions.completeError')) return 'refused';
  if (text.includes('"trigger_id"')) return 'modal';
  if (text.includes('⚠️') || text.includes('"errors"')) return 'invalid';
  if (isWaiting(text)) return 'waiting';
  if (text.includes(' approved: ')) return 'approved';
  return 'answered';
}

/** Whether an answer says that what the person wants is done, or is being done. */
export function isGranted(text: string): boolean {
  return text !== '' && !['refused', 'invalid', 'asked', 'foreign', 'waiting', 'to press'].includes(kindOfAnswer(text));
}

const withdrawButton = /withdraw-request[\\"]+,[\\"]+raw[\\"]+:\{[\\"]+request[\\"]+:\[[\\"]+([\w-]{8,})/;

/** The request that an answer speaks of: the requester can withdraw it. */
export function requestIn(text: string): string | undefined {
  return withdrawButton.exec(text)?.[1];
}
