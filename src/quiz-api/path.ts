/**
 * Builds a path from a template; every part filled in becomes exactly one segment.
 *
 * @throws {TypeError} for a part that no encoding makes safe: empty, `.`, `..` (URL parsers resolve
 *   them even when percent-encoded), or text that is not well-formed Unicode.
 */
export function path(template: TemplateStringsArray, ...parts: readonly string[]): string {
  return template.reduce((built, literal, index) => `${built}${encodePart(parts[index - 1] ?? '')}${literal}`);
}

function encodePart(part: string): string {
  if (part === '' || part === '.' || part === '..' || !part.isWellFormed()) {
    throw new TypeError(`${JSON.stringify(part)} cannot be an id`);
  }
  return encodeURIComponent(part);
}
