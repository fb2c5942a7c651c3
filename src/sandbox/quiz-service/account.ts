import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from './database.ts';

/** The account that the operations and pages work on. A service has one account. */
export interface Account {
  database: Database;
  now: () => number;
  newId: () => string;
  /** The URL for browsers, without a trailing slash. */
  publicUrl: () => string;
  /** Starts delivering new events now. Call it after the transaction that adds them. */
  deliverEvents: () => void;
}

/** Adds the account. A database holds exactly one. */
export function addAccount(database: Database): void {
  database.insert('account', { id: 1 });
}

export function hasAccount(database: Database): boolean {
  return database.get('SELECT 1 FROM account') !== undefined;
}

export function readApiKey(database: Database): string | undefined {
  return database.get<{ api_key: string | null }>('SELECT api_key FROM account')?.api_key ?? undefined;
}

export function writeApiKey(database: Database, key: string): void {
  database.run('UPDATE account SET api_key = ?', [key]);
}

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);
const keyBytes = 32;

/** Computes a salted scrypt hash, `scrypt$salt$key` in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt, keyBytes);
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Verifies a password. A missing hash takes the same time and never matches. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, salt = '', expected = ''] = (hash ?? '').split('$');
  const key = await deriveKey(password, Buffer.from(salt, 'base64url'), keyBytes);
  const expectedKey = Buffer.from(expected, 'base64url');
  return expectedKey.length === key.length && timingSafeEqual(expectedKey, key);
}
