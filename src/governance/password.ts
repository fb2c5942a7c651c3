import { randomInt } from 'node:crypto';

/** No characters that look alike when read aloud or typed off a screen, none that Slack marks up. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const length = 16;

/** A password for a new user: 16 characters, some 92 bits, from the system's secure source. */
export function makePassword(): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
