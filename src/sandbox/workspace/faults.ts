import type { Clock } from './clock.ts';

/** What can go wrong between bot and Slack, on demand. */
export type Fault =
  | { kind: 'latency'; ms: number }
  /** The connection is cut before the request is looked at. */
  | { kind: 'lost-request' }
  /** The request is carried out, then the connection is cut. */
  | { kind: 'lost-answer' }
  | { kind: 'rate-limited'; retryAfterS: number }
  | { kind: 'http-error'; status: number }
  | { kind: 'api-error'; error: string };

export interface FaultScope {
  /** A Web API method, or `response_url`; without it, every method. */
  method?: string;
  /** How many calls it befalls; without it, all until it is taken away. */
  times?: number;
  /** Which of those calls. */
  when?: (args: Record<string, unknown>) => boolean;
}

export interface Faults {
  /** Returns how to take the fault away. */
  inject(fault: Fault, scope?: FaultScope): () => void;
  /** Takes the fault, if any, that befalls this call. */
  take(method: string, args: Record<string, unknown>): Fault | undefined;
  /** How many calls are held back by latency now. */
  readonly delayed: number;
  delay(ms: number): Promise<void>;
}

export function createFaults(clock: Clock, changed: () => void): Faults {
  let delayed = 0;
  let injected: { fault: Fault; scope: FaultScope; left: number }[] = [];
  return {
    inject(fault, scope = {}) {
      const entry = { fault, scope, left: scope.times ?? Infinity };
      injected.push(entry);
      return () => {
        injected = injected.filter((other) => other !== entry);
      };
    },
    take(method, args) {
      const entry = injected.find(({ scope }) => (scope.method ?? method) === method && (scope.when?.(args) ?? true));
      if (entry === undefined) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) injected = injected.filter((other) => other !== entry);
      return entry.fault;
    },
    get delayed() {
      return delayed;
    },
    async delay(ms) {
      delayed += 1;
      changed();
      await new Promise<void>((resolve) => clock.after(ms, resolve));
      delayed -= 1;
    },
  };
}
