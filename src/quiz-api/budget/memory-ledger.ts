import { monotonicNow } from '../time.ts';
import type { Now } from '../time.ts';
import { defaultMarginMs } from './ledger.ts';
import type { Ledger, Place } from './ledger.ts';
import { insertSorted, longestMemory, nextPlaceAt, serviceWindows, timesOfOthers } from './rate-windows.ts';
import type { Priority, RateWindow, Reading } from './rate-windows.ts';

/** A ledger for one instance. */
export function createMemoryLedger(options: {
  windows?: readonly RateWindow[] | undefined;
  marginMs?: number | undefined;
  now?: Now | undefined;
  /** From 0 to 1. */
  random?: (() => number) | undefined;
} = {}): Ledger {
  const { windows = serviceWindows, marginMs = defaultMarginMs(windows), now = monotonicNow, random = Math.random } = options;
  const most = longestMemory(windows);
  const counted: number[] = [];
  let refusedUntil = 0;

  const read = (): Reading => ({ now: now(), counted, refusedUntil });
  const count = (at: number) => {
    insertSorted(counted, at);
    if (counted.length > most) counted.shift();
  };
  const forget = (at: number) => {
    const index = counted.lastIndexOf(at);
    if (index >= 0) counted.splice(index, 1);
  };
  const createPlace = (at: number): Place => ({
    answered: () => {
      const answeredAt = now();
      if (answeredAt >= at) return;
      forget(at);
      count(answeredAt);
    },
    cancel: () => forget(at),
  });
  const claimFor = (priority: Priority, wanted: number): Place[] => {
    const places: Place[] = [];
    while (places.length < wanted && nextPlaceAt(read(), windows, priority) <= now()) {
      const at = now() + marginMs;
      count(at);
      places.push(createPlace(at));
    }
    return places;
  };

  const askAgainInMs = (priority: Priority): number =>
    Math.max(0, nextPlaceAt(read(), windows, priority, marginMs) - now());

  return {
    windows,
    claim: (wanted) => {
      const person = claimFor('person', wanted.person);
      const isForPeople = person.length < wanted.person;
      const background = isForPeople ? [] : claimFor('background', wanted.background);
      const isAll = !isForPeople && background.length === wanted.background;
      return { granted: { person, background }, retryInMs: isAll ? 0 : askAgainInMs(isForPeople ? 'person' : 'background') };
    },
    refuse: (retryAfterMs) => {
      for (const at of timesOfOthers(read(), windows, retryAfterMs, random)) count(at);
      refusedUntil = Math.max(refusedUntil, now() + retryAfterMs);
    },
    read: () => ({ ...read(), counted: [...counted] }),
  };
}
