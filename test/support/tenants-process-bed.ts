import { join } from 'node:path';
import type { SandboxClock } from '../../src/sandbox/clock/sandbox-clock.ts';
import { startBalancer, type Balancer } from './balancer.ts';
import { createKillableBot } from './killable-bot.ts';
import { untilReady } from './kills/wait-meter.ts';
import { openRedis, type BotProcesses, type BotSurroundings } from './process-test-bed.ts';
import { openTenantWorld, type BedTenant, type TenantWorld } from './tenant-world.ts';

/** Processes that each run the bots of the same file of tenants, with a sandbox workspace and account for each tenant. */
export interface TenantsProcessBed extends BotProcesses {
  world: TenantWorld;
  /** Where Slack and the accounts send to: the only process, or a balancer in front of several. */
  url: string;
  /** A tenant as the surroundings of a single bot. */
  surroundingsOf(tenant: BedTenant): BotSurroundings & BotProcesses;
}

interface TenantsProcessBedOptions {
  store: 'sqlite' | 'redis';
  /** The number of processes that share the store. More than one needs Redis. Default: 1. */
  instances?: number | undefined;
  names: readonly string[];
  clock: Pick<SandboxClock, 'now' | 'after' | 'nodeFlags' | 'lead'>;
  settings?: Record<string, unknown>;
  /** Called with each tenant before its bot reads anything. */
  onOpened?: (tenant: BedTenant) => void;
  /** Runs before the processes start, with the place of a tenant’s store. */
  beforeStart?: (
    tenant: BedTenant,
    store: { DATA_DIR: string; REDIS_URL: string | undefined; tenant: string },
  ) => Promise<void>;
}

export async function openTenantsProcessBed(options: TenantsProcessBedOptions): Promise<TenantsProcessBed> {
  const { store, instances = 1, names, clock, settings = {}, onOpened = () => {} } = options;
  const cleanups: (() => unknown)[] = [];
  let isKept = false;
  const close: BotProcesses['close'] = async ({ keepFolder = false } = {}) => {
    isKept = keepFolder;
    for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
  };
  const tenantOptions = {
    workspace: { clock },
    quizService: {
      ratePerMinute: 100_000,
      ratePerHour: 1_000_000,
      now: clock.now,
      startTimer: (wake: () => void, delayMs: number) => clock.after(delayMs, wake),
    },
    settings,
  };
  try {
    const world = await openTenantWorld(
      { names, optionsOf: () => tenantOptions, onOpened, keepsFolder: () => isKept },
      (cleanUp) => cleanups.push(cleanUp),
    );
    const { dataDir, path, secrets, tenants } = world;
    const folder = join(dataDir, '..');
    const redis = store === 'redis' ? await openRedis(folder) : undefined;
    if (redis) cleanups.push(() => redis.stop());
    for (const tenant of tenants.values()) {
      const place = { DATA_DIR: join(dataDir, 'tenants', tenant.name), REDIS_URL: redis?.url, tenant: tenant.name };
      await options.beforeStart?.(tenant, place);
    }
    const bots = await Promise.all(
      Array.from({ length: instances }, (_, index) =>
        createKillableBot({
          // Each process has a folder of its own, as on machines of their own.
          env: {
            ...secrets,
            TENANTS_FILE: path,
            DATA_DIR: index === 0 ? dataDir : join(folder, `data-${index + 1}`),
            ...(redis && { REDIS_URL: redis.url }),
          },
          logFile: join(folder, `bot-${index + 1}.log`),
          clock,
        }),
      ),
    );
    cleanups.push(() => Promise.all(bots.map((bot) => bot.kill())));
    await Promise.all(bots.map((bot) => bot.start()));
    const balancer: Balancer | undefined = instances > 1 ? await startBalancer(bots.map(({ url }) => url)) : undefined;
    if (balancer) cleanups.push(() => balancer.close());
    const url = balancer?.url ?? bots[0]!.url;
    world.connect(url);
    await Promise.all(bots.map(untilReady));
    const processes: BotProcesses = { bots, redis, folder, close };
    return {
      ...processes,
      world,
      url,
      surroundingsOf: ({ name, workspace, quizService }) => ({
        ...processes,
        workspace,
        quizService,
        webhook: { path: `/webhooks/quiz/${name}`, secret: secrets[`${name.toUpperCase()}_HOOK`]! },
      }),
    };
  } catch (error) {
    await close({ keepFolder: true });
    throw error;
  }
}
