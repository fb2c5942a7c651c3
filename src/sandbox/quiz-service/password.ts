import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt);
const keyBytes = 32;

/** A salted scrypt hash, `scrypt$salt$key` in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await deriveKey(password, salt, keyBytes);
  return `scrypt$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Whether a password is the one hashed. Takes as long for somebody without a hash, who never matches. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, salt = '', expected = ''] = (hash ?? '').split('$');
  const key = await deriveKey(password, Buffer.from(salt, 'base64url'), keyBytes);
  const expectedKey = Buffer.from(expected, 'base64url');
  return expectedKey.length === key.length && timingSafeEqual(expectedKey, key);
}

/** A password of 20 letters and digits that are not mistaken for one another: 100 bits. */
export function makePassword(): string {
  const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join('');
}
