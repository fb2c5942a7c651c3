/** Whether a text is a whole e-mail address, and not a part of one or another word. */
export function isFullAddress(text: string): boolean {
  return /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(text);
}

/** Whether two addresses are the same in any case. */
export function isSameAddress(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
