import { setTimeout as delay } from 'node:timers/promises';
import { handleOfSlackId, type Cohort } from './cohort.ts';
import { compareWithTwin, ghostlyTwin, strayTexts } from './crossings.ts';
import { nameLostRequests } from './deeds.ts';
import { deliver, isGranted, kindOfAnswer, requestIn } from './deliver.ts';
import { judge, type Deed, type Violation } from './judge.ts';
import { leaksIn } from './leaks.ts';
import { latestThing, thingOf, thingsIn, trespassIn } from './made-things.ts';
import { isStart } from './matches.ts';
import { reads } from './operations.ts';
import { createSending, type Sent, type Shown } from './sending.ts';
import { wrongAnswers } from './senders.ts';
import type { KeptBack } from './service-calls.ts';
import { awaitAnswers, awaitRest, decisionsLeftUndone, isChangeKept, strangersTaken } from './settling.ts';
import type { SeenText } from './slack.ts';
import type { Stage } from './stage.ts';
import { leaps, type DeliveredStep, type Step, type Turn } from './steps.ts';
import { watchTokens } from './token-watch.ts';
import { makeNamesake, makeTurn } from './turns.ts';

/** Runs the steps of a sequence in one tenant, and judges what came of them there. */
interface Side {
  shown: Shown;
  /** @param index in the sequence */
  run(step: Exclude<Step, { do: 'elsewhere' }>, index: number): Promise<void>;
  /** Waits until all is over. */
  settle(): Promise<void>;
  judge(): Promise<Violation[]>;
}

/** For what goes on after an answer: the news of a request, for example. */
const settleMs = 40;

