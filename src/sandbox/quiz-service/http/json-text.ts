/** Node’s own, which the types of ES2025 lack: https://tc39.es/proposal-json-parse-with-source */
const { rawJSON } = JSON as typeof JSON & { rawJSON: (text: string) => object };

/** Serializes what the service sends: `available_points` with two fraction digits, as the specification’s samples have it. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (key, field: unknown) =>
    key === 'available_points' && typeof field === 'number' ? rawJSON(field.toFixed(2)) : field,
  );
}
