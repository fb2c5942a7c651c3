import { createRenderIn, type RenderIn } from '../words/catalogues.ts';
import type { Config } from '../config.ts';
import type { standardTimeouts } from '../limits.ts';
import { createMail, type Mail } from '../durable/mail.ts';
import { createOneAtATime, type OneAtATime } from '../storage/leases.ts';
import { createFailureLog } from '../observability/rare-log.ts';
import type { Log } from '../observability/log.ts';
import { createMetrics, type Metrics } from '../observability/metrics.ts';
import { campaignDivision } from '../features/campaigns/stored-campaign.ts';
import { answersDivision } from '../features/questions/answers.ts';
import { rememberStates, undivided } from '../durable/remembered-states.ts';
import { openStorage, type OpenedStorage } from '../storage/open-storage.ts';
import type { Clock } from '../time/clock.ts';
import { createInFlight, type InFlight } from '../time/timers.ts';
import { steadyClockOf, type SteadyClock } from '../time/steady-clock.ts';
import type { ProcessParts } from './process.ts';

/** What a bot is started with. */
export interface BotOptions {
  config: Config;
  log: Log;
  /** What its metrics carry. Default: its tenant, where it has one. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** Decides what is forgotten after hours or days. Default: the clock itself. */
  steady?: SteadyClock | undefined;
}

/** What every part stands on. */
export interface Foundation extends OpenedStorage {
  config: Config;
  log: Log;
  clock: Clock;
  steady: SteadyClock;
  timeouts: typeof standardTimeouts;
  metrics: Metrics;
  /** What puts work into mailboxes. */
  mail: Mail;
  oneAtATime: OneAtATime;
  /** Work that goes on after an answer, and that a stop waits for. */
  inFlight: InFlight;
  renderIn: RenderIn;
  /** Aborts when the bot begins to stop. */
  stopping: AbortController;
}

export async function createFoundation(
  { config, log, labels, steady: given }: BotOptions,
  { clock, timeouts, metrics, catalogues }: Pick<ProcessParts, 'clock' | 'timeouts' | 'metrics' | 'catalogues'>,
): Promise<Foundation> {
  const { tenant } = config;
  const own = labels ?? (tenant === undefined ? {} : { tenant });
  const steady = given ?? steadyClockOf(clock.now);
  const onError = createFailureLog(log, 'the store', clock.setTimer);
  const opened = await openStorage({ ...config, clock, steady, onError });
  const storage = {
    ...opened.storage,
    outbox: rememberStates(opened.storage.outbox, {
      answers: answersDivision,
      campaign: campaignDivision,
      campaigns: undivided,
      departures: undivided,
    }),
  };
  return {
    config,
    log,
    clock,
    steady,
    timeouts,
    metrics: createMetrics(own, Object.keys(own).length > 0 ? metrics.registry : undefined),
    redis: opened.redis,
    storage,
    mail: createMail({ ...storage, log }),
    oneAtATime: createOneAtATime({ ...storage, sleep: clock.sleep }),
    inFlight: createInFlight(),
    renderIn: createRenderIn(catalogues, config),
    stopping: new AbortController(),
  };
}
