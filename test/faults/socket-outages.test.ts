import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { metricIn } from '../support/measurements.ts';
import { noProxies } from '../support/closed-network.ts';
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
import { recordingLog } from '../support/log.ts';

const stepMs = 100;
/** Of a time of which only the end is measured. */
const longStepMs = 1_000;
const longMs = 120_000;
/** Turns of the event loop after each step. A request over loopback takes about five. */
const turnsPerStep = 12;

/** Time that moves only when the test lets it, for the global timers and `Date`: packages cannot take another clock. */
function simulateTime() {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    now: Date.UTC(2026, 0, 5),
  });

  /** Lets time pass until the condition holds. @returns for how long, in milliseconds; `atMostMs` if it never holds */
  async function passUntil(condition: () => boolean, atMostMs: number, eachMs = stepMs): Promise<number> {
    const begin = Date.now();
    const passed = () => Date.now() - begin;
    while (!condition() && passed() < atMostMs) {
      vi.advanceTimersByTime(Math.min(eachMs, atMostMs - passed()));
      for (let turn = 0; turn < turnsPerStep; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return passed();
  }

  return {
    now: () => Date.now(),
    /** Lets time pass in small steps, with what arrives over the network in between. */
    pass: async (ms: number) => void (await passUntil(() => false, ms, ms > longMs ? longStepMs : stepMs)),
    passUntil,
    /** Gives the process its own time back. */
    end: () => void vi.useRealTimers(),
  };
}

/** Socket Mode of the bot, with one command, against a sandbox workspace. */
interface SocketBed {
  workspace: Workspace;
  adapter: ReturnType<typeof createSlackAdapter>;
  /** What answers commands, by their name. */
  taken: Record<string, (ack: Arrival['ack']) => Promise<void>>;
  time: ReturnType<typeof simulateTime>;
  /** The log lines of the bot from `info` on. */
  lines: () => string[];
  metrics: () => Promise<string>;
  /** Types a command. @returns whether the bot answers it */
  isAnswered(): Promise<boolean>;
  close(): Promise<void>;
}

async function openSocketBed(): Promise<SocketBed> {
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
interface OutageKind {
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

const retryAfterS = 20;

const outageKinds: readonly OutageKind[] = [
  refusing('Slack unreachable', { kind: 'lost-request' }),
  refusing('500', { kind: 'http-error', status: 500 }),
  refusing('503', { kind: 'http-error', status: 503 }),
  refusing(`429 with Retry-After: ${retryAfterS}`, { kind: 'rate-limited', retryAfterS }),
  faulty('no hello', 'no-hello', { drops: true }),
  faulty('pings not answered', 'silent'),
  faulty('sockets dropped', 'dropped'),
];

const outageDurations = [
  { name: '12 s', ms: 12_000 },
  { name: '2 min', ms: 120_000 },
  { name: '15 min', ms: 900_000 },
];

/** Runs an outage of an open connection. @returns how long after its end the bot answers a command, in milliseconds */
async function measureOutage(bed: SocketBed, kind: OutageKind, durationMs: number): Promise<number> {
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

let bed: SocketBed;

beforeEach(async () => {
  bed = await openSocketBed();
});

afterEach(() => bed.close());

/** Lets time pass until the promise resolves. @returns how long it took, in milliseconds */
async function elapsed(promise: Promise<unknown>, atMostMs = 60_000): Promise<number> {
  let isOver = false;
  void promise.then(() => (isOver = true));
  return bed.time.passUntil(() => isOver, atMostMs);
}

async function connect(): Promise<void> {
  await elapsed(bed.adapter.connect());
  expect(bed.workspace.sockets).toBe(1);
  // A connection that just opened and fails again counts as one more failure.
  await bed.time.pass(61_000);
}

const outageLines = () => bed.lines().map((line) => JSON.parse(line) as { level: string; msg: string });
const opened = () => bed.workspace.calls.filter(({ method }) => method === 'apps.connections.open');
const gone = 'the connection to Slack is gone: commands do not arrive';
const back = 'the connection to Slack is back';

const unansweredPings = 'pings not answered';
const whileDisconnected = outageKinds.filter(({ name }) => name !== unansweredPings);
const lasting = outageKinds.flatMap((kind) =>
  outageDurations.map(({ name, ms }) => ({ name: `${kind.name} for ${name}`, kind, ms })),
);

test.each(lasting)(
  '$name: the bot answers again within a minute, with one log line at the beginning and one at the end',
  async ({ kind, ms }) => {
    await connect();
    expect(await measureOutage(bed, kind, ms)).toBeLessThanOrEqual(60_000);
    await bed.time.pass(20_000);
    expect(bed.workspace.sockets).toBe(1);
    expect(metricIn(await bed.metrics(), 'invigilator_slack_socket_connected')).toBe(1);
    // A peer that says hello and then falls silent is connected for a few seconds each time.
    const lines = outageLines().slice(kind.name === unansweredPings ? -2 : 0);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ['warn', gone],
      ['info', back],
    ]);
  },
);

const [awayMs, backWithinMs] = [40_000, 90_000];

test.each(outageKinds.filter(({ name }) => /^(?:Slack unreachable|429|no hello|pings)/.test(name)))(
  '$name for 40 s: a new connection within 90 s of its beginning',
  async (kind) => {
    await connect();
    const afterMs = await measureOutage(bed, kind, awayMs);
    expect(awayMs + afterMs).toBeLessThanOrEqual(backWithinMs);
    expect(await bed.isAnswered()).toBe(true);
  },
);

describe.each(whileDisconnected)('$name', (kind) => {
  test('a start does not wait for it, and the bot connects when it is over', async () => {
    const end = kind.begin(bed.workspace);
    expect(await elapsed(bed.adapter.connect())).toBeLessThanOrEqual(3_000);
    expect(() => bed.adapter.assertConnected()).toThrow('Socket Mode has no connection');
    expect(metricIn(await bed.metrics(), 'invigilator_slack_socket_connected')).toBe(0);
    await bed.time.pass(100_000);
    end();
    expect(await bed.time.passUntil(() => bed.workspace.sockets > 0, 90_000)).toBeLessThan(60_000);
    expect(await bed.isAnswered()).toBe(true);
    bed.adapter.assertConnected();
    expect(outageLines().map(({ msg }) => msg)).toEqual([gone, back]);
  });

  test('a stop during it takes less than 5 s, and ends all attempts', async () => {
    kind.begin(bed.workspace);
    await elapsed(bed.adapter.connect());
    await bed.time.pass(47_300);
    expect(await elapsed(bed.adapter.disconnect())).toBeLessThan(5_000);
    const before = opened().length;
    await bed.time.pass(300_000);
    expect(opened()).toHaveLength(before);
    expect(bed.workspace.sockets).toBe(0);
  });
});

test('a stop while the peer is silent takes less than 5 s', async () => {
  await connect();
  bed.workspace.faults.setSocketFault('silent');
  expect(await elapsed(bed.adapter.disconnect())).toBeLessThan(5_000);
});

test('the bot asks for an address no earlier than Retry-After allows', async () => {
  bed.workspace.faults.inject({ kind: 'rate-limited', retryAfterS }, { method: 'apps.connections.open', times: 4 });
  await elapsed(bed.adapter.connect());
  await bed.time.passUntil(() => bed.workspace.sockets > 0, 300_000);
  const times = opened().map(({ at }) => at);
  const pauses = times.slice(1).map((at, index) => at - times[index]!);
  expect(pauses).toHaveLength(4);
  for (const pause of pauses) {
    expect(pause).toBeGreaterThanOrEqual(retryAfterS * 1_000);
    expect(pause).toBeLessThan(retryAfterS * 1_000 + 500);
  }
});

test('waits longer than 30 s where Retry-After says so', async () => {
  bed.workspace.faults.inject(
    { kind: 'rate-limited', retryAfterS: 120 },
    { method: 'apps.connections.open', times: 1 },
  );
  await elapsed(bed.adapter.connect());
  expect(await bed.time.passUntil(() => bed.workspace.sockets > 0, 300_000)).toBeGreaterThan(115_000);
  expect(opened()).toHaveLength(2);
});

test.each(['warning', 'refresh_requested'] as const)(
  'when Slack announces that it closes a connection (%s), the next one is open before, and every command is answered',
  async (reason) => {
    await connect();
    bed.workspace.faults.disconnectSockets({ reason, gapMs: 8_000 });
    const open = [];
    for (let second = 0; second < 14; second += 1) {
      expect(await bed.isAnswered()).toBe(true);
      bed.adapter.assertConnected();
      open.push(bed.workspace.sockets);
      await bed.time.pass(1_000);
    }
    expect(new Set(open)).toEqual(new Set([1, 2]));
    expect([open[0], open.at(-1)]).toEqual([1, 1]);
    expect(metricIn(await bed.metrics(), 'invigilator_slack_socket_connected')).toBe(1);
    expect(metricIn(await bed.metrics(), 'invigilator_slack_socket_reconnects_total')).toBe(1);
    expect(outageLines()).toEqual([]);
  },
);

test('where the next hello comes after the close that Slack announced, the bot is back with it', async () => {
  await connect();
  bed.workspace.faults.disconnectSockets({ gapMs: 12_000 });
  await bed.time.pass(9_000);
  bed.adapter.assertConnected();
  expect(await bed.time.passUntil(() => bed.workspace.sockets === 0, 2_000)).toBeLessThan(1_500);
  expect(() => bed.adapter.assertConnected()).toThrow('Socket Mode has no connection');
  expect(await bed.time.passUntil(() => bed.workspace.sockets > 0, 10_000)).toBeLessThanOrEqual(2_000);
  expect(await bed.isAnswered()).toBe(true);
  expect(outageLines().map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', gone],
    ['info', back],
  ]);
});

test('while no other connection opens, one that Slack will close takes commands until then', async () => {
  await connect();
  const end = bed.workspace.faults.inject({ kind: 'http-error', status: 500 }, { method: 'apps.connections.open' });
  bed.workspace.faults.disconnectSockets();
  await bed.time.pass(8_000);
  expect(await bed.isAnswered()).toBe(true);
  expect(outageLines()).toEqual([]);
  await bed.time.passUntil(() => bed.workspace.sockets === 0, 5_000);
  end();
  expect(await bed.time.passUntil(() => bed.workspace.sockets > 0, 60_000)).toBeLessThan(60_000);
  expect(outageLines().map(({ msg }) => msg)).toEqual([gone, back]);
});

test('the bot closes a connection that Slack announced to close and did not', async () => {
  await connect();
  bed.workspace.faults.disconnectSockets({ closesAfterMs: 3_600_000 });
  await bed.time.pass(20_000);
  expect(bed.workspace.sockets).toBe(2);
  expect(await bed.time.passUntil(() => bed.workspace.sockets === 1, 20_000)).toBeLessThan(11_000);
  expect(await bed.isAnswered()).toBe(true);
  expect(outageLines()).toEqual([]);
});

test('a stop while Slack is about to close a connection closes it, and opens no other', async () => {
  await connect();
  bed.workspace.faults.disconnectSockets();
  await bed.time.pass(500);
  expect(await elapsed(bed.adapter.disconnect())).toBeLessThan(2_000);
  expect(bed.workspace.sockets).toBe(0);
  const before = opened().length;
  await bed.time.pass(60_000);
  expect(opened()).toHaveLength(before);
  expect(bed.workspace.sockets).toBe(0);
});

test('Slack’s own refreshes every hour leave no gap', async () => {
  await connect();
  await bed.time.pass(3 * 3_600_000);
  expect(await bed.isAnswered()).toBe(true);
  expect(metricIn(await bed.metrics(), 'invigilator_slack_socket_reconnects_total')).toBe(3);
  expect(opened()).toHaveLength(4);
  expect(outageLines()).toEqual([]);
});

test('after every refusal of the token but the first, the bot goes on, and says so once', async () => {
  await connect();
  bed.workspace.faults.inject(
    { kind: 'api-error', error: 'invalid_auth' },
    { method: 'apps.connections.open', times: 3 },
  );
  bed.workspace.faults.dropSockets();
  await bed.time.pass(400_000);
  expect(outageLines().map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', gone],
    [
      'error',
      'Slack refuses SLACK_APP_TOKEN (invalid_auth): create an app-level token with connections:write, and turn Socket Mode on',
    ],
    ['info', back],
  ]);
});

test('a start rejects when Slack refuses the token', async () => {
  bed.workspace.faults.inject({ kind: 'api-error', error: 'invalid_auth' }, { method: 'apps.connections.open' });
  const start = bed.adapter.connect().catch(String);
  await elapsed(start);
  expect(await start).toContain('invalid_auth');
});

test('a stop acknowledges what arrived before it closes the connection', async () => {
  const acknowledge = Promise.withResolvers<void>();
  bed.taken['/quiz-admin'] = async (ack) => {
    await acknowledge.promise;
    await ack('late');
  };
  await connect();
  const outcome = bed.workspace.as(bed.workspace.people.ada.id).command('/quiz-admin status');
  await bed.time.pass(500);
  const stopping = bed.adapter.disconnect();
  await bed.time.pass(500);
  expect(bed.workspace.sockets).toBe(1);
  acknowledge.resolve();
  expect(await elapsed(stopping)).toBeLessThan(1_000);
  expect((await outcome).error).toBeUndefined();
  expect(bed.workspace.sockets).toBe(0);
});
