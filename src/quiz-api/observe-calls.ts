import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { currentWork } from '../observability/work.ts';
import { ConnectionError, NotJsonError, ServiceError, TimeoutError } from './errors.ts';
import type { ObservedCall } from './transport.ts';

/** Records each call of the quiz service in the log, the metrics and the trace of the work it was made for. */
export function createObserveCall(deps: { metrics: Metrics; tracing: Tracing; log: Log }): (call: ObservedCall) => void {
  const { metrics, tracing, log } = deps;

  return (call) => {
    const { operation, method, status, failure, durationMs } = call;
    const hasFailed = failure !== undefined;
    metrics.quizCalls.observe({ operation, status }, durationMs / 1000);
    if (tracing.isOn) {
      const attributes = { 'http.request.method': method, 'http.response.status_code': status };
      const startedAt = Date.now() - durationMs;
      tracing.open({ name: `quiz ${operation}`, kind: 'client', attributes, startedAt, parent: currentWork()?.span })?.end(failure);
    }
    log[hasFailed ? 'warn' : 'debug']({ ...call }, hasFailed ? 'the quiz service did not do what it was asked' : 'called the quiz service');
  };
}

/** Failures that mean that the service did not answer, or that something else answered for it. */
const outages = new Set([ConnectionError, NotJsonError, ServiceError, TimeoutError].map(({ name }) => name));

/** Knows from the latest call whether the service answers. */
export function createServiceHealth() {
  let isWell: boolean | undefined;
  return {
    observe({ failure }: Pick<ObservedCall, 'failure'>): void {
      isWell = failure === undefined || !outages.has(failure);
    },
    /** Undefined before the first call. */
    isWell: () => isWell,
  };
}
