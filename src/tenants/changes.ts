import { isDeepStrictEqual } from 'node:util';
import type { TenantEntry, TenantList } from './tenants-file.ts';

type BotEntry = Extract<TenantEntry, { kind: 'bot' }>;

/**
 * What has to be done so that the bots of a list run. A bot whose settings have changed is stopped, and started anew; one that
 * is described wrongly now goes on as it was.
 */
export function changesBetween(
  running: ReadonlyMap<string, BotEntry>,
  list: TenantList,
): { toStop: readonly string[]; toStart: ReadonlyMap<string, BotEntry> } {
  const toStop = [...running].flatMap(([name, entry]) => {
    const wanted = list.get(name);
    const stays = wanted?.kind === 'faulty' || isDeepStrictEqual(wanted, entry);
    return stays ? [] : [name];
  });
  const stopped = new Set(toStop);
  const toStart = [...list].filter(
    (one): one is [string, BotEntry] => one[1].kind === 'bot' && (!running.has(one[0]) || stopped.has(one[0])),
  );
  return { toStop, toStart: new Map(toStart) };
}
