import { mapTexts } from './said.ts';

/** Whether a host of an address is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Whether a text is a whole e-mail address, and not a part of one or another word. */
export function isFullAddress(text: string): boolean {
  return /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text);
}

/** Whether two addresses are the same. Only the case of ASCII letters is ignored: U+212A looks like “K” and is another address. */
export function isSameAddress(a: string, b: string): boolean {
  return foldAddress(a) === foldAddress(b);
}

/** An address as a key: the same for addresses that `isSameAddress` takes for the same. */
export function foldAddress(address: string): string {
  return address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Shortens every e-mail address in the texts of a plain value to its first letter and its domain:
 * `rosa@quiz.example` becomes `r…@quiz.example`. What the bot keeps for good holds no address that can be written to.
 */
export function maskAddresses<Value>(value: Value): Value {
  return mapTexts(value, (text) => (text.includes('@') ? text.replaceAll(/\S+/g, maskWord) : text));
}

function maskWord(word: string): string {
  const parts = word.split('@');
  return parts
    .map((part, index) => (index === parts.length - 1 ? part : part.replace(/([\p{L}\p{N}]).*$/u, '$1…')))
    .join('@');
}
