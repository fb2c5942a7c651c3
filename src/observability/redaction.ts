export const redacted = '[redacted]';

/** Fields that open something. */
const secretFields = ['password', 'passwd', 'secret', 'signing_secret', 'token', 'access_token', 'refresh_token', 'bot_token', 'api_key', 'apiKey', 'x-api-key', 'authorization', 'cookie', 'set-cookie', 'access_code', 'response_url', 'responseUrl', 'trigger_id'];
/** Fields that tell who somebody is, where they are, and what they answered. */
const personalFields = ['first_name', 'firstName', 'last_name', 'lastName', 'full_name', 'real_name', 'display_name', 'user_name', 'username', 'email', 'email_address', 'emailAddress', 'ip_address', 'ipAddress', 'answer'];
/** Fields that hold more than a text: they go as a whole. */
const wholeFields = ['headers', 'answers', 'questions', 'form', 'body', 'payload'];

/** For pino’s `redact`: at the top of a line and one below. Texts are found further below as well, by `createRedaction`. */
export const redactedPaths = wholeFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`]);

const fieldNames = [...secretFields, ...personalFields].map((field) => RegExp.escape(field)).join('|');
/** A field in the line itself, with a text or a number. */
const field = new RegExp(String.raw`("(?:${fieldNames})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|[-\d.]+)`, 'gi');
/** A field in JSON that is a text of the line: every quote has a backslash, and every backslash a second one. */
const fieldInText = new RegExp(String.raw`(\\"(?:${fieldNames})\\"\s*:\s*)(?:\\"(?:[^"\\]|\\\\(?:\\["\\]|[^"\\]))*\\"|[-\d.]+)`, 'gi');
const inForm = /((?:password|passwd|secret|token|api_?key|access_code|signature|trigger_id|response_url)=)(?:\\["/]|[^\s"\\&])+/gi;

interface Pattern {
  /** Where none of these is in a line, the pattern cannot be. Looking for a text is much faster than a pattern. */
  hints: readonly string[];
  pattern: RegExp;
  /** `$1` is what may be seen. */
  replacement: string;
}

const patterns: readonly Pattern[] = [
  { hints: ['"'], pattern: field, replacement: `$1"${redacted}"` },
  { hints: [String.raw`\"`], pattern: fieldInText, replacement: String.raw`$1\"${redacted}\"` },
  { hints: ['='], pattern: inForm, replacement: `$1${redacted}` },
  // https://docs.slack.dev/authentication/tokens
  { hints: ['xox', 'xapp-', 'xwfp-', 'XOX', 'XAPP-'], pattern: /x(?:ox[a-z]|app|wfp)[-.][\w.-]+/gi, replacement: redacted },
  { hints: ['earer', 'EARER', 'asic ', 'ASIC '], pattern: /\b((?:bearer|basic)(?: +|%20|\+))[^\s"'\\,;<>]+/gi, replacement: `$1${redacted}` },
  { hints: ['hooks.slack'], pattern: /(hooks\.slack(?:-gov)?\.com)(?:\/|%2F)[^\s"'\\<>]*/gi, replacement: `$1/${redacted}` },
  { hints: ['://'], pattern: /(:\/\/)[^\s"'\\/@]{1,500}@/g, replacement: `$1${redacted}@` },
];

/**
 * Blots out of a line of JSON whatever must not be seen in a log: the secrets that are known, and what looks like
 * a token, a password, an address to which anybody can post, or an e-mail address. The line stays JSON.
 */
export function createRedaction(secrets: readonly string[]): (line: string) => string {
  const blotSecrets = secretBlotter(secrets);
  return (line) => {
    let blotted = blotSecrets(line);
    for (const { hints, pattern, replacement } of patterns) {
      if (hints.some((hint) => blotted.includes(hint))) blotted = blotted.replace(pattern, replacement);
    }
    return blotted.includes('@') || blotted.includes('%40') ? blotAddresses(blotted) : blotted;
  };
}

function secretBlotter(secrets: readonly string[]): (line: string) => string {
  const shapes = secrets.flatMap((secret) => [inJson(secret), inJson(inJson(secret)), encodeURIComponent(secret)]);
  // The longest first, or of one secret that begins with another the rest would stay.
  const alternatives = [...new Set(shapes)].toSorted((a, b) => b.length - a.length).map((shape) => RegExp.escape(shape));
  if (alternatives.length === 0) return (line) => line;
  const pattern = new RegExp(alternatives.join('|'), 'g');
  return (line) => line.replace(pattern, (_match, offset: number) => line.slice(offset, endOfEscape(line, offset)) + redacted);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const atSign = /@|%40/gi;
const longestLocalPart = 64;
/** From a place in the line on. */
const domain = /[^\s"'\\<>()[\],;:@/?#&%|{}=]{1,253}/y;
const endsLocalPart = /[\s"\\<>()[\],;:@]/;

/** Not one pattern: on a long text that would look for the beginning of an address at every letter again. */
function blotAddresses(line: string): string {
  let blotted = '';
  let done = 0;
  for (const { index: at, 0: sign } of line.matchAll(atSign)) {
    if (at < done) continue;
    domain.lastIndex = at + sign.length;
    // Before the @ of a package (`node_modules/@slack`) stands a slash.
    if (line[at - 1] === '/' || !domain.test(line)) continue;
    const end = domain.lastIndex;
    let start = at;
    while (start > done && at - start < longestLocalPart && !endsLocalPart.test(line[start - 1] ?? '')) start -= 1;
    start = endOfEscape(line, start);
    if (start >= at) continue;
    blotted += line.slice(done, start) + redacted;
    done = end;
  }
  return blotted + line.slice(done);
}

/** Where the escape ends in which a place of a line of JSON lies: the `n` of `\n` is no letter of the text. The place itself where it lies in none. */
function endOfEscape(line: string, place: number): number {
  const [begun] = /\\u?[\da-f]{0,3}$/i.exec(line.slice(Math.max(0, place - 5), place)) ?? [];
  if (begun === undefined) return place;
  const backslash = place - begun.length;
  let before = backslash;
  while (line[before - 1] === '\\') before -= 1;
  if ((backslash - before) % 2 === 1) return place;
  const length = line[backslash + 1] === 'u' ? 6 : 2;
  return Math.max(place, backslash + length);
}
