import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from '@redis/client';
import type { ProcessTestBed } from './process-test-bed.ts';

type State = Record<string, unknown>;

/** Changes what the queues of a kind keep, as another version would have stored it. The bot has to be stopped. */
export async function editStates(
  { redis, folder }: Pick<ProcessTestBed, 'redis' | 'folder'>,
  kind: string,
  edit: (state: State) => State,
): Promise<void> {
  const edited = (text: string) => JSON.stringify(edit(JSON.parse(text) as State));
  if (redis === undefined) {
    const database = new DatabaseSync(join(folder, 'kept', 'invigilator.sqlite'));
    const rows = database.prepare('SELECT queue, state FROM queue_states WHERE queue LIKE ?').all(`${kind}/%`);
    for (const { queue, state } of rows)
      database.prepare('UPDATE queue_states SET state = ? WHERE queue = ?').run(edited(String(state)), queue!);
    database.close();
    return;
  }
  const client = await createClient({ url: redis.url }).connect();
  for (const key of await client.keys(`*state:${kind}/*`)) {
    const text = await client.hGet(key, 'state');
    if (text !== null && text !== undefined) await client.hSet(key, 'state', edited(text));
  }
  client.destroy();
}
