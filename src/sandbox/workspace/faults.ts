import type { Clock } from './clock.ts';

/** A failure between the bot and Slack that a test can inject. */
export type Fault =
  | { kind: 'latency'; ms: number }
  /** Closes the connection before the request is processed. */
  | { kind: 'lost-request' }
  /** Processes the request, then closes the connection. */
  | { kind: 'lost-answer' }
  | { kind: 'rate-limited'; retryAfterS: number }
  | { kind: 'http-error'; status: number }
  | { kind: 'api-error'; error: string };

/** What becomes of an event on its way to the bot. Slack has lost a day of them, and sent others a day late, or twice. */
export type EventFault = { kind: 'lost' } | { kind: 'late'; ms: number } | { kind: 'twice' };

export interface FaultScope {
  /** A Web API method, `response_url` or `upload`. Default: every method. */
  method?: string;
  /** How many calls fail. Default: all, until the fault is removed. */
  times?: number;
  /** Selects calls by their arguments. */
  when?: (args: Record<string, unknown>) => boolean;
}

export type Faults = ReturnType<typeof createFaults>;

/** @param changed is called when a latency starts to delay a call */
export function createFaults(clock: Clock, changed: () => void) {
  let delayed = 0;
  let events: { fault: EventFault; types: readonly string[] | undefined } | undefined;
  let injected: { fault: Fault; scope: FaultScope; left: number }[] = [];
  return {
    /** @returns a function that removes the fault */
    inject(fault: Fault, scope: FaultScope = {}): () => void {
      const entry = { fault, scope, left: scope.times ?? Infinity };
      injected.push(entry);
      return () => {
        injected = injected.filter((other) => other !== entry);
      };
    },
    /** Consumes the fault, if any, that applies to this call. */
    take(method: string, args: Record<string, unknown>): Fault | undefined {
      const entry = injected.find(({ scope }) => (scope.method ?? method) === method && (scope.when?.(args) ?? true));
      if (entry === undefined) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) injected = injected.filter((other) => other !== entry);
      return entry.fault;
    },
    /** Events of these types, or all of them, are lost or late until this is called with undefined. */
    setEventFault(fault: EventFault | undefined, types?: readonly string[]): void {
      events = fault && { fault, types };
    },
    eventFault: (type: string): EventFault | undefined =>
      events?.types?.includes(type) === false ? undefined : events?.fault,
    /** How many calls an injected latency is delaying now. */
    get delayed(): number {
      return delayed;
    },
    async delay(ms: number): Promise<void> {
      delayed += 1;
      changed();
      await new Promise<void>((resolve) => clock.after(ms, resolve));
      delayed -= 1;
    },
  };
}
