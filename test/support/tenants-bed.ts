import { rmSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessConfig, secretsOf } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { slackSecretPatterns } from '../../src/slack/errors.ts';
import { createTenantsApp } from '../../src/tenants/tenants.ts';
import { systemClock, type Clock } from '../../src/time/clock.ts';
import { openTenantWorld, type TenantWorld, type WorldOptions, type BedTenant } from './tenant-world.ts';

export type { BedTenant } from './tenant-world.ts';
import type { QuizService } from '../../src/sandbox/quiz-service/service.ts';

/** The bots of several tenants in this process. */
export interface TenantsBed extends TenantWorld {
  url: string;
  lines: string[];
  /** Removes a file that stands where the folder of a tenant should be. */
  unblock(name: string): void;
  /** Writes the file of the tenants, and starts the process anew. */
  restart(): Promise<void>;
}

export interface BedOptions extends WorldOptions {
  env?: Record<string, string>;
  clock?: Partial<Clock>;
  /** Called before the process starts. */
  prepare?: (dataDir: string) => void;
}

/** @param onClose registers a cleanup step; the caller runs the steps in reverse order */
export async function openTenantsBed(
  { env = {}, clock = {}, prepare = () => {}, ...options }: BedOptions,
  onClose: (cleanUp: () => void | Promise<void>) => void,
): Promise<TenantsBed> {
  const world = await openTenantWorld(options, onClose);
  const { path, dataDir, secrets } = world;
  const lines: string[] = [];
  prepare(dataDir);
  const config = readProcessConfig({ DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0', ...env });
  const logFor = (of: Parameters<typeof secretsOf>[0]) =>
    createLog({
      level: 'trace',
      secrets: secretsOf(of),
      secretPatterns: slackSecretPatterns,
      write: (line) => lines.push(line),
    });
  const openApp = () =>
    createTenantsApp({
      config,
      clock: { ...systemClock, ...clock },
      timeouts: { leave: 0 },
      log: logFor(config),
      logFor: (of, fields) => logFor(of).child(fields),
      steadyFor: () => undefined,
      path,
      variables: { DATA_DIR: dataDir, ...env, ...secrets },
    });
  let app = await openApp();
  const start = async () => {
    const url = `http://127.0.0.1:${await app.start()}`;
    world.connect(url);
    return url;
  };
  let url = await start();
  onClose(() => app.stop());

  return {
    ...world,
    get url() {
      return url;
    },
    lines,
    unblock: (name) => rmSync(join(dataDir, 'tenants', name)),
    async open(name, of) {
      const tenant = await world.open(name, of);
      world.connect(url);
      return tenant;
    },
    async restart() {
      world.write();
      await app.stop();
      app = await openApp();
      url = await start();
    },
  };
}

/** What stands in everything of an account, so that a byte of it elsewhere is noticed. */
export const markOf = (name: string): string => `Zq${name.replaceAll('-', '')}qZ`;
const marks = /Zq([a-z0-9]+)qZ|(?:token|secret|key)-of-([a-z0-9]+)/g;

/** Puts the mark into the names of the account’s quizzes, groups and people, before the bot reads them. */
export function plantMarks({ database }: QuizService, name: string): void {
  const mark = markOf(name);
  database.run(`UPDATE quizzes SET name = name || ' ${mark}'`);
  database.run(`UPDATE groups SET group_name = group_name || ' ${mark}'`);
  database.run(`UPDATE users SET last_name = last_name || ' ${mark}', organization = organization || ' ${mark}'`);
  database.run(`UPDATE responses SET last_name = last_name || ' ${mark}'`);
}

/** The names of tenants whose marks, or secrets, stand in a text. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(marks)].map(([, marked, ofSecret]) => marked ?? ofSecret!));
}

/** Lines of the log by each tenant that they are about. */
export function linesByTenant(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of lines)
    for (const name of new Set([...line.matchAll(/"tenant":"([^"]*)"/g)].map(([, of]) => of!))) {
      const about = found.get(name);
      if (about === undefined) found.set(name, [line]);
      else about.push(line);
    }
  return found;
}

/**
 * Everything that a tenant’s workspace and account got from the bot, and what the bot keeps of it, by where it stands.
 *
 * @param log lines about the tenant
 */
export function placesOf(
  { dataDir }: Pick<TenantsBed, 'dataDir'>,
  { name, workspace, quizService }: BedTenant,
  log: readonly string[],
): ReadonlyMap<string, string> {
  const tables = quizService.database.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'");
  const account = tables.map((table) => JSON.stringify(quizService.database.all(`SELECT * FROM "${table.name}"`)));
  const files = globSync(`${join(dataDir, 'tenants', name)}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  return new Map([
    ['calls', JSON.stringify(workspace.calls.map(({ method, args }) => [method, args]))],
    [
      'messages',
      JSON.stringify([
        Object.values(workspace.channels).map(({ id }) => workspace.messages(id)),
        Object.values(workspace.people).map(({ id }) => [
          workspace.ephemerals(id),
          workspace.directMessages(id),
          workspace.home(id),
          workspace.views(id),
        ]),
      ]),
    ],
    ['answers', JSON.stringify(workspace.deliveries.map(({ answer }) => answer))],
    ['account', account.join('\n')],
    ['files', files.join('\n')],
    ['log', log.join('\n')],
  ]);
}
