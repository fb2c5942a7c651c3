import type { Database } from '../database.ts';

/** Adds the account, whose owner has no password yet. A database holds exactly one. */
export function addAccount(database: Database, isSample: boolean): void {
  database.run("INSERT INTO account (id, owner_password_hash, is_sample) VALUES (1, '', ?)", [Number(isSample)]);
}

export function hasAccount(database: Database): boolean {
  return database.get('SELECT 1 FROM account') !== undefined;
}

export function readOwnerPasswordHash(database: Database): string | undefined {
  return database.get<{ owner_password_hash: string }>('SELECT owner_password_hash FROM account')?.owner_password_hash;
}

export function writeOwnerPasswordHash(database: Database, hash: string): void {
  database.run('UPDATE account SET owner_password_hash = ?', [hash]);
}

export function isSampleAccount(database: Database): boolean {
  return database.get<{ is_sample: number }>('SELECT is_sample FROM account')?.is_sample === 1;
}

export function readApiKey(database: Database): string | undefined {
  return database.get<{ api_key: string | null }>('SELECT api_key FROM account')?.api_key ?? undefined;
}

/** @param key undefined deletes the key */
export function writeApiKey(database: Database, key: string | undefined): void {
  database.run('UPDATE account SET api_key = ?', [key ?? null]);
}
