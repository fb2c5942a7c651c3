/** An operation of the specification's section 4. */
export interface Endpoint {
  /** For logs and metrics, for example `quizzes.get`. */
  operation: string;
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the service's address, built by `path`. */
  path: string;
  /** The path and query, below the origin, of a further page of a list. */
  page?: string | undefined;
  form?: Readonly<Record<string, string | boolean | undefined>> | undefined;
  /** The media types of its answer; JSON unless given. */
  accept?: string | undefined;
  /** Whether a second request changes nothing more; true for a GET, otherwise false unless given. */
  isIdempotent?: boolean | undefined;
}

/**
 * Builds a path from a template. Each value becomes exactly one segment.
 *
 * @throws {TypeError} for a value that no encoding makes safe: empty, `.`, `..` (URL parsers resolve
 *   them even when percent-encoded), or text that is not well-formed Unicode
 */
export function path(template: TemplateStringsArray, ...values: readonly string[]): string {
  return template.reduce((built, literal, index) => `${built}${encodeSegment(values[index - 1] ?? '')}${literal}`);
}

function encodeSegment(value: string): string {
  if (value === '' || value === '.' || value === '..' || !value.isWellFormed()) {
    throw new TypeError(`${JSON.stringify(value)} cannot be an id`);
  }
  return encodeURIComponent(value);
}

/** Encodes a form body without the fields that are undefined. */
export function encodeForm(form: NonNullable<Endpoint['form']>): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(form)) {
    if (value !== undefined) fields.append(name, String(value));
  }
  return fields.toString();
}
