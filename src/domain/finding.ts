/**
 * What is not as it should be. Readiness, `/quiz-admin status`, the doctor, the notices to administrators, the log and the
 * metrics all show this value, each its part of it.
 */
export interface Finding {
  /** snake_case and stable: people search for it. */
  code: string;
  /** `stops`: the bot cannot work, and is not ready. `degrades`: it works, and a person has to act. `unknown`: it could not be looked at, or not yet. */
  effect: 'stops' | 'degrades' | 'unknown';
  /** What is wrong. Anyone can open `/readyz`, so it has no addresses, paths or names. */
  problem: string;
  /** One line for the operator: what is wrong, and what to do. */
  forOperator: string;
  /** Plain text, with commands in backticks. */
  forAdministrators: { headline: string; advice: string };
  /** When it was last known to be otherwise, in milliseconds since the epoch. */
  since?: number | undefined;
  /** The same for the same occurrence, on every instance and over restarts: it is logged once. Only of what lasts until a person acts. */
  occurrence?: string;
  /** Administrators get a direct message about it, once per occurrence. */
  isUrgent?: boolean;
}

/** What a check means, in every program that runs it. */
export interface CheckMeaning {
  /** In camelCase, as in `/readyz` and among the sources in the metrics. */
  name: string;
  /** Where the doctor shows it. */
  topic: string;
  /** What the doctor says where nothing is found. */
  well: string;
  /** 1 where nothing is found, 0 where something is; no value where it could not be looked at. */
  gauge: { name: string; help: string };
  /** What it means that the check throws or hangs. */
  unclear: Pick<Finding, 'effect' | 'problem' | 'forAdministrators'> & { remedy: string };
  /** The bot looks by itself every 30 seconds. Of the other checks, those who use what they look at notice and log it. */
  isWatched?: boolean;
}

export interface Check extends CheckMeaning {
  /** Undefined where all is well. */
  look(): Promise<Finding | undefined>;
}

export interface CheckResult {
  check: CheckMeaning;
  finding: Finding | undefined;
}

/** What a network can be set up wrongly with, by the name of the error, and what to do. */
export const networkRemedies = {
  CertificateError:
    'its certificate comes from an authority that is not known here, such as that of your company: set NODE_EXTRA_CA_CERTS to a file with the certificate of that authority',
  ProxyError:
    'the proxy lets nothing through: check HTTPS_PROXY, with the user and password that the proxy wants, and NO_PROXY',
} as const;

/** Which of them an error of a connection is, also where another one wraps it. */
export function networkErrorOf(error: unknown): keyof typeof networkRemedies | undefined {
  const { code, message, original, cause } = Object(error) as Record<string, unknown>;
  if (
    /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER).*)$/.test(String(code))
  )
    return 'CertificateError';
  if (String(code).startsWith('UND_ERR_PRX') || String(message).startsWith('Proxy response')) return 'ProxyError';
  const inner = original ?? cause;
  return inner === undefined ? undefined : networkErrorOf(inner);
}

/** The code of an error, not its message: messages may contain addresses. */
export function publicCodeOf(error: unknown): string {
  const { data, code, cause } = Object(error) as { data?: { error?: unknown }; code?: unknown; cause?: unknown };
  const known = [data?.error, Object(cause).code, code].find(
    (text) => typeof text === 'string' && /^[\w.-]{1,60}$/.test(text),
  );
  return typeof known === 'string' ? known : error instanceof Error ? error.name : 'unknown';
}

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
