import type { KeptBack } from './place.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { handleOfSlackId, type Cohort, foreignTeam } from './cohort.ts';
import { compareWithTwin, ghostlyTwin, strayTexts } from './crossings.ts';
import { nameLostRequests, latestThing, thingOf, thingsIn, trespassIn } from './made-things.ts';
import { deliver, isGranted, kindOfAnswer, requestIn } from './deliver.ts';
import { judge, type Deed, type Violation } from './judge.ts';
import { leaksIn } from './leaks.ts';
import { isStart } from './matches.ts';
import { reads } from './operations.ts';
import { createSending, type Sent, type Shown } from './sending.ts';
import { watchTokens, wrongAnswers } from './senders.ts';
import type { SeenText } from './slack.ts';
import type { Stage } from './stage.ts';
import { leaps, type DeliveredStep, type Step, type Turn, stepText } from './steps.ts';
import { watchdogMs } from '../support/watchdog.ts';
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/sandbox/quiz-service/database.ts';
import { assign } from '../../src/sandbox/quiz-service/store/quizzes.ts';
import { addUser, blankUser } from '../../src/sandbox/quiz-service/store/users.ts';
import type { Journal } from './journal.ts';

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

function createSide(
  stage: Stage,
  cohort: Cohort,
  deps: {
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
  const sending = createSending(stage, { own: shown, other: deps.other });

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

/** After a kill, the bot carries out the decisions that it had taken as soon as it is up. */
const carriedOutMs = watchdogMs;
/** For the first change of a batch. */
const awaitMs = 1_500;
/** For the answers to changes that wait behind one that was kept back. */
const lateMs = 5_000;
/** A step of a workflow that the service failed runs again after a minute. */
const busyMs = watchdogMs;
const pollMs = 20;

/** Whether the answer to the next change is kept back, once the cohort’s batches and campaigns have begun or have nothing to do. */
async function isChangeKept(keptBack: KeptBack | undefined, isBusy: () => boolean): Promise<boolean> {
  if (keptBack === undefined) return false;
  let isIdle = false;
  for (let waitedMs = 0; waitedMs < awaitMs && !keptBack.isKeeping; waitedMs += pollMs) {
    const wasIdle = isIdle;
    isIdle = !isBusy();
    if (wasIdle && isIdle) break;
    await delay(pollMs);
  }
  return keptBack.isKeeping;
}

/** Waits for the answers of the bot: a change that is made later would be judged as a part of another sequence. */
async function awaitAnswers(deeds: readonly Deed[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < lateMs && deeds.some(({ end }) => end === Infinity); waitedMs += pollMs)
    await delay(pollMs);
}

/** Waits until no batch or step of the cohort runs: what one changes later would be judged as a part of another sequence. */
async function awaitRest({ placeOf, up }: Stage, cohort: Cohort): Promise<void> {
  for (let waitedMs = 0; waitedMs < busyMs; waitedMs += pollMs) {
    await up();
    if (!placeOf(cohort).store.isBusy(cohort.number)) return;
    await delay(pollMs);
  }
}

/**
 * Waits until the bot has carried out every decision of the cohort. The records of a cohort must not come back before: a bot
 * that was killed deletes what is there again.
 */
async function decisionsLeftUndone({ placeOf, up }: Stage, cohort: Cohort): Promise<Violation[]> {
  const { store } = placeOf(cohort);
  for (let waitedMs = 0; waitedMs < carriedOutMs; waitedMs += pollMs) {
    await up();
    if (!store.hasUndoneDecisions(cohort.number)) return [];
    await delay(pollMs);
  }
  return store
    .requests(cohort.number)
    .filter(({ state }) => state === 'decided')
    .map(({ id, operation }) => ({ rule: 'not carried out', message: `${operation}, ${id}` }));
}

/** Users whom a batch takes for those that it created, or was to change, and who are neither. */
function strangersTaken({ placeOf, journal }: Stage, cohort: Cohort): Violation[] {
  const known = new Set(Object.values(cohort.users));
  for (const { table, before, after } of journal.changes(cohort.number))
    if (table === 'users' && before === null) known.add(String(after?.['user_id']));
  return placeOf(cohort)
    .store.usersOfBatches(cohort.number)
    .filter((id) => !known.has(id))
    .map((id) => ({ rule: 'stranger', message: `a batch did something to the user ${id}, whom it did not create` }));
}

interface SequenceResult {
  violations: Violation[];
  /** The number of each outcome, by kind of step. */
  outcomes: Record<string, number>;
  /** Whether the bot was killed meanwhile, by this sequence or another. */
  wasKilled: boolean;
}

/** Runs the steps of a sequence in its cohort, and in that of the other tenant, and judges what came of them. */
export async function runSequence(stage: Stage, cohort: Cohort, steps: readonly Step[]): Promise<SequenceResult> {
  const killsBefore = stage.journal.kills.length;
  const outcomes: Record<string, number> = {};
  const count = (outcome: string) => (outcomes[outcome] = (outcomes[outcome] ?? 0) + 1);
  const own = createSide(stage, cohort, { count, other: () => other?.shown });
  const other = cohort.other && createSide(stage, cohort.other, { count, other: () => own.shown });

  for (const [index, step] of steps.entries()) {
    try {
      if (step.do !== 'elsewhere') await own.run(step, index);
      else if (step.step.do !== 'elsewhere') await other?.run(step.step, index);
    } catch (error) {
      throw new Error(`step ${index}, ${stepText(step)}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
  const sides = other ? [own, other] : [own];
  await Promise.all(sides.map((side) => side.settle()));
  const violations = await Promise.all(sides.map((side) => side.judge()));
  return { violations: violations.flat(), outcomes, wasKilled: stage.journal.kills.length > killsBefore };
}

/** Somebody creates a user in the service itself, who is not the one that the bot wants to create. */
function makeNamesake(userName: string, { journal, database }: { journal: Journal; database: Database }): void {
  journal.intervene(() =>
    addUser(
      database,
      {
        ...blankUser,
        user_id: randomUUID(),
        user_name: userName,
        first_name: 'Kim',
        last_name: 'March',
        organization: 'Elsewhere',
        user_type: 'trainer',
        manage_users: true,
        date_created: '2026-01-01 00:00:00',
      },
      null,
    ),
  );
}

/** Changes the account or the workspace without the bot. */
function makeTurn(
  turn: Turn,
  { cohort, journal, database }: { cohort: Cohort; journal: Journal; database: Database },
): void {
  if ('person' in turn) {
    const person = cohort.people[turn.person];
    if (person === undefined) return;
    const changes = {
      deactivate: { isDeleted: true },
      'make guest': { isGuest: true },
      'move away': { teamId: foreignTeam },
      unconfirm: { isConfirmed: false },
      restore: { isDeleted: false, isGuest: false },
    }[turn.turn];
    journal.setPerson(cohort, { ...person, ...changes });
    return;
  }
  const run = (sql: string, id: string | undefined) => journal.intervene(() => database.run(sql, { id: id ?? '' }));
  if ('quiz' in turn) {
    const quiz = cohort.quizzes[turn.quiz];
    if (turn.turn === 'rename quiz') run("UPDATE quizzes SET name = name || ' II' WHERE quiz_id = :id", quiz);
    else if (turn.turn === 'delete quiz') run('DELETE FROM quizzes WHERE quiz_id = :id', quiz);
    else if (turn.turn === 'close quiz') run("UPDATE quizzes SET status = 'closed' WHERE quiz_id = :id", quiz);
    else {
      run(
        `INSERT INTO responses (response_id, quiz_id, first_name, last_name, email_address, status, attempt, ip_address, publish_type)
         SELECT lower(hex(randomblob(16))), quiz_id, 'Late', 'Guest', '', 'submitted', 1, '', 'quiz_link' FROM quizzes WHERE quiz_id = :id`,
        quiz,
      );
    }
    return;
  }
  if (turn.turn === 'retrain') {
    journal.intervene(() => {
      const id = cohort.users[turn.user] ?? '';
      database.run('DELETE FROM trainer_quizzes WHERE user_id = :id', { id });
      database.run('DELETE FROM trainer_groups WHERE user_id = :id', { id });
      assign(database, 'trainer_quizzes', { user_id: id, quiz_id: cohort.quizzes['draft']! });
      assign(database, 'trainer_groups', { user_id: id, group_id: cohort.groups['b']! });
    });
    return;
  }
  const sql = {
    'make trainer': "UPDATE users SET user_type = 'trainer' WHERE user_id = :id",
    readdress: "UPDATE users SET email_address = 'moved.' || email_address WHERE user_id = :id",
    suspend: 'UPDATE users SET suspended = 1 WHERE user_id = :id',
    reinstate: 'UPDATE users SET suspended = 0 WHERE user_id = :id',
    demote:
      "UPDATE users SET user_type = 'respondent', manage_users = 0, manage_groups = 0, edit_quizzes = 0 WHERE user_id = :id",
    promote:
      "UPDATE users SET user_type = 'administrator', manage_users = 1, manage_groups = 1, edit_quizzes = 1 WHERE user_id = :id",
    unflag: 'UPDATE users SET manage_users = 0, manage_groups = 0, edit_quizzes = 0 WHERE user_id = :id',
    delete: 'DELETE FROM users WHERE user_id = :id',
    untrain: 'DELETE FROM trainer_groups WHERE user_id = :id',
    leave: 'DELETE FROM user_groups WHERE user_id = :id',
    rename: "UPDATE users SET first_name = first_name || ' II' WHERE user_id = :id",
  }[turn.turn];
  run(sql, cohort.users[turn.user]);
}
