import { createClient } from '@redis/client';

/** What Redis has under the keys of a pattern, as text. */
export async function keysOf(url: string, pattern: string): Promise<string> {
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
