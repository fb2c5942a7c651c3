import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { describeStored } from '../../src/assembly/personal-data.ts';
import { each, text as ofText, type AnyDescription, type StoredText } from '../../src/domain/erasure.ts';
import { createRedisStorage } from '../../src/storage/redis/redis-storage.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/sqlite-storage.ts';
import type { Storage } from '../../src/storage/records.ts';
import { read } from './project-files.ts';
import { connectRedis, startRedis } from './redis.ts';
import { temporaryDirectory } from './temporary.ts';

/** A text in a store, and where it is. */
export interface Stored {
  place: StoredText;
  text: string;
}

/**
 * What 1.7 had stored in the middle of its life (`life-of-17.ts`), as this version has it.
 *
 * @param change of the SQL or the commands of Redis before
 */
export const storesOf17: Readonly<
  Record<
    'SQLite' | 'Redis',
    (change?: (text: string) => string) => Promise<{ storage: Storage; bytes(): Promise<string> }>
  >
> = {
  async SQLite(change = (text) => text) {
    const folder = temporaryDirectory();
    const database = new DatabaseSync(join(folder, 'invigilator.sqlite'));
    database.exec(`PRAGMA page_size = 2048; BEGIN; ${change(read('test/fixtures/store-1.7.sql'))}; COMMIT`);
    database.close();
    const storage = openSqliteStorage(folder, { now });
    onTestFinished(() => storage.close().catch(() => {}));
    await storage.open();
    return {
      storage,
      bytes: async () =>
        readdirSync(folder)
          .map((name) => readFileSync(join(folder, name), 'latin1'))
          .join(),
    };
  },
  async Redis(change = (text) => text) {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const client = await connectRedis(redis.url);
    onTestFinished(() => client.destroy());
    for (const line of change(read('test/fixtures/store-1.7.redis')).split('\n'))
      if (line !== '') await client.sendCommand(JSON.parse(line) as string[]);
    const contentFile = join(temporaryDirectory(), 'known-store.json');
    const storage = createRedisStorage({ url: redis.url, now, onError: () => {}, contentFile });
    onTestFinished(() => storage.close().catch(() => {}));
    await storage.open();
    const dumped = async (key: string): Promise<string> => {
      switch (await client.type(key)) {
        case 'string':
          return String(await client.get(key));
        case 'hash':
          return JSON.stringify(await client.hGetAll(key));
        case 'list':
          return JSON.stringify(await client.lRange(key, 0, -1));
        case 'set':
          return JSON.stringify(await client.sMembers(key));
        default:
          return JSON.stringify(await client.zRange(key, 0, -1));
      }
    };
    return {
      storage,
      async bytes() {
        const keys = await client.keys('*');
        return (await Promise.all(keys.map(async (key) => `${key} ${await dumped(key)}`))).join('\n');
      },
    };
  },
};

const now = () => Date.UTC(2030, 0, 11, 15, 40);

/** Every text that erasing looks at. */
export async function textsIn({ cleansing }: Pick<Storage, 'cleansing'>): Promise<Stored[]> {
  const texts: Stored[] = [];
  await cleansing.rewrite((place, text) => {
    texts.push({ place, text });
    return text;
  });
  return texts;
}

/** Keys of the record, and who is being erased: both are dealt with as such. */
const namesNobody = /^(?:key|erasing)\//;

/** Words of the program: the types of what is stored allow no other text where they stand, so nothing has to describe them. */
const ownWords = new Set(
  'change none campaign batch submission hint passed failed marking campaign-event batch-event inbox-event start refresh running paused yearly all each digest thread day hour open announced quiz user group submitted requested departure-event workflow-event audience-changed unreached finished over denied done same wait waiting has listed'.split(
    ' ',
  ),
);

/** Fields that hold IDs, or something else that is nobody’s, likewise. */
const ofNobody = /^(?:id|by|leads|quiz|ts|timeZone|operation|quizName|holidays|code)$|(?:Id|Ids|By)$/;

/** The places with a text in a stored text that nothing describes, such as `state campaign: members[].name`. */
export function undescribed({ place, text }: Stored): string[] {
  // The identity of the store stands beside the keyed values.
  if ((place.in === 'state' && namesNobody.test(place.key)) || place.key === 'store') return [];
  const value = JSON.parse(text) as unknown;
  const holder = Object(value) as Record<string, unknown>;
  const content = 'content' in holder ? holder['content'] : 'value' in holder ? holder['value'] : value;
  const description = describeStored(place, content);
  const [kind] = place.key.split(/[:/]/);
  return description === 'dropped' ? [] : pathsIn(content, description, `${place.in} ${kind}: `);
}

function pathsIn(value: unknown, description: AnyDescription | undefined, path: string): string[] {
  if (typeof value === 'string')
    return typeof description === 'string' ||
      (description !== undefined && ofText in description) ||
      ownWords.has(value)
      ? []
      : [`${path} = ${value}`];
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, description, `${path}[]`));
  if (typeof value !== 'object' || value === null || description === 'free') return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const of = typeof description === 'string' ? description : (description?.[key] ?? description?.[each as never]);
    return of === undefined && ofNobody.test(key)
      ? []
      : pathsIn(part, of as AnyDescription | undefined, `${path}.${key}`);
  });
}
