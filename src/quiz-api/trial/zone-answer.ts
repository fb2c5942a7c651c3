import type { TrialAnswer } from '../../domain/trial.ts';
import { wallClock } from '../../time/wall-clock.ts';
import { dateOf } from '../fields.ts';
import { datesIn, fitOf, offsetInWords, offsetOf } from './date-zone.ts';

/** A submission of the last minutes tells the zone. */
const freshMs = 10 * 60_000;

/** Says in which zone the dates of records are, as far as they tell. @param timeZone the configured one */
export function zoneAnswer(records: readonly unknown[], timeZone: string, nowMs: number): TrialAnswer {
  const { newest, offsets } = datesIn(records);
  const written = [...offsets]
    .toSorted(([, one], [, other]) => other - one)
    .map(([offset, count]) => `${offset} in ${count}`);
  const { state, found } = newestIn(newest, timeZone, nowMs);
  return {
    question: 'The zone of its dates',
    state,
    found: [...found, ...(written.length === 0 ? [] : [`Dates that name an offset: ${written.join(', ')}.`])],
    relies: 'Every date without an offset is read in QUIZ_TIME_ZONE: src/quiz-api/account-dates.ts.',
  };
}

/** What the newest date without an offset says. */
function newestIn(newest: string | undefined, timeZone: string, nowMs: number): Pick<TrialAnswer, 'state' | 'found'> {
  if (newest === undefined) return { state: 'open', found: ['No record has a date without an offset.'] };
  const offsetMs = offsetOf(newest, nowMs, freshMs);
  if (offsetMs !== undefined) {
    const fit = fitOf(timeZone, offsetMs, nowMs);
    const found = `${offsetInWords(offsetMs)}, if the newest date is of the last ten minutes.`;
    return { state: fit.fits ? 'expected' : 'other', found: [found, fit.text] };
  }
  if (dateOf(newest).getTime() > wallClock(timeZone).shownAt(nowMs) + freshMs)
    return { state: 'other', found: [`The newest date is in the future: QUIZ_TIME_ZONE=${timeZone} does not fit.`] };
  return {
    state: 'open',
    found: [
      'The newest date is not of the last minutes, so it does not tell. Submit a quiz, then run the doctor again at once; or give it a webhook with --webhook.',
    ],
  };
}
