import type { Database } from '../database.ts';

interface LoggedRequest {
  /** In the format of `formatDate`. */
  date: string;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
}

const keptRequests = 1000;
const flushAfterMs = 250;

/** The log of requests with a valid key. Keeps the last 1000 (specification, sections 1 and 8). */
export interface RequestLog {
  /**
   * Call it when a request arrives.
   * @returns a function that records the request, unless the log was cleared meanwhile
   */
  begin: () => (request: LoggedRequest) => void;
  /** Newest first. */
  list: () => LoggedRequest[];
  clear: () => void;
  /** Writes what is left. A request that ends later is not recorded: the database is closed. */
  close: () => void;
}

/** Writes in batches: one disk sync per call would slow down every response. */
export function createRequestLog(database: Database): RequestLog {
  let pending: LoggedRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let clearings = 0;
  let isClosed = false;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return;
    const batch = pending.slice(-keptRequests);
    pending = [];
    database.transaction(() => {
      for (const { date, method, path, status, duration_ms } of batch) {
        database.run('INSERT INTO requests (date, method, path, status, duration_ms) VALUES (?, ?, ?, ?, ?)', [
          date,
          method,
          path,
          status,
          duration_ms,
        ]);
      }
      database.run('DELETE FROM requests WHERE seq <= (SELECT max(seq) FROM requests) - ?', [keptRequests]);
    });
  }

  return {
    begin() {
      const clearingsBefore = clearings;
      return (request) => {
        if (isClosed || clearings > clearingsBefore) return;
        pending.push(request);
        timer ??= setTimeout(flush, flushAfterMs).unref();
      };
    },
    list() {
      flush();
      return database.all('SELECT date, method, path, status, duration_ms FROM requests ORDER BY seq DESC');
    },
    clear() {
      clearings += 1;
      pending = [];
      database.run('DELETE FROM requests');
    },
    close() {
      flush();
      isClosed = true;
    },
  };
}
