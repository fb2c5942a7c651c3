import { ConnectionError, NotJsonError, ServiceError, TimeoutError } from './errors.ts';
import type { ObservedCall } from './transport.ts';

/** The service did not answer, or something else answered in its place. */
const troubles = new Set([ConnectionError, NotJsonError, ServiceError, TimeoutError].map(({ name }) => name));

/** Whether the service answered when it was last asked. */
export function createServiceHealth() {
  let isWell: boolean | undefined;
  return {
    observe({ failure }: Pick<ObservedCall, 'failure'>): void {
      isWell = failure === undefined || !troubles.has(failure);
    },
    /** Undefined before the first call. */
    isWell: () => isWell,
  };
}
