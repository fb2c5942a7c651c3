/** A line of the doctor about the operator’s setup. `fault`: someone must mend it; `unknown`: it cannot be checked, or need not be. */
export interface Diagnosis {
  state: 'right' | 'fault' | 'unknown';
  /** One line, with what to do. */
  text: string;
}

export const right = (text: string): Diagnosis => ({ state: 'right', text });
export const fault = (text: string): Diagnosis => ({ state: 'fault', text });
export const unknown = (text: string): Diagnosis => ({ state: 'unknown', text });

/** Signed requests and webhooks are refused at a difference of five minutes. */
const clockOffAtMostMs = 60_000;

/**
 * Compares the clock of this machine with the `Date` header of a response.
 * @param dateHeader as RFC 9110 defines it, exact to a second
 */
export function clockDiagnosis(whose: string, dateHeader: string | undefined, nowMs: number): Diagnosis {
  const offMs = nowMs - Date.parse(dateHeader ?? '');
  if (Number.isNaN(offMs)) return unknown(`${whose} does not say the time, so the clock was not compared`);
  const seconds = Math.round(Math.abs(offMs) / 1000);
  if (Math.abs(offMs) <= clockOffAtMostMs) return right(`the clock of this machine agrees with that of ${whose}`);
  return fault(
    `the clock of this machine is ${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} that of ${whose}: synchronize it with NTP`,
  );
}
