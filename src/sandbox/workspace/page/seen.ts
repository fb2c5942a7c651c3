import type { State } from './store.ts';

/** The last message seen in each channel: all that was there at first, and whatever comes where the person looks. */
export function seenBy({ server, ui }: State): Record<string, string> {
  const seen = { ...ui.seen };
  if (server === undefined) return seen;
  for (const channel of [...server.channels, server.direct]) {
    const key = `${server.me.id} ${channel.id}`;
    const isHere = ui.place.kind === 'channel' && ui.place.id === channel.id;
    if (isHere || seen[key] === undefined) seen[key] = server.messages[channel.id]?.at(-1)?.ts ?? '0';
  }
  return seen;
}
