import { randomInt } from 'node:crypto';

/** No characters that look alike when read aloud or typed off a screen, and none that formats a message. */
const passwordAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const passwordLength = 16;

/** Makes a password for a new user: 16 characters, some 92 bits, from the system’s secure source. */
export function makePassword(): string {
  return Array.from({ length: passwordLength }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('');
}
