import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Campaign } from '../../../../src/domain/campaign.ts';
import { createSandboxClock, type SandboxClock } from '../../../../src/sandbox/clock/sandbox-clock.ts';
import type { SeededRandom } from '../../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { channels } from '../../../../src/sandbox/workspace/people.ts';
import {
  addMembers,
  campaignFor,
  campaignQuiz,
  membersFor,
  nextMonday,
  storeCampaign,
  personIdOf,
} from '../../process-campaign.ts';
import {
  linesByTenant,
  markOf,
  namesIn,
  placesOf,
  plantMarks,
  type BedTenant,
  openTenantWorld,
  type TenantWorld,
} from '../../tenants-bed.ts';
import { createWebhookSender, type WebhookSender, announcingLoad } from './alerts.ts';
import type { KillBed, Load, MakeKillTestOver } from '../kill-test.ts';
import { approvingLoad, askForSuspensions } from './approvals.ts';
import { importLoad, newPeople, startImport } from './imports.ts';
import { createClient } from '@redis/client';
import { textOf } from '../../open-test-bed.ts';
import { type BotSurroundings, openRedis, type BotProcesses } from '../../process-test-bed.ts';
import { untilDone } from '../../watchdog.ts';
import { startBalancer, type Balancer } from '../../balancer.ts';
import { createKillableBot } from '../../killable-bot.ts';
import { untilReady } from '../run-kills.ts';

