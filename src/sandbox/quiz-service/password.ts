import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

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

/** Generates a password of 20 unambiguous letters and digits, which is 100 bits. */
export function makePassword(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join('');
}
