export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns undefined when the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns undefined when the value is no object or lacks the key */
export const propertyOf = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);

/** @returns the empty string when the value has no text there */
export function textOf(value: unknown, key: string): string {
  const text = propertyOf(value, key);
  return typeof text === 'string' ? text : '';
}

/** Copies an object without the given keys. */
export function withoutKeys<T extends object, K extends keyof T>(value: T, ...keys: K[]): Omit<T, K> {
  const copy = { ...value };
  for (const key of keys) delete copy[key];
  return copy;
}

/** Copies the given keys, except undefined values. */
export function pickKeys<T extends object, K extends keyof T>(from: T, ...keys: K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key];
  return picked;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
