import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { connectRedis } from './redis.ts';
import { read } from './project-files.ts';

/** Makes the file that version 1.5.0 wrote. */
export function writeFileOfVersion15(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'invigilator.sqlite'));
  database.exec(`PRAGMA journal_mode = WAL; BEGIN; ${read('test/fixtures/store-1.5.sql')} COMMIT`);
  database.close();
}

/** Fills Redis with what version 1.5.0 wrote. */
export async function writeRedisOfVersion15(client: Awaited<ReturnType<typeof connectRedis>>): Promise<void> {
  const lines = read('test/fixtures/store-1.5.redis').split('\n');
  for (const line of lines) if (line.startsWith('[')) await client.sendCommand(JSON.parse(line) as string[]);
}
