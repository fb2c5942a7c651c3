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