/** Processes that each run the bots of the same file of tenants, with a sandbox workspace and account for each tenant. */
interface TenantsProcessBed extends BotProcesses {
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

async function openTenantsProcessBed(options: TenantsProcessBedOptions): Promise<TenantsProcessBed> {
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

/** A campaign that begins assigns its quiz to each of its people, and tells each of them once. */
function firstMessagesLoad(
  { workspace, quizService: { database } }: BotSurroundings,
  { members }: Pick<Campaign, 'members'>,
): Load {
  const told = (userId: string) =>
    workspace
      .directMessages(personIdOf(userId))
      .filter((message) => message.text.startsWith('📝') && textOf(message).includes(campaignQuiz.name)).length;
  const assigned = () =>
    database.all<{ user_id: string }>('SELECT user_id FROM user_quizzes WHERE quiz_id = ?', [campaignQuiz.id]);
  const done = () => members.reduce((sum, { userId }) => sum + told(userId), 0);
  return {
    done,
    isWaiting: () => done() < members.length,
    over: () => untilDone(done, members.length),
    judge() {
      const users = new Set(assigned().map(({ user_id: id }) => id));
      const lost = members.filter(({ userId }) => told(userId) === 0 || !users.has(userId)).map(({ userId }) => userId);
      const doubled = members.filter(({ userId }) => told(userId) > 1).map(({ userId }) => userId);
      const strangers = [...users].filter((id) => members.every(({ userId }) => userId !== id));
      return {
        lost: lost.length,
        doubled: doubled.length,
        wrong: strangers.length,
        problems: Object.entries({
          'not told': lost,
          'told twice': doubled,
          'assigned though not asked': strangers,
        }).flatMap(([what, ids]) => (ids.length === 0 ? [] : [`${what}: ${ids.join(', ')}`])),
        figure: () => `${members.length} people of a campaign, ${lost.length} not told, ${doubled.length} told twice`,
      };
    },
  };
}

/** Several loads at the same time, by what they are called in problems. */
function together(loads: ReadonlyMap<string, Load>): Load {
  const all = [...loads.values()];
  return {
    send: (killed) => Promise.all(all.map(async (load) => load.send?.(killed))),
    done: () => all.reduce((sum, load) => sum + load.done(), 0),
    isWaiting: () => all.some((load) => load.isWaiting()),
    over: () => Promise.all(all.map((load) => load.over())),
    async judge() {
      const judged = await Promise.all(
        [...loads].map(async ([name, load]) => ({ name, judgement: await load.judge() })),
      );
      const sum = (key: 'lost' | 'doubled' | 'wrong') =>
        judged.reduce((total, { judgement }) => total + judgement[key], 0);
      const [lost, doubled, wrong] = [sum('lost'), sum('doubled'), sum('wrong')];
      return {
        lost,
        doubled,
        wrong,
        problems: judged.flatMap(({ name, judgement: { problems = [] } }) =>
          problems.map((problem) => `${name}: ${problem}`),
        ),
        figure: (run) => judged.map(({ name, judgement }) => `${name}: ${judgement.figure(run)}`).join('\n'),
      };
    },
  };
}

interface TenantsOptions {
  tenants: number;
  /** Of each tenant. */
  events: number;
  people: number;
  rows: number;
  approvals: number;
}

type Bed = TenantsProcessBed & KillBed;

/** Both shorter and longer than a bot waits before it looks up a message. */
const betweenKillsMs = { min: 200, max: 3_500 };
const msPerKill = 3_000;
/** Long enough for another process to go on with what this one did. */
const awayMs = { min: 3_000, max: 6_000 };
const suspended = ['rosa', 'chiara', 'elif', 'oksana'];
/** Events of a tenant have numbers of their own, so that those of another one are told apart. */
const numbersOf = (index: number) => 1 + index * 1_000;

/**
 * One process, or several, with the bots of many tenants, each with webhooks, an import, approvals and a campaign at the same
 * time. Each tenant has everything of its own once, and nothing of another one.
 */
export function tenantsKilled(options: TenantsOptions): MakeKillTestOver<Bed> {
  return (random, { kills }) => {
    const startedAt = nextMonday(10);
    const { now, after, nodeFlags, lead } = createSandboxClock(startedAt - Date.now());
    const clock = { now, after, nodeFlags, lead };
    const names = Array.from({ length: options.tenants }, (_, index) => `t${String(index + 1).padStart(2, '0')}`);
    const campaigns = new Map(names.map((name) => [name, campaignOf(name, options.people, startedAt)]));
    const senders: WebhookSender[] = [];
    return {
      clock,
      kills: {
        moments: { after: 'a pause', ms: betweenKillsMs },
        ways: [{ cutStarts: 0.25 }, { awayMs }, { atCall: 'chat.postMessage' }, { signal: 'SIGTERM' }],
        victims: 'in turn',
      },
      async open(shared) {
        const bed = await openTenantsProcessBed({
          ...shared,
          names,
          clock,
          settings: { APPROVALS_CHANNEL: channels.leads.id },
          onOpened(tenant) {
            const campaign = campaigns.get(tenant.name);
            if (campaign) addMembers(campaign, tenant);
            plantMarks(tenant.quizService, tenant.name);
          },
          beforeStart: ({ name }, store) => storeCampaign(campaigns.get(name)!, store, { assigns: true }),
        });
        const workspaces = [...bed.world.tenants.values()].map(({ workspace }) => workspace);
        for (const workspace of workspaces) workspace.faults.setRateLimits(false);
        return { ...bed, workspaces };
      },
      async begin(bed) {
        const send = { random, pauseMs: (kills * msPerKill) / options.events, events: options.events };
        const loads = new Map<string, Load>();
        for (const [index, tenant] of [...bed.world.tenants.values()].entries()) {
          const { load, sender } = await beginIn(
            bed,
            tenant,
            { ...options, ...send, campaign: campaigns.get(tenant.name)! },
            index,
          );
          senders.push(sender);
          loads.set(tenant.name, load);
        }
        const all = together(loads);
        return {
          ...all,
          async judge() {
            const judgement = await all.judge();
            const foreign = await foreignNames(bed);
            const refused = senders.flatMap(({ refusals }, index) => wrongRefusals(index, refusals));
            return {
              ...judgement,
              wrong: judgement.wrong + foreign.length + refused.length,
              problems: [...(judgement.problems ?? []), ...foreign, ...refused],
              figure: ({ seconds, seed, redisKills }) =>
                `lost ${judgement.lost}, twice ${judgement.doubled}, wrong ${judgement.wrong}, of another tenant ${foreign.length}: ${names.length} tenants, each ${options.events} webhooks, ${options.rows} rows, ${options.approvals} approvals, ${options.people} people of a campaign, ${kills} kills${redisKills > 0 ? `, Redis killed ${redisKills} times` : ''}, ${seconds} s, seed ${seed}`,
            };
          },
        };
      },
      close: () => Promise.all(senders.map((sender) => sender.close())),
    };

    function wrongRefusals(index: number, refusals: readonly number[]): string[] {
      const wrong = refusals.filter((status) => status !== 503);
      return wrong.length === 0 ? [] : [`webhooks of ${names[index]} answered ${wrong.join(', ')}`];
    }
  };
}

function campaignOf(name: string, people: number, startedAt: number): Campaign {
  const members = membersFor(people, { zones: ['Etc/UTC'], addedAt: startedAt });
  const quiz = { ...campaignQuiz, name: `${campaignQuiz.name} ${markOf(name)}` };
  return campaignFor(members, { startedAt, quiz });
}

interface Sending {
  random: SeededRandom;
  events: number;
  pauseMs: number;
}

async function beginIn(
  bed: Bed,
  tenant: BedTenant,
  {
    campaign,
    rows: count,
    approvals,
    ...send
  }: Sending & Pick<TenantsOptions, 'rows' | 'approvals'> & { campaign: Campaign },
  index: number,
): Promise<{ load: Load; sender: WebhookSender }> {
  const here = bed.surroundingsOf(tenant);
  const asked = await askForSuspensions(
    here,
    suspended.slice(0, approvals).map((name) => `${name}@quiz.example`),
  );
  const rows = newPeople(count);
  await startImport(here, rows);
  const { load, sender } = announcing(bed, tenant, { ...send, first: numbersOf(index) });
  const loads = new Map([
    ['webhooks', load],
    ['import', importLoad(here, rows)],
    ['approvals', approvingLoad(here, asked)],
    ['campaign', firstMessagesLoad(here, campaign)],
  ]);
  return { load: together(loads), sender };
}

/** Webhooks of a tenant, each announced once in its channel. */
function announcing(
  bed: Bed,
  tenant: BedTenant,
  { random, events, pauseMs, first }: Sending & { first: number },
): { load: Load; sender: WebhookSender } {
  const { workspace, webhook } = bed.surroundingsOf(tenant);
  const sender = createWebhookSender({
    target: () => random.pick(bed.bots).url,
    webhook,
    quizOf: () => ({ id: 'q-1', name: `Fire safety ${markOf(tenant.name)}` }),
    random,
  });
  const messages = () => workspace.messages(workspace.channels.results.id);
  const load = announcingLoad({
    conversations: [{ messages, isFor: () => true }],
    sender,
    events,
    first,
    copies: 1,
    pauseMs,
  });
  return { load, sender };
}

/** What stands anywhere at a tenant of another one: in its workspace, its account, its store, and in lines of its log. */
async function foreignNames({ world, redis, folder }: Bed): Promise<string[]> {
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const log = linesByTenant(lines);
  const found: string[] = [];
  for (const tenant of world.tenants.values()) {
    const keys = redis ? await keysOf(redis.url, `invigilator/${tenant.name}:*`) : '';
    const places = new Map([...placesOf(world, tenant, log.get(tenant.name) ?? []), ['keys', keys] as const]);
    if (!namesIn(places.get('messages') ?? '').has(tenant.name)) found.push(`${tenant.name} has nothing of its own`);
    for (const [place, text] of places)
      found.push(
        ...[...namesIn(text)]
          .filter((name) => name !== tenant.name)
          .map((name) => `${name} stands in the ${place} of ${tenant.name}`),
      );
  }
  return found;
}

/** What Redis has under the keys of a pattern, as text. */
async function keysOf(url: string, pattern: string): Promise<string> {
  const client = await createClient({ url }).connect();
  try {
    const texts: string[] = [];
    for await (const keys of client.scanIterator({ MATCH: pattern, COUNT: 500 }))
      for (const key of keys) {
        const read = readers[await client.type(key)];
        texts.push(key, JSON.stringify(await read?.(client, key)));
      }
    return texts.join('\n');
  } finally {
    client.destroy();
  }
}

type Client = Pick<ReturnType<typeof createClient>, 'get' | 'hGetAll' | 'lRange' | 'sMembers' | 'zRange' | 'xRange'>;

const readers: Readonly<Record<string, (client: Client, key: string) => Promise<unknown>>> = {
  string: (client, key) => client.get(key),
  hash: (client, key) => client.hGetAll(key),
  list: (client, key) => client.lRange(key, 0, -1),
  set: (client, key) => client.sMembers(key),
  zset: (client, key) => client.zRange(key, 0, -1),
  stream: (client, key) => client.xRange(key, '-', '+'),
};
