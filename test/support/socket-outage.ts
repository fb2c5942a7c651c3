import { noProxies } from './closed-network.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import { createReadBody } from '../../src/http/bodies.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { people } from '../../src/sandbox/workspace/people.ts';
import { startWorkspace, type Workspace } from '../../src/sandbox/workspace/workspace.ts';
import { createSlackAdapter } from '../../src/slack/connection/entry.ts';
import { inEnglishOnly } from '../../src/slack/connection/outgoing.ts';
import { createSlackConnection } from '../../src/slack/connection/client.ts';
import { createInFlight } from '../../src/time/timers.ts';
import type { Arrival } from '../../src/slack/in/deliver.ts';
import { readDelivery } from '../../src/slack/in/delivery.ts';
import { systemClock } from '../../src/time/clock.ts';
import { recordingLog } from './log.ts';
import { simulateTime, type SimulatedTime } from './simulated-time.ts';

/** Socket Mode of the bot, with one command, against a sandbox workspace. */
export interface SocketBed {
  workspace: Workspace;
  adapter: ReturnType<typeof createSlackAdapter>;
  /** What answers commands, by their name. */
  taken: Record<string, (ack: Arrival['ack']) => Promise<void>>;
  time: SimulatedTime;
  /** The log lines of the bot from `info` on. */
  lines: () => string[];
  metrics: () => Promise<string>;
  /** Types a command. @returns whether the bot answers it */
  isAnswered(): Promise<boolean>;
  close(): Promise<void>;
}

export async function openSocketBed(): Promise<SocketBed> {
  const time = simulateTime();
  const clock = { ...systemClock, now: time.now };
  const [botToken, appToken, signingSecret] = ['xoxb-outage', 'xapp-outage', 'signing-outage'];
  const workspace = await startWorkspace({ manifestPath: 'manifest.yml', botToken, appToken, signingSecret });
  const { log, lines } = recordingLog();
  const metrics = createMetrics();
  const connection = createSlackConnection({
    botToken,
    apiUrl: workspace.apiUrl,
    proxies: noProxies,
    names: standardNames,
    ...inEnglishOnly,
    log,
    metrics,
    clock,
  });
  const taken: SocketBed['taken'] = { '/quiz': async (ack) => ack('here') };
  const unacknowledged = createInFlight();
  const adapter = createSlackAdapter({
    signingSecret: undefined,
    appToken,
    apiUrl: workspace.apiUrl,
    deliver: async ({ body, ack }) => {
      const { name } = readDelivery(body);
      await unacknowledged.track(taken[name]?.(ack) ?? Promise.resolve());
    },
    unacknowledged,
    logger: connection.logger,
    socketMode: connection.socketMode,
    log,
    clock,
    readBody: createReadBody({ eachBytes: 1_000, allBytes: 1_000 }),
    isFull: () => false,
    onRefused: (why) => log.warn({ why }),
  });

  return {
    workspace,
    adapter,
    taken,
    time,
    lines: () => lines.filter((line) => !/"level":"(?:debug|trace)"/.test(line)),
    metrics: () => metrics.registry.metrics(),
    async isAnswered() {
      const outcome = workspace.as(people.ada.id).command('/quiz list');
      let answer: Awaited<typeof outcome> | undefined;
      void outcome.then((settled) => (answer = settled));
      // Slack gives up after 3 s.
      await time.passUntil(() => answer !== undefined, 4_000);
      return answer !== undefined && answer.error === undefined;
    },
    async close() {
      const stopped = adapter.disconnect();
      let isStopped = false;
      void stopped.then(() => (isStopped = true));
      await time.passUntil(() => isStopped, 20_000);
      time.end();
      await workspace.close();
    },
  };
}

/** What can happen to a connection. */
export interface OutageKind {
  name: string;
  /** @returns a function that ends the outage */
  begin(workspace: Workspace): () => void;
}

type Injected = Parameters<Workspace['faults']['inject']>[0];

/** The connection breaks, and `apps.connections.open` does not give the address of another. */
function refusing(name: string, fault: Injected): OutageKind {
  return {
    name,
    begin({ faults }) {
      const end = faults.inject(fault, { method: 'apps.connections.open' });
      faults.dropSockets();
      return end;
    },
  };
}

function faulty(
  name: string,
  fault: Parameters<Workspace['faults']['setSocketFault']>[0],
  { drops = false } = {},
): OutageKind {
  return {
    name,
    begin({ faults }) {
      faults.setSocketFault(fault);
      if (drops) faults.dropSockets();
      return () => faults.setSocketFault(undefined);
    },
  };
}

export const retryAfterS = 20;

export const outageKinds: readonly OutageKind[] = [
  refusing('Slack unreachable', { kind: 'lost-request' }),
  refusing('500', { kind: 'http-error', status: 500 }),
  refusing('503', { kind: 'http-error', status: 503 }),
  refusing(`429 with Retry-After: ${retryAfterS}`, { kind: 'rate-limited', retryAfterS }),
  faulty('no hello', 'no-hello', { drops: true }),
  faulty('pings not answered', 'silent'),
  faulty('sockets dropped', 'dropped'),
];

export const outageDurations = [
  { name: '12 s', ms: 12_000 },
  { name: '2 min', ms: 120_000 },
  { name: '15 min', ms: 900_000 },
];

/** Runs an outage of an open connection. @returns how long after its end the bot answers a command, in milliseconds */
export async function measureOutage(bed: SocketBed, kind: OutageKind, durationMs: number): Promise<number> {
  const end = kind.begin(bed.workspace);
  await bed.time.pass(durationMs);
  end();
  const begin = bed.time.now();
  for (;;) {
    await bed.time.passUntil(() => bed.workspace.sockets > 0, 300_000);
    const connectedAt = bed.time.now();
    if (await bed.isAnswered()) return connectedAt - begin;
    if (bed.time.now() - begin > 300_000) throw new Error(`no answer within 5 minutes after the outage “${kind.name}”`);
  }
}
