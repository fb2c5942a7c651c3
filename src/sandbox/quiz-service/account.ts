import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Database, formatDate } from './database.ts';

/** The account that the operations and pages work on. A service has one account. */
export interface Account {
  database: Database;
  now: () => number;
  newId: () => string;
  /** The URL for browsers, without a trailing slash. */
  publicUrl: () => string;
  sendWelcomeMail: (mail: WelcomeMail) => void;
  /** Starts delivering new events now. Call it after the transaction that adds them. */
  deliverEvents: () => void;
}

/** Adds the account, whose owner has no password yet. A database holds exactly one. */
export function addAccount(database: Database, isSample: boolean): void {
  database.insert('account', { id: 1, owner_password_hash: '', is_sample: isSample });
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

interface WelcomeMail {
  recipient: string;
  userName: string;
  firstName: string;
  password: string;
}

interface Mail {
  mail_id: string;
  date_sent: string;
  recipient: string;
  subject: string;
  /** Without the password. */
  text: string;
}

const keptMails = 200;

export type Outbox = ReturnType<typeof openOutbox>;

/**
 * Collects welcome e-mails instead of sending them, and keeps the last 200. Passwords stay in memory until the owner has
 * seen them once or the service stops. The database never contains them.
 */
export function openOutbox(database: Database, now: () => number, newId: () => string) {
  const passwords = new Map<string, string>();
  return {
    send({ recipient, userName, firstName, password }: WelcomeMail): void {
      const mailId = newId();
      database.insert('mails', {
        mail_id: mailId,
        date_sent: formatDate(now()),
        recipient,
        subject: 'Welcome to your quiz account',
        text: `Hello ${firstName || userName}, your quiz account is ready. Your login name is ${userName}.`,
      });
      database.run('DELETE FROM mails WHERE seq <= (SELECT max(seq) FROM mails) - ?', [keptMails]);
      passwords.set(mailId, password);
      const [oldest] = passwords.keys();
      if (oldest !== undefined && passwords.size > keptMails) passwords.delete(oldest);
    },
    /** Newest first. */
    list: () =>
      database
        .all<Mail>('SELECT mail_id, date_sent, recipient, subject, text FROM mails ORDER BY seq DESC')
        .map((mail) => ({ ...mail, hasPassword: passwords.has(mail.mail_id) })),
    /** @returns undefined when the password was taken before */
    takePassword(mailId: string): string | undefined {
      const password = passwords.get(mailId);
      passwords.delete(mailId);
      return password;
    },
  };
}
