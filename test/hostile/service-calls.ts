import { cohortOfId, cohortOfName } from './cohort.ts';
import type { ChangingCall, Journal } from './journal.ts';
import type { ServiceCall } from '../judges/service-proxy.ts';

/** A password that the bot set, and the user it is for; the path of a new user names none. */
export interface SetPassword {
  password: string;
  userId: string | undefined;
}

/** An answer of the service that is kept back. */
export interface KeptBack {
  /** Whether there is one: the service has made the change. */
  readonly isKeeping: boolean;
  /** Gives the answer, or keeps none back any more. */
  giveBack(): void;
}

/** Notes the requests of the bot to the services of all tenants, and delays or loses some of them. */
export function watchServiceCalls(journal: Journal) {
  const passwords: SetPassword[] = [];
  const keeping = new Map<number, () => Promise<void>>();
  const losing = new Map<number, (fields: URLSearchParams) => void>();
  const calls = new WeakMap<ServiceCall, ChangingCall>();

  return {
    passwords,
    before(serviceCall: ServiceCall): void {
      const { method, path, body } = serviceCall;
      const cohort = method === 'GET' ? undefined : cohortOfCall(path, body);
      if (cohort !== undefined) {
        const call = { cohort, path, arrived: journal.tick(), answered: Infinity };
        journal.calls.push(call);
        calls.set(serviceCall, call);
      }
      const password = new URLSearchParams(body).get('password');
      const lose =
        cohort !== undefined && method === 'POST' && path.endsWith('/users') ? losing.get(cohort) : undefined;
      if (lose) {
        losing.delete(cohort!);
        lose(new URLSearchParams(body));
        throw new Error('the answer is lost');
      }
      if (password !== null) passwords.push({ password, userId: /\/users\/([^/]+)$/.exec(path)?.[1] });
    },
    async after(serviceCall: ServiceCall): Promise<void> {
      const call = calls.get(serviceCall);
      if (call === undefined) return;
      const keep = keeping.get(call.cohort);
      keeping.delete(call.cohort);
      await keep?.();
      call.answered = journal.tick();
    },
    /** Keeps back the answer to the next change of a cohort’s records. */
    keepBack(cohort: number): KeptBack {
      const given = Promise.withResolvers<void>();
      let isKeeping = false;
      const keep = () => {
        isKeeping = true;
        return given.promise;
      };
      keeping.set(cohort, keep);
      return {
        get isKeeping() {
          return isKeeping;
        },
        giveBack() {
          if (keeping.get(cohort) === keep) keeping.delete(cohort);
          isKeeping = false;
          given.resolve();
        },
      };
    },
    /**
     * Answers the next request that creates a user of the cohort with nothing: it does not reach the service, but `act` is called
     * with its fields.
     */
    loseCreation: (cohort: number, act: (fields: URLSearchParams) => void) => void losing.set(cohort, act),
  };
}

/** The cohort whose records a request changes: by an id in its path, or by the name of a new record. */
function cohortOfCall(path: string, body: string): number | undefined {
  const ids = path.split(/[/?]/).map(cohortOfId);
  return ids.find((cohort) => cohort !== undefined) ?? cohortOfName(decodeURIComponent(body));
}
