import { InvigilatorError } from '../domain/errors.ts';
import { publicCodeOf, type Check, type CheckMeaning, type CheckResult, type Finding } from '../domain/finding.ts';
import { TimedOutError, withTimeout } from '../time/clock.ts';

/** Asks the checks of a program. Never rejects, and answers within about the time-out, even while a check hangs. */
export interface Health {
  checks: readonly CheckMeaning[];
  /** @param select default: all checks */
  look(select?: (check: CheckMeaning) => boolean): Promise<CheckResult[]>;
}

/**
 * @param options.onFound called once for each occurrence, however often it is asked for
 */
export function createHealth(options: {
  checks: readonly Check[];
  timeoutMs: number;
  now: () => number;
  onFound?: (check: CheckMeaning, finding: Finding) => void;
}): Health {
  const { checks, timeoutMs, now, onFound = () => {} } = options;
  const inFlight = new Map<string, Promise<Finding | undefined>>();
  const wellAt = new Map<string, number>();
  const occurrences = new Map<string, string>();

  /** Questions that come while a check hangs share its answer, so that they do not pile up. */
  function ask(check: Check): Promise<Finding | undefined> {
    const known = inFlight.get(check.name);
    if (known) return known;
    const asked = lookSafely(check).finally(() => inFlight.delete(check.name));
    inFlight.set(check.name, asked);
    return asked;
  }

  async function lookAt(check: Check): Promise<CheckResult> {
    const { name } = check;
    const found = await withTimeout(timeoutMs, ask(check)).catch((error: unknown) => unclearFinding(check, error));
    if (found === undefined) wellAt.set(name, now());
    const finding = found && { ...found, since: found.since ?? wellAt.get(name) };
    if (finding?.occurrence !== undefined && occurrences.get(name) !== finding.occurrence) {
      occurrences.set(name, finding.occurrence);
      onFound(check, finding);
    }
    return { check, finding };
  }

  return {
    checks,
    look: async (select = () => true) => Promise.all(checks.filter((check) => select(check)).map(lookAt)),
  };
}

/** A check may throw before it gives a promise. */
async function lookSafely(check: Check): Promise<Finding | undefined> {
  return check.look();
}

/** What it means that a check threw this error, or hung. */
function unclearFinding({ unclear }: CheckMeaning, error: unknown): Finding {
  const { remedy, ...meaning } = unclear;
  const code = publicCodeOf(error);
  const saysWhatToDo =
    error instanceof InvigilatorError && !(error instanceof TimedOutError) && meaning.effect !== 'unknown';
  return {
    code,
    ...meaning,
    forOperator: saysWhatToDo ? error.message : `${problemWithCode({ code, problem: meaning.problem })}: ${remedy}`,
  };
}

/** The problem and its code, as anyone may read it. */
export function problemWithCode({ code, problem }: Pick<Finding, 'code' | 'problem'>): string {
  return `${problem} (${code === 'timed_out' ? 'it does not answer in time' : code})`;
}
