import { setTimeout as delay } from 'node:timers/promises';
import type { StoredRequest } from './bot-store.ts';
import { deliver, kindOfAnswer, requestIn } from './deliver.ts';
import { judge, type Deed, type Violation } from './judge.ts';
import { leaksIn } from './leaks.ts';
import { latestThing, thingOf, thingsIn, trespassIn } from './made-things.ts';
import { payloadOf, readStepInput, type Payload } from './payloads.ts';
import type { SeenText } from './slack.ts';
import type { Stage } from './stage.ts';
import { stepText, type Interruption, type Step } from './steps.ts';
import type { Intent } from './rules.ts';
import { makeTurn } from './turns.ts';
import { channelIdOf, handleOfSlackId, idBehind, slackIdOf, type Cohort } from './cohort.ts';

export interface SequenceResult {
  violations: Violation[];
  /** The number of each outcome, by kind of step. */
  outcomes: Record<string, number>;
  /** Whether the bot was killed meanwhile, by this sequence or another. */
  wasKilled: boolean;
}

/** What a step delivers, and what the judge has to know of it. */
interface Sent {
  payload: Payload;
  number: number;
  deed: Deed;
}

type MadeStep = Exclude<Step, { do: 'repeat' | 'turn' | 'kill' }>;

/** For what goes on after an answer: the news of a request, for example. */
const settleMs = 40;
/** After a kill, the bot carries out the decisions that it had taken as soon as it is up. */
const carriedOutMs = 60_000;
const pollMs = 20;

