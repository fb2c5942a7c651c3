import { existsSync, mkdtempDisposableSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { costOf } from '../support/process-cost.ts';
import { openProcessTestBed, type ProcessTestBed } from '../support/process-test-bed.ts';
import { connectRedis, redisMissing } from '../support/redis.ts';
import { heldAgainst, type BenchOptions, type BenchRow } from './bench-row.ts';

/** What begins at the start is over then; the bot does some things once a minute. */
const fullSize = { settledAfterMs: 30_000, measuredMs: 120_000 };
const shortSize = { settledAfterMs: 0, measuredMs: 1_000 };
const pollMs = 20;
const statementsSchema = z.object({ reads: z.number(), writes: z.number() });

/** What a bot asks of its store, and takes of a core, while nobody uses it and no webhook comes. */
export async function run({ isShort }: BenchOptions): Promise<BenchRow[]> {
  const size = isShort ? shortSize : fullSize;
  return Promise.all([overSqlite(size), ...(redisMissing === null ? [overRedis(size)] : [])]);
}

async function overSqlite(size: typeof fullSize): Promise<BenchRow> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'invigilator-bench-'));
  const file = join(folder.path, 'statements.json');
  await using testBed = await openProcessTestBed({
    store: 'sqlite',
    env: { STATEMENTS_FILE: file },
    nodeOptions: ['--import', './test/bench/count-statements.ts'],
  });
  const { asked, seconds, cpuPercent } = await watch(testBed, size, async (pid) => {
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    while (!existsSync(file)) await pause(pollMs);
    return statementsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  });
  const [before, after] = asked;
  const reads = (after.reads - before.reads) / seconds;
  const writes = (after.writes - before.writes) / seconds;
  return {
    name: 'an idle bot over SQLite',
    figure: `${reads.toFixed(2)} reads and ${writes.toFixed(2)} writes a second, ${cpuPercent.toFixed(2)} % of a core`,
    ...heldAgainst('idle SQLite', { reads, writes, cpuPercent }),
  };
}

async function overRedis(size: typeof fullSize): Promise<BenchRow> {
  await using testBed = await openProcessTestBed({ store: 'redis' });
  await using clients = new AsyncDisposableStack();
  const client = clients.adopt(await connectRedis(testBed.redis!.url), (used) => used.destroy());
  const sent = { byBot: 0, inScripts: 0 };
  // Each line names who sent the command: an address, or lua.
  await client.monitor((line) => void (sent[/^\S+ \[\d+ lua\]/.test(line) ? 'inScripts' : 'byBot'] += 1));
  const { asked, seconds, cpuPercent } = await watch(testBed, size, async () => ({ ...sent }));
  const [before, after] = asked;
  const commands = (after.byBot - before.byBot) / seconds;
  const inScripts = (after.inScripts - before.inScripts) / seconds;
  return {
    name: 'an idle bot over Redis',
    figure: `${commands.toFixed(2)} commands a second, and ${inScripts.toFixed(2)} more within scripts; ${cpuPercent.toFixed(2)} % of a core`,
    ...heldAgainst('idle Redis', { commands, cpuPercent }),
  };
}

/** @param read counts what the bot has asked so far */
async function watch<Counts>(
  { bots: [bot] }: ProcessTestBed,
  { settledAfterMs, measuredMs }: typeof fullSize,
  read: (pid: number) => Promise<Counts>,
): Promise<{ asked: [Counts, Counts]; seconds: number; cpuPercent: number }> {
  const pid = bot!.pid()!;
  await pause(settledAfterMs);
  const [before, cost, begin] = [await read(pid), costOf(pid), performance.now()];
  await pause(measuredMs);
  const seconds = (performance.now() - begin) / 1_000;
  const { cpuMs } = costOf(pid);
  return { asked: [before, await read(pid)], seconds, cpuPercent: (cpuMs - cost.cpuMs) / 10 / seconds };
}
