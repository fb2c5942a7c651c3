import { version, type ProcessConfig } from '../config.ts';
import { createHttpServer, onlyGet, type RouteOf } from '../http/server.ts';
import { standardTimeouts } from '../limits.ts';
import { createEventLoopWatch, createHealthRoute } from '../observability/liveness.ts';
import type { Log } from '../observability/log.ts';
import { createProcessMetrics } from '../observability/metrics.ts';
import { createMetricsRoute, type Scrape } from '../observability/scrape.ts';
import { systemClock, type Clock } from '../time/clock.ts';
import { createCatalogues } from '../words/catalogues.ts';

export interface InvigilatorApp {
  /** Resolves when the process takes requests. @returns the port it listens on */
  start(): Promise<number>;
  /** Accepts nothing new, and finishes what it accepted, within 10 s. */
  stop(): Promise<void>;
}

/** `requests`: none is being answered any more. `deadline`: stopping may take no longer. */
export interface EndOfBots {
  requests: Promise<void>;
  deadline: Promise<void>;
}

export interface ProcessOptions {
  config: ProcessConfig;
  log: Log;
  /** Default: the system’s. */
  clock?: Clock;
  timeouts?: Partial<typeof standardTimeouts>;
}

/** What the bots of a process share. None of it knows any of them. */
export type ProcessParts = ReturnType<typeof createProcessParts>;

export function createProcessParts(options: ProcessOptions) {
  const { config, log, clock = systemClock } = options;
  const timeouts = { ...standardTimeouts, ...options.timeouts };
  return { config, log, clock, timeouts, metrics: createProcessMetrics(version), catalogues: createCatalogues() };
}

/**
 * The one server of a process: serves the routes of bots, and says how the process itself is.
 *
 * @param deps.routeOf finds what answers a path, now
 * @param deps.scrapes of the bots that run
 */
export function createProcessServer(
  { config, log, clock, timeouts, metrics }: ProcessParts,
  deps: { routeOf: RouteOf; scrapes: () => readonly Scrape[] },
) {
  let isStopping = false;
  const eventLoop = createEventLoopWatch({ onHeldUp: (ms) => metrics.heldUpSeconds.inc(ms / 1000) });
  const liveness = createHealthRoute({ eventLoop, isStopping: () => isStopping, now: clock.now });
  const ofProcess: Scrape = () => metrics.registry.metrics();
  const ownRoutes = new Map([
    ['/healthz', onlyGet(liveness.handle)],
    ['/metrics', onlyGet(createMetricsRoute(() => [ofProcess, ...deps.scrapes()]))],
  ]);
  const server = createHttpServer((path) => ownRoutes.get(path) ?? deps.routeOf(path), log);

  return {
    /** @returns the port */
    async listen(): Promise<number> {
      eventLoop.start();
      return server.listen(config.http.port, config.http.host);
    },
    /**
     * Accepts nothing new.
     *
     * @param stopBots stops what answers requests, which end when the promise does that it is given
     */
    async stop(stopBots: (end: EndOfBots) => Promise<void>): Promise<void> {
      isStopping = true;
      eventLoop.stop();
      const close = async () => {
        if (liveness.isWatched()) await clock.sleep(timeouts.leave);
        await server.close();
      };
      await stopBots({ requests: close(), deadline: clock.sleep(timeouts.stop) });
    },
  };
}