/** Runs the steps of a sequence in its cohort, and judges what came of them. */
export async function runSequence(
  stage: Stage,
  cohort: Cohort,
  steps: readonly Step[],
  nextNumber: () => number,
): Promise<SequenceResult> {
  const { journal, service, store } = stage;
  const deeds = stage.deeds.get(cohort.number) ?? [];
  const from = journal.tick();
  const killsBefore = journal.kills.length;
  const firstSight = stage.seenTexts.length;
  const outcomes: Record<string, number> = {};
  const sent = new Map<number, Sent>();
  const requests: string[] = [];
  const trespasses: Violation[] = [];
  const isOfCohort = ({ reader }: SeenText) => handleOfSlackId(reader)?.cohort === cohort.number;

  const count = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const act = async (what: Interruption['act']) =>
    what === 'kill' ? stage.restart() : makeTurn(what, { cohort, journal, database: service.database });
  const look = () => journal.lookAtSubscriptions(cohort.number, store.subscriptions(cohort.number));

  /** The payload of an earlier step, perhaps as if another person had sent it; undefined where that step sent none. */
  function repeated({ step, who }: Step & { do: 'repeat' }): Sent | undefined {
    const earlier = sent.get(step);
    if (earlier === undefined) return undefined;
    const personId = who === undefined ? earlier.deed.personId : slackIdOf(cohort.number, who);
    const payload = {
      kind: earlier.payload.kind,
      body: asPerson(earlier.payload.body, earlier.deed.personId, personId),
    };
    noteTyped(personId, payload.body);
    const { requestId, ...deed } = earlier.deed;
    return {
      payload,
      number: earlier.number,
      deed: { ...deed, ...(deed.kind !== 'do' && { requestId }), begin: journal.tick(), end: Infinity, personId },
    };
  }

  const things = () => thingsIn(stage.seenTexts.slice(firstSight).filter(isOfCohort));

  /** The step with the ID of the plan, batch or campaign that it is about. */
  async function withThing(step: MadeStep): Promise<MadeStep> {
    if (!('latest' in step) || step.latest === undefined) return step;
    const kind = thingOf(step.operation);
    const id = kind && (await latestThing(things, kind, step.latest));
    return id === undefined ? step : { ...step, values: { ...step.values, [kind!]: [id] } };
  }

  /** The plans that an answer shows to the person who made them. */
  function notePlans(deed: Deed, number: number): void {
    const ids = things()
      .filter(({ kind, ownerId, step }) => kind === 'plan' && ownerId === deed.personId && step === number)
      .map(({ id }) => id);
    if (ids.length > 0) deed.plans = ids;
  }

  /** The quiz of a campaign that the sequence made. */
  function quizOf(campaignId: string): string | undefined {
    const step = things().find(({ id }) => id === campaignId)?.step;
    const starting = [...sent.values()].find(({ number }) => number === step)?.deed.intent?.values?.['plan']?.[0];
    return deeds.find(({ plans }) => starting !== undefined && plans?.includes(starting))?.intent?.quiz;
  }

  function made(step: MadeStep): Sent {
    const personId = slackIdOf(cohort.number, step.who);
    const number = nextNumber();
    const requestId = 'request' in step ? requestAt(step.request) : '';
    const deed: Deed = {
      begin: journal.tick(),
      end: Infinity,
      personId,
      kind: 'do',
      isOurs: true,
      ...deedOf(step, cohort, requestId),
    };
    const state = journal.state(cohort.number);
    if ('operation' in step && step.do !== 'picker' && step.do !== 'shortcut') {
      const { texts, intent } = readStepInput(step, { cohort, state });
      noteTyped(personId, texts);
      if (step.do !== 'open form')
        deed.intent = { ...intent, ...(step.do !== 'form' && { at: channelIdOf(cohort.number, step.in ?? 'a') }) };
    }
    return {
      payload: payloadOf(step, { cohort, state, slackUrl: stage.slack.url, number, personId }, requestId),
      number,
      deed,
    };
  }

  function requestAt(fromLatest: number): string {
    return fromLatest === -2 ? 'no-such-request' : (requests.at(-1 - fromLatest) ?? 'none');
  }

  function noteTyped(personId: string, typed: unknown): void {
    stage.typed.set(personId, `${stage.typed.get(personId) ?? ''} ${JSON.stringify(typed)}`.toLowerCase());
  }

  async function run(step: Step, index: number): Promise<void> {
    if (step.do === 'kill') return stage.restart();
    if (step.do === 'turn') return act(step.turn);
    const sending = step.do === 'repeat' ? repeated(step) : made(await withThing(step));
    if (sending === undefined) return;
    sent.set(index, sending);
    const { payload, number, deed } = sending;
    const twins = 'isDoubled' in step && step.isDoubled ? [{ ...deed }] : [];
    deeds.push(deed, ...twins);
    const interruption = 'interruption' in step ? step.interruption : undefined;
    const cancel = interruption && stage.after(interruption.after, async () => act(interruption.act));
    const [text] = await Promise.all([
      deliver(stage, payload, number, deed),
      ...twins.map(async () => stage.deliver(payload.kind, payload.body)),
    ]);
    cancel?.();
    await stage.up();
    look();
    if (deed.kind === 'do') noteRequest(text, [deed, ...twins]);
    notePlans(deed, number);
    trespasses.push(
      ...trespassIn(deed, text, {
        things: things(),
        states: journal.states(cohort.number, deed.begin, journal.tick()),
        quizOf,
      }),
    );
    count(`${step.do}: ${kindOfAnswer(text)}`);
  }

  /** Remembers which request the deeds became: a step, perhaps with its twin. */
  function noteRequest(text: string, asking: readonly Deed[]): void {
    const request = requestIn(text);
    if (request !== undefined) for (const deed of asking) deed.requestId = request;
    else if (text === '') nameLostRequests(deeds, store.requests(cohort.number));
    const [{ requestId } = { requestId: undefined }] = asking;
    if (requestId !== undefined && !requests.includes(requestId)) requests.push(requestId);
  }

  for (const [index, step] of steps.entries()) {
    try {
      await run(step, index);
    } catch (error) {
      throw new Error(`step ${index}, ${stepText(step)}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  await delay(settleMs);
  const undone = await decisionsLeftUndone(stage, cohort);
  look();
  nameLostRequests(deeds, store.requests(cohort.number));
  const seenTexts = stage.seenTexts.slice(firstSight).filter(isOfCohort);
  const violations = [
    ...judge(journal, cohort.number, deeds, from),
    ...leaksIn(stage, cohort, seenTexts),
    ...trespasses,
    ...undone,
  ];
  return { violations, outcomes, wasKilled: journal.kills.length > killsBefore };
}

/**
 * Waits until the bot has carried out every decision of the cohort. The records of a cohort must not come back before: a bot
 * that was killed deletes what is there again.
 */
async function decisionsLeftUndone({ store, up }: Stage, { number }: Cohort): Promise<Violation[]> {
  for (let waitedMs = 0; waitedMs < carriedOutMs; waitedMs += pollMs) {
    await up();
    if (!store.hasUndoneDecisions(number)) return [];
    await delay(pollMs);
  }
  return store
    .requests(number)
    .filter(({ state }) => state === 'decided')
    .map(({ id, operation }) => ({ rule: 'not carried out', message: `${operation}, ${id}` }));
}

function deedOf(step: MadeStep, cohort: Cohort, requestId: string): Partial<Deed> {
  const envelope = step.envelope ?? 'own';
  const isOurs = envelope !== 'foreign team' && envelope !== 'foreign enterprise';
  switch (step.do) {
    case 'review':
      return { isOurs, kind: 'review', requestId };
    case 'decide':
      return { isOurs, kind: 'decide', requestId: step.metadata ?? requestId, isApproval: step.verdict === 'approved' };
    case 'password':
      return {
        isOurs,
        kind: 'password',
        intent: { operation: 'show-password', user: idBehind(cohort.users, step.user) },
      };
    default:
      return { isOurs };
  }
}

/** Requests whose answer a kill swallowed: the bot keeps who asked, and for what. */
function nameLostRequests(deeds: readonly Deed[], requests: readonly StoredRequest[]): void {
  for (const { id, operation, input, requesterId } of requests) {
    if (deeds.some(({ kind, requestId }) => kind === 'do' && requestId === id)) continue;
    const stored = JSON.stringify(input);
    const isAbout = ({ quiz, user, group, response, assignees = [], values }: Intent) =>
      [
        quiz,
        user,
        group,
        response,
        ...assignees,
        values?.['user_name']?.[0]?.trim(),
        values?.['name']?.[0],
        values?.['plan']?.[0],
      ].every((text) => text === undefined || stored.includes(text));
    for (const deed of deeds) {
      const { kind, intent, requestId, personId } = deed;
      if (
        kind === 'do' &&
        requestId === undefined &&
        personId === requesterId &&
        intent?.operation === operation &&
        isAbout(intent)
      )
        deed.requestId = id;
    }
  }
}

/** The payload as if another person had sent it. */
function asPerson(body: Record<string, unknown>, from: string, to: string): Record<string, unknown> {
  return JSON.parse(JSON.stringify(body).replaceAll(from, to)) as Record<string, unknown>;
}