export function createSide(
  stage: Stage,
  cohort: Cohort,
  deps: {
    nextNumber: () => number;
    /** Counts what came of a step. */
    count: (outcome: string) => void;
    /** What the people of the other tenant were shown in this sequence, where there is one. */
    other: () => Shown | undefined;
  },
): Side {
  const { journal } = stage;
  const place = stage.placeOf(cohort);
  const { service, store } = place;
  const deeds = stage.deeds.get(cohort.number) ?? [];
  const from = journal.tick();
  const firstSight = stage.seenTexts.length;
  const sent = new Map<number, Sent>();
  const numbers = new Set<number>();
  /** What had no answer while one was kept back. */
  const heldUp: Deed[] = [];
  const requests: string[] = [];
  const found: Violation[] = [];
  const tokens = watchTokens(stage, cohort, sent);
  let endWave = () => {};
  let keptBack: KeptBack | undefined;
  /** Whether something was started, so that its batch or campaign shows itself soon. */
  let hasStarted = false;

  const isOfCohort = ({ reader }: SeenText) => handleOfSlackId(reader)?.cohort === cohort.number;
  const seenHere = () => stage.seenTexts.slice(firstSight).filter(isOfCohort);
  const things = () => thingsIn(seenHere());
  const shown: Shown = { cohort, requests, things, tokens: tokens.here, sent };
  const sending = createSending(stage, { own: shown, ...deps });

  const turn = (change: Turn | undefined) =>
    change && makeTurn(change, { cohort, journal, database: service.database });
  const look = () => journal.lookAtSubscriptions(cohort.number, store.subscriptions(cohort.number));

  /** The step with the ID of the plan, batch or campaign that it is about. */
  async function withThing(step: DeliveredStep): Promise<DeliveredStep> {
    if (!('latest' in step) || step.latest === undefined) return step;
    const kind = thingOf(step.operation);
    const isForeign = step.foreign?.includes('latest') === true;
    const there = (isForeign && deps.other()?.things) || things;
    const isAwaited = hasStarted && !isForeign && kind !== 'plan';
    const id = kind && (await latestThing(there, kind, { back: step.latest, isAwaited }));
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

  async function sendingOf(step: Parameters<Side['run']>[0]): Promise<Sent | undefined> {
    switch (step.do) {
      case 'repeat':
        return sending.repeated(step);
      case 'replay':
        return sending.replayed(step);
      case 'webhook':
        return sending.told(step);
      case 'kill':
        await stage.restart(() => turn(step.whileDown));
        return undefined;
      case 'turn':
        turn(step.turn);
        return undefined;
      case 'keep back':
        keptBack = stage.keepBack(cohort.number);
        return undefined;
      case 'await change':
        deps.count(`await change: ${await isChangeKept(keptBack, () => store.isBusy(cohort.number))}`);
        return undefined;
      case 'give back':
        keptBack?.giveBack();
        return undefined;
      case 'lose creation':
        stage.loseCreation(cohort.number, (fields) =>
          makeNamesake(fields.get('user_name') ?? '', { journal, database: service.database }),
        );
        return undefined;
      case 'leap':
        await stage.leap(leaps[step.long ?? 'a day']);
        return undefined;
      case 'wave':
        endWave = await stage.wave(step, cohort.tenant);
        return undefined;
      case 'await batches':
        await awaitRest(stage, cohort);
        return undefined;
      default:
        return sending.made(step);
    }
  }

  async function run(step: Parameters<Side['run']>[0], index: number): Promise<void> {
    const resolved = 'who' in step && step.do !== 'repeat' ? await withThing(step) : step;
    const one = await sendingOf(resolved);
    if (one === undefined) return;
    sent.set(index, one);
    numbers.add(one.number);
    const { payload, number, deed } = one;
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
      deliver(stage, payload, { place, number, deed, isHeldUp: keptBack?.isKeeping === true }),
      ...twins.map(async () => stage.deliver(payload)),
    ]);
    cancel?.();
    if (keptBack?.isKeeping && deed.end === Infinity) heldUp.push(deed);
    await stage.up();
    look();
    deed.isGranted = isGranted(text);
    hasStarted ||= deed.isGranted && (deed.kind === 'decide' || (deed.intent !== undefined && isStart(deed.intent)));
    if (deed.kind === 'do') noteRequest(text, [deed, ...twins], payload.kind === 'agent');
    notePlans(one);
    tokens.look();
    tokens.noteRevoked(one, text, twins.length > 0);
    found.push(
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
        leads: store.campaignLeads(cohort.number),
      }),
    );
    deps.count(
      `${step.do}${deed.proof === 'bad' ? ' without proof' : ''}${isCrossing(step) ? ' across' : ''}: ${kindOfAnswer(text)}`,
    );
    if (isComparable(step) && cohort.other) await compare(resolved, { one, text, other: cohort.other });
  }

  /** Has the same done with what does not exist, and compares the answers. */
  async function compare(
    step: Parameters<Side['run']>[0],
    { one, text, other }: { one: Sent; text: string; other: Cohort },
  ): Promise<void> {
    // A delivery cannot be told from another with the same number.
    const again = await sendingOf(step);
    const twin = again && ghostlyTwin(again, other);
    if (twin === undefined) return;
    numbers.add(twin.number);
    deeds.push(twin.deed);
    const captured = [...one.captured, ...twin.captured];
    found.push(...(await compareWithTwin(stage, twin, { cohort, text, deed: one.deed, captured })));
    look();
  }

  /** Remembers which request the deeds became: a step, perhaps with its twin. */
  function noteRequest(text: string, asking: readonly Deed[], isByAgent: boolean): void {
    const request = requestIn(text);
    if (request !== undefined) for (const deed of asking) deed.requestId = request;
    else if (text === '' || isByAgent) nameLostRequests(deeds, store.requests(cohort.number));
    const [{ requestId } = { requestId: undefined }] = asking;
    if (requestId !== undefined && !requests.includes(requestId)) requests.push(requestId);
  }

  return {
    shown,
    run,
    async settle() {
      keptBack?.giveBack();
      await awaitAnswers(heldUp);
      await delay(settleMs);
      await awaitRest(stage, cohort);
      endWave();
    },
    async judge() {
      for (const one of sent.values()) notePlans(one);
      tokens.look();
      const undone = await decisionsLeftUndone(stage, cohort);
      look();
      journal.lookAtCampaigns(cohort.number, store.campaignMembers(cohort.number));
      nameLostRequests(deeds, store.requests(cohort.number));
      return [
        ...judge(journal, cohort.number, deeds, from),
        ...leaksIn(stage, cohort, seenHere()),
        ...strayTexts(stage, cohort, { seenTexts: stage.seenTexts.slice(firstSight), numbers }),
        ...found,
        ...tokens.violations,
        ...strangersTaken(stage, cohort),
        ...undone,
      ];
    },
  };
}

/** Whether a step has something of the other tenant. */
function isCrossing(step: Step): boolean {
  const { foreign, door } = { foreign: undefined, door: undefined, ...step };
  return foreign !== undefined || door !== undefined || step.do === 'replay';
}

/** Whether a step asks for nothing that exists: with the handles of another workspace alone, a person does what they may. */
function isComparable(step: Step): boolean {
  return isCrossing(step) && !('foreign' in step && step.foreign?.every((part) => part === 'hooks' || part === 'team'));
}
