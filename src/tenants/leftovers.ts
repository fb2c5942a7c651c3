import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessConfig } from '../config.ts';
import type { Log } from '../observability/log.ts';
import { eraseStore } from '../storage/erase-store.ts';
import type { TenantList } from './tenants-file.ts';

/** A tenant that was removed by mistake comes back with everything within this time. */
export const erasedAfterMs = 30 * 24 * 3_600_000;

/** In the folder of a tenant: since when its data is to be erased. */
const noteName = 'erase-since';

/**
 * Looks after the data of tenants that run no more: what is to be erased goes 30 days after that was first said, and what
 * nobody said anything about is kept, with a line in the log.
 */
export function createLeftovers({
  config: { dataDir, redisUrl },
  log,
  now,
}: {
  config: Pick<ProcessConfig, 'dataDir' | 'redisUrl'>;
  log: Log;
  now: () => number;
}) {
  const folder = join(dataDir, 'tenants');
  const warned = new Set<string>();

  function markedSince(note: string): number {
    if (existsSync(note)) {
      const since = Date.parse(readFileSync(note, 'utf8').trim());
      if (!Number.isNaN(since)) return since;
    }
    writeFileSync(note, `${new Date(now()).toISOString()}\n`);
    return now();
  }

  async function lookAt(name: string, fate: 'keep' | 'erase' | undefined): Promise<void> {
    const note = join(folder, name, noteName);
    if (fate !== 'erase') rmSync(note, { force: true });
    if (fate === undefined && !warned.has(name)) {
      warned.add(name);
      log.warn(
        { tenant: name },
        'a tenant is not in the file any more, and its data is kept: write removed: keep, or removed: erase, under its name',
      );
    }
    if (fate !== 'erase') return;
    const since = markedSince(note);
    if (now() - since < erasedAfterMs) return;
    await eraseStore({ dataDir: join(folder, name), redisUrl, tenant: name });
    log.info({ tenant: name }, 'the data of a removed tenant is erased');
  }

  /** @returns resolves when what is due is erased */
  return async (list: TenantList): Promise<void> => {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names) {
      const entry = list.get(name);
      if (entry?.kind === 'bot' || entry?.kind === 'faulty') {
        warned.delete(name);
        rmSync(join(folder, name, noteName), { force: true });
      } else
        await lookAt(name, entry?.fate).catch((error: unknown) =>
          log.error(
            { error, tenant: name },
            'the data of a removed tenant could not be looked after: it is tried again',
          ),
        );
    }
  };
}
