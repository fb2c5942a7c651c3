import { InvigilatorError } from '../domain/errors.ts';
import {
  publicCodeOf,
  type Check,
  type CheckMeaning,
  type CheckResult,
  type Finding,
  fault,
  right,
  unknown,
  type Diagnosis,
} from '../domain/finding.ts';
import { TimedOutError, withTimeout } from '../time/clock.ts';
import { Gauge, type Registry } from 'prom-client';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sourceUpIn } from '../observability/scrape.ts';
import type { Log } from '../observability/log.ts';
import type { OneAtATime } from '../storage/leases.ts';
import type { Storage } from '../storage/records.ts';
import { createRepeating, type Repeating } from '../time/timers.ts';

export type Health = ReturnType<typeof createHealth>;

/**
 * Asks the checks of a program. Never rejects, and answers within about the time-out, even while a check hangs.
 *
 * @param options.onFound called once for each occurrence, however often it is asked for
 */
export function createHealth(options: {
  checks: readonly Check[];
  timeoutMs: number;
  now: () => number;
  onFound?: (check: CheckMeaning, finding: Finding) => void;
}) {
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
    /** @param select default: all checks */
    look: async (select: (check: CheckMeaning) => boolean = () => true): Promise<CheckResult[]> =>
      Promise.all(checks.filter((check) => select(check)).map(lookAt)),
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

/** Registers a gauge for each check. @returns looks, and sets them */
export function createHealthGauges(registry: Registry, health: Health): () => Promise<void> {
  const registers = [registry];
  const gauges = new Map(health.checks.map(({ name, gauge }) => [name, new Gauge({ ...gauge, registers })]));
  const sourceUp = sourceUpIn(registry);
  const findings = new Gauge({
    name: 'invigilator_finding',
    help: 'What is not as it should be, by the name and the code in /readyz: 1 while it is so',
    labelNames: ['check', 'code'],
    registers,
  });

  return async () => {
    const results = await health.look();
    findings.reset();
    for (const { check, finding } of results) {
      const isKnown = finding?.effect !== 'unknown';
      sourceUp.set({ source: check.name }, isKnown ? 1 : 0);
      if (finding && isKnown) findings.set({ check: check.name, code: finding.code }, 1);
      // 0 would not be the same as unknown.
      if (isKnown) gauges.get(check.name)?.set(finding ? 0 : 1);
      else gauges.get(check.name)?.remove();
    }
  };
}

/**
 * `GET /readyz`: 200 when no finding stops the bot and it is not stopping, otherwise 503. The JSON has each check with `ok` or its
 * problem.
 */
export function createReadinessRoute({
  health,
  isStopping = () => false,
}: {
  health: Health;
  isStopping?: () => boolean;
}) {
  return async (_request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const results = await health.look();
    const isReady = !isStopping() && results.every(({ finding }) => finding?.effect !== 'stops');
    const body = {
      ready: isReady,
      ...(isStopping() && { bot: 'is shutting down' }),
      ...Object.fromEntries(
        results.map(({ check, finding }) => [check.name, finding ? problemWithCode(finding) : 'ok']),
      ),
    };
    response
      .writeHead(isReady ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(`${JSON.stringify(body)}\n`);
  };
}

/** The line of the doctor about a check. */
export function diagnosisOf({ check, finding }: CheckResult): Diagnosis {
  if (finding === undefined) return right(check.well);
  return finding.effect === 'unknown' ? unknown(finding.forOperator) : fault(finding.forOperator);
}

const everyMs = 30_000;
const toldForMs = 30 * 24 * 3_600_000;

/** Notifies administrators once of each occurrence, on all instances together and over restarts. */
export function createNotifyOnce(deps: {
  storage: Pick<Storage, 'kv'>;
  oneAtATime: Pick<OneAtATime, 'unlessBusy'>;
  tellAdministrators: (finding: Finding) => Promise<void>;
}): (finding: Finding) => Promise<void> {
  const told = deps.storage.kv<true>('store-notices');
  const toldHere = new Set<string>();

  return async (finding) => {
    const { occurrence } = finding;
    if (occurrence === undefined || toldHere.has(occurrence)) return;
    const { isBusy } = await deps.oneAtATime.unlessBusy('store-notice', async () => {
      if (await told.get(occurrence)) return;
      await deps.tellAdministrators(finding);
      await told.set(occurrence, true, toldForMs);
    });
    if (!isBusy) toldHere.add(occurrence);
  };
}

/** Looks by itself at what nobody would notice by using it, and tells administrators what is urgent. */
export function createHealthWatch(deps: {
  health: Health;
  notifyOnce: ReturnType<typeof createNotifyOnce>;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  log: Log;
}): Repeating {
  const { log } = deps;

  return createRepeating({
    async work() {
      const results = await deps.health.look(({ isWatched = false }) => isWatched);
      for (const { finding } of results) if (finding?.isUrgent) await deps.notifyOnce(finding);
    },
    everyMs,
    sleep: deps.sleep,
    onError: (error) => log.debug({ error }, 'administrators are notified later'),
  });
}
