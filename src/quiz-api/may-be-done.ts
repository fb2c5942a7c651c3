import { ConnectionError, InvalidResponseError, NotJsonError, ServiceError, TimeoutError } from './errors.ts';

/** Whether the service may have done what it was asked, although no answer says so. */
export function mayBeDone(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    error instanceof ServiceError ||
    error instanceof NotJsonError ||
    error instanceof InvalidResponseError
  );
}
