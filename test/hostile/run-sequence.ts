import { setTimeout as delay } from 'node:timers/promises';
import { asPerson, deedOf, nameLostRequests, newUserOf } from './deeds.ts';
import { agentPayload, isToPress } from './agent-calls.ts';
import { deliver, isGranted, kindOfAnswer, requestIn } from './deliver.ts';
import { judge, type Deed, type Violation } from './judge.ts';
import { leaksIn } from './leaks.ts';
import { latestThing, thingOf, thingsIn, trespassIn } from './made-things.ts';
import { payloadOf, readStepInput, type Payload } from './payloads.ts';
import type { SeenText } from './slack.ts';
import type { KeptBack, Stage } from './stage.ts';
import { leaps, stepText, type DeliveredStep, type Step, type Turn } from './steps.ts';
import { watchTokens } from './token-watch.ts';
import { isStart } from './matches.ts';
import { reads } from './operations.ts';
import { senderOf, wrongAnswers } from './senders.ts';
import { makeNamesake, makeTurn } from './turns.ts';
import { channelIdOf, handleOfSlackId, slackIdOf, type Cohort } from './cohort.ts';

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

/** For what goes on after an answer: the news of a request, for example. */
const settleMs = 40;
/** After a kill, the bot carries out the decisions that it had taken as soon as it is up. */
const carriedOutMs = 60_000;
/** For the first change of a batch. */
const awaitMs = 1_500;
/** For the answers to changes that wait behind one that was kept back. */
const lateMs = 5_000;
/** A step of a workflow that the service failed runs again after a minute. */
const busyMs = 75_000;
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
  /** What had no answer while one was kept back. */
  const heldUp: Deed[] = [];
  const requests: string[] = [];
  const trespasses: Violation[] = [];
  const tokens = watchTokens(stage, cohort, sent);
  let endWave = () => {};
  const isOfCohort = ({ reader }: SeenText) => handleOfSlackId(reader)?.cohort === cohort.number;

  const count = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const turn = (change: Turn | undefined) =>
    change && makeTurn(change, { cohort, journal, database: service.database });
  let keptBack: KeptBack | undefined;
  /** Whether something was started, so that its batch or campaign shows itself soon. */
  let hasStarted = false;
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
      deed: {
        ...deed,
        ...(deed.kind !== 'do' && { requestId }),
        begin: journal.tick(),
        end: Infinity,
        personId,
        ...senderOf(stage, cohort, payload),
      },
    };
  }

  const things = () => thingsIn(stage.seenTexts.slice(firstSight).filter(isOfCohort));

  /** The step with the ID of the plan, batch or campaign that it is about. */
  async function withThing(step: DeliveredStep): Promise<DeliveredStep> {
    if (!('latest' in step) || step.latest === undefined) return step;
    const kind = thingOf(step.operation);
    const id =
      kind && (await latestThing(things, kind, { back: step.latest, isAwaited: hasStarted && kind !== 'plan' }));
    return id === undefined ? step : { ...step, values: { ...step.values, [kind!]: [id] } };
  }

  /** The plans that an answer shows to the person who made them. */
  function notePlans({ deed, number, payload }: Sent): void {
    const isByAgent = payload.kind === 'agent';
    const ids = things()
      .filter(
        ({ kind, ownerId, step, id }) =>
          kind === 'plan' &&
          ownerId === deed.personId &&
          // What an agent asked for comes as a message that answers no delivery.
          (step === number || (isByAgent && step === undefined && !deeds.some(({ plans }) => plans?.includes(id)))),
      )
      .map(({ id }) => id);
    if (ids.length > 0) deed.plans = ids;
  }

  /** The quiz of a campaign that the sequence made. */
  function quizOf(campaignId: string): string | undefined {
    const step = things().find(({ id }) => id === campaignId)?.step;
    const starting = [...sent.values()].find(({ number }) => number === step)?.deed.intent?.values?.['plan']?.[0];
    return deeds.find(({ plans }) => starting !== undefined && plans?.includes(starting))?.intent?.quiz;
  }

  function made(step: DeliveredStep): Sent {
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
    const file = step.do === 'form' ? step.values?.['file']?.[0] : undefined;
    const delivered =
      file === undefined || step.do !== 'form'
        ? step
        : { ...step, values: { ...step.values, file: [stage.slack.upload(personId, file)] } };
    const where = { cohort, state, slackUrl: stage.slack.url, number, personId, now: stage.now() };
    const payload =
      delivered.do === 'agent' ? agentPayload(delivered, where, tokens.here()) : payloadOf(delivered, where, requestId);
    return { payload, number, deed: { ...deed, ...senderOf(stage, cohort, payload) } };
  }

  function requestAt(fromLatest: number): string {
    return fromLatest === -2 ? 'no-such-request' : (requests.at(-1 - fromLatest) ?? 'none');
  }

  function noteTyped(personId: string, typed: unknown): void {
    stage.typed.set(personId, `${stage.typed.get(personId) ?? ''} ${JSON.stringify(typed)}`.toLowerCase());
  }

  async function run(step: Step, index: number): Promise<void> {
    switch (step.do) {
      case 'kill':
        return stage.restart(() => turn(step.whileDown));
      case 'turn':
        return turn(step.turn);
      case 'keep back':
        keptBack = stage.keepBack(cohort.number);
        return;
      case 'await change':
        count(`await change: ${await isChangeKept()}`);
        return;
      case 'give back':
        keptBack?.giveBack();
        return;
      case 'lose creation':
        return stage.loseCreation(cohort.number, (fields) =>
          makeNamesake(fields.get('user_name') ?? '', { journal, database: service.database }),
        );
      case 'leap':
        return stage.leap(leaps[step.long ?? 'a day']);
      case 'wave':
        endWave = await stage.wave(step);
        return;
      case 'await batches':
        return awaitRest(stage, cohort);
    }
    const sending = step.do === 'repeat' ? repeated(step) : made(await withThing(step));
    if (sending === undefined) return;
    sent.set(index, sending);
    const { payload, number, deed } = sending;
    const twins = 'isDoubled' in step && step.isDoubled ? [{ ...deed }] : [];
    deeds.push(deed, ...twins);
    const interruption = 'interruption' in step ? step.interruption : undefined;
    const cancel =
      interruption &&
      stage.after(interruption.after, async () => {
        if (interruption.act === 'kill') await stage.restart(() => turn(interruption.whileDown));
        else turn(interruption.act);
      });
    const [text] = await Promise.all([
      deliver(stage, payload, { number, deed, isHeldUp: keptBack?.isKeeping === true }),
      ...twins.map(async () => stage.deliver(payload.kind, payload.body)),
    ]);
    cancel?.();
    if (keptBack?.isKeeping && deed.end === Infinity) heldUp.push(deed);
    await stage.up();
    look();
    deed.isGranted = isGranted(text);
    hasStarted ||= deed.isGranted && (deed.kind === 'decide' || (deed.intent !== undefined && isStart(deed.intent)));
    if (deed.kind === 'do') noteRequest(text, [deed, ...twins], payload.kind === 'agent');
    notePlans(sending);
    tokens.look();
    tokens.noteRevoked(sending, text, twins.length > 0);
    trespasses.push(
      ...wrongAnswers(deed, payload, text, journal, cohort.number),
      ...trespassIn(deed, text, {
        things: things(),
        // Rights of reading may be minutes old in the bot.
        states: journal.states(
          cohort.number,
          reads.includes(deed.intent?.operation ?? '') ? 0 : deed.begin,
          journal.tick(),
        ),
        quizOf,
        leads: stage.store.campaignLeads(cohort.number),
      }),
    );
    count(`${step.do}${deed.proof === 'bad' ? ' without proof' : ''}: ${kindOfAnswer(text)}`);
  }

  /** Whether the answer to the next change is kept back, once the cohort’s batches and campaigns have begun or have nothing to do. */
  async function isChangeKept(): Promise<boolean> {
    if (keptBack === undefined) return false;
    let isIdle = false;
    for (let waitedMs = 0; waitedMs < awaitMs && !keptBack.isKeeping; waitedMs += pollMs) {
      const wasIdle = isIdle;
      isIdle = !store.isBusy(cohort.number);
      if (wasIdle && isIdle) break;
      await delay(pollMs);
    }
    return keptBack.isKeeping;
  }

  /** Remembers which request the deeds became: a step, perhaps with its twin. */
  function noteRequest(text: string, asking: readonly Deed[], isByAgent: boolean): void {
    const request = requestIn(text);
    if (request !== undefined) for (const deed of asking) deed.requestId = request;
    else if (text === '' || isByAgent) nameLostRequests(deeds, store.requests(cohort.number));
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
  keptBack?.giveBack();
  await awaitAnswers(heldUp);
  await delay(settleMs);
  await awaitRest(stage, cohort);
  endWave();
  for (const sending of sent.values()) notePlans(sending);
  tokens.look();
  const undone = await decisionsLeftUndone(stage, cohort);
  look();
  journal.lookAtCampaigns(cohort.number, store.campaignMembers(cohort.number));
  nameLostRequests(deeds, store.requests(cohort.number));
  const seenTexts = stage.seenTexts.slice(firstSight).filter(isOfCohort);
  const violations = [
    ...judge(journal, cohort.number, deeds, from),
    ...leaksIn(stage, cohort, seenTexts),
    ...trespasses,
    ...tokens.violations,
    ...strangersTaken(stage, cohort),
    ...undone,
  ];
  return { violations, outcomes, wasKilled: journal.kills.length > killsBefore };
}

/** Users whom a batch takes for those that it created, or was to change, and who are neither. */
function strangersTaken({ store, journal }: Stage, { number, users }: Cohort): Violation[] {
  const known = new Set(Object.values(users));
  for (const { table, before, after } of journal.changes(number))
    if (table === 'users' && before === null) known.add(String(after?.['user_id']));
  return store
    .usersOfBatches(number)
    .filter((id) => !known.has(id))
    .map((id) => ({ rule: 'stranger', message: `a batch did something to the user ${id}, whom it did not create` }));
}

/** Waits for the answers of the bot: a change that is made later would be judged as a part of another sequence. */
async function awaitAnswers(deeds: readonly Deed[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < lateMs && deeds.some(({ end }) => end === Infinity); waitedMs += pollMs)
    await delay(pollMs);
}

/** Waits until no batch or step of the cohort runs: what one changes later would be judged as a part of another sequence. */
async function awaitRest({ store, up }: Stage, { number }: Cohort): Promise<void> {
  for (let waitedMs = 0; waitedMs < busyMs; waitedMs += pollMs) {
    await up();
    if (!store.isBusy(number)) return;
    await delay(pollMs);
  }
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
