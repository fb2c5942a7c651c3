/** What a check of the operator’s setup found. `fault`: someone must mend it; `unknown`: it cannot be checked, or need not be. */
export interface Finding {
  state: 'right' | 'fault' | 'unknown';
  /** One line, with what to do. */
  text: string;
}

export const right = (text: string): Finding => ({ state: 'right', text });
export const fault = (text: string): Finding => ({ state: 'fault', text });
export const unknown = (text: string): Finding => ({ state: 'unknown', text });

/** Signed requests and webhooks are refused at a difference of five minutes. */
const clockOffAtMostMs = 60_000;

/**
 * Compares the clock of this machine with the `Date` header of a response.
 * @param dateHeader as RFC 9110 defines it, exact to a second
 */
export function clockFinding(whose: string, dateHeader: string | undefined, nowMs: number): Finding {
  const offMs = nowMs - Date.parse(dateHeader ?? '');
  if (Number.isNaN(offMs)) return unknown(`${whose} does not say the time, so the clock was not compared`);
  const seconds = Math.round(Math.abs(offMs) / 1000);
  if (Math.abs(offMs) <= clockOffAtMostMs) return right(`the clock of this machine agrees with that of ${whose}`);
  return fault(
    `the clock of this machine is ${seconds} s ${offMs > 0 ? 'ahead of' : 'behind'} that of ${whose}: synchronize it with NTP`,
  );
}
