import { say } from '../../../domain/said.ts';
import { dayInWords, momentInWords } from '../../../operations/dates/typed-time.ts';
import { wallClock } from '../../../time/wall-clock.ts';
import type { Forecast } from './forecast.ts';

type FirstMessages = Pick<
  Forecast,
  'firstMessagesAt' | 'firstMessagesUntil' | 'firstMessagesNow' | 'firstMessagesLocal' | 'clocksDiffer'
>;

/**
 * When the first messages go out, as words within a sentence (`domain/sentence.ts`): “tomorrow, 9:00 in each person’s time
 * zone”. Undefined where nobody gets one.
 *
 * @param setting.timeZone that of the reader, where their own clock can’t be shown
 */
export function firstMessagesWords(
  {
    firstMessagesAt: first,
    firstMessagesUntil: last,
    firstMessagesNow,
    firstMessagesLocal,
    clocksDiffer,
  }: FirstMessages,
  setting: { nowMs: number; timeZone: string },
): string | undefined {
  if (first === null) return undefined;
  if (firstMessagesNow && last === undefined) return say`now`;
  if (firstMessagesLocal !== undefined)
    return say`${localWords(firstMessagesLocal, setting)} in each person’s time zone`;
  if (last === undefined) return momentInWords(first, setting);
  if (!clocksDiffer)
    return firstMessagesNow
      ? say`from now to ${momentInWords(last, setting)}`
      : say`from ${momentInWords(first, setting)} to ${momentInWords(last, setting)}`;
  // Somebody’s morning is midnight on the clock of the reader.
  const to = dayInWords(last, setting);
  return firstMessagesNow
    ? say`from now to ${to}, in each person’s working hours`
    : say`from ${dayInWords(first, setting)} to ${to}, in each person’s working hours`;
}

/** @param local such as `2026-11-24T09:00` */
function localWords(local: string, setting: { nowMs: number; timeZone: string }): string {
  const [day = '', time = ''] = local.split('T');
  // Noon is on the same day for readers whose clock is a little off.
  const noon = wallClock(setting.timeZone).firstMomentOf(Date.parse(`${day}T12:00Z`));
  return `${dayInWords(noon, setting)}, ${time.replace(/^0/, '')}`;
}
