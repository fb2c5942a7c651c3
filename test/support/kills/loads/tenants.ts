import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Campaign } from '../../../../src/domain/campaign.ts';
import { createSandboxClock } from '../../../../src/sandbox/clock/sandbox-clock.ts';
import type { SeededRandom } from '../../../../src/sandbox/quiz-service/sample/seeded-random.ts';
import { channels } from '../../../../src/sandbox/workspace/people.ts';
import type { Workspace } from '../../../../src/sandbox/workspace/workspace.ts';
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
import type { Judgement, Load, MakeKillTest } from '../run-kills.ts';
import { approvingLoad, askForSuspensions } from './approvals.ts';
import { importLoad, newPeople, startImport } from './imports.ts';
import { createClient } from '@redis/client';
import { textOf } from '../../open-test-bed.ts';
import { type BotSurroundings, openBotProcesses, timeOfService, type BotProcesses } from '../../process-test-bed.ts';
import { untilDone } from '../../watchdog.ts';
import { startBalancer } from '../../balancer.ts';
import { untilReady } from '../../killable-bot.ts';

/** Processes that each run the bots of the same file of tenants, with a sandbox workspace and account for each tenant. */
interface Bed extends BotProcesses {
  world: TenantWorld;
  workspaces: readonly Workspace[];
  /** A tenant as the surroundings of a single bot. */
  surroundingsOf(tenant: BedTenant): BotSurroundings;
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
      const ids = members.map(({ userId }) => userId);
      return {
        lost: ids.filter((id) => told(id) === 0 || !users.has(id)),
        doubled: ids.filter((id) => told(id) > 1),
        wrong: [...users].filter((id) => !ids.includes(id)).map((id) => `${id} is assigned though not asked`),
        figure: `${ids.length} people of a campaign`,
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
      const judged: [string, Judgement][] = await Promise.all(
        [...loads].map(async ([name, load]) => [name, await load.judge()]),
      );
      const named = (key: 'lost' | 'doubled' | 'wrong') =>
        judged.flatMap(([name, judgement]) => judgement[key].map((problem) => `${name}: ${problem}`));
      return {
        lost: named('lost'),
        doubled: named('doubled'),
        wrong: named('wrong'),
        figure: judged.map(([name, { figure }]) => `${name}: ${figure}`).join(', '),
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
export function tenantsKilled(options: TenantsOptions): MakeKillTest<Bed> {
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
      open: (shared) =>
        openBotProcesses(shared, async ({ folder, redis }, onClose) => {
          const world = await openTenantWorld(
            {
              folder,
              names,
              optionsOf: () => ({
                workspace: { clock },
                quizService: { ratePerMinute: 100_000, ratePerHour: 1_000_000, ...timeOfService(clock) },
                settings: { APPROVALS_CHANNEL: channels.leads.id },
              }),
              onOpened(tenant) {
                addMembers(campaigns.get(tenant.name)!, tenant);
                plantMarks(tenant.quizService, tenant.name);
              },
            },
            onClose,
          );
          const { dataDir, path, secrets, tenants } = world;
          for (const tenant of names) {
            const place = { DATA_DIR: join(dataDir, 'tenants', tenant), REDIS_URL: redis?.url, tenant };
            await storeCampaign(campaigns.get(tenant)!, place, { assigns: true });
          }
          const workspaces = [...tenants.values()].map(({ workspace }) => workspace);
          for (const workspace of workspaces) workspace.faults.setRateLimits(false);
          return {
            surroundings: {
              world,
              workspaces,
              surroundingsOf: ({ name, ...tenant }: BedTenant) => ({
                ...tenant,
                webhook: { path: `/webhooks/quiz/${name}`, secret: secrets[`${name.toUpperCase()}_HOOK`]! },
              }),
            },
            // Each process has a folder of its own, as on machines of their own.
            envOf: (index) => ({
              ...secrets,
              TENANTS_FILE: path,
              DATA_DIR: index === 0 ? dataDir : join(folder, `data-${index + 1}`),
            }),
            async connect(bots) {
              const urls = bots.map(({ url }) => url);
              if (urls.length === 1) world.connect(urls[0]!);
              else {
                const balancer = await startBalancer(urls);
                onClose(() => balancer.close());
                world.connect(balancer.url);
              }
              await Promise.all(bots.map(untilReady));
            },
          };
        }),
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
              wrong: [...judgement.wrong, ...foreign, ...refused],
              figure: `${names.length} tenants, ${foreign.length} times something of another; ${judgement.figure}`,
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
