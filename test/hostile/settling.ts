import { setTimeout as delay } from 'node:timers/promises';
import type { Cohort } from './cohort.ts';
import type { Deed, Violation } from './judge.ts';
import type { KeptBack } from './service-calls.ts';
import type { Stage } from './stage.ts';
import { watchdogMs } from '../support/watchdog.ts';

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
export async function isChangeKept(keptBack: KeptBack | undefined, isBusy: () => boolean): Promise<boolean> {
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
export async function awaitAnswers(deeds: readonly Deed[]): Promise<void> {
  for (let waitedMs = 0; waitedMs < lateMs && deeds.some(({ end }) => end === Infinity); waitedMs += pollMs)
    await delay(pollMs);
}

/** Waits until no batch or step of the cohort runs: what one changes later would be judged as a part of another sequence. */
export async function awaitRest({ placeOf, up }: Stage, cohort: Cohort): Promise<void> {
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
export async function decisionsLeftUndone({ placeOf, up }: Stage, cohort: Cohort): Promise<Violation[]> {
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
export function strangersTaken({ placeOf, journal }: Stage, cohort: Cohort): Violation[] {
  const known = new Set(Object.values(cohort.users));
  for (const { table, before, after } of journal.changes(cohort.number))
    if (table === 'users' && before === null) known.add(String(after?.['user_id']));
  return placeOf(cohort)
    .store.usersOfBatches(cohort.number)
    .filter((id) => !known.has(id))
    .map((id) => ({ rule: 'stranger', message: `a batch did something to the user ${id}, whom it did not create` }));
}
