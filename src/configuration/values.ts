import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { isLoopback } from '../domain/address.ts';
import { languageCodes, languageOf } from '../words/languages.ts';

const signatureScheme = z.enum(['body', 'timestamp-body', 'standard', 'timestamp-secret']);

/** Parts separated by commas. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** How webhooks may be signed. */
export const signatureSchemes = list
  .refine((names) => names.length > 0 && names.every((name) => signatureScheme.safeParse(name).success), {
    error: `must be one or more of ${signatureScheme.options.join(', ')}, separated by commas.`,
    abort: true,
  })
  .transform((names) => [...new Set(names)].map((name) => signatureScheme.parse(name)));

export const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');

export const noUrl = 'must be an http or https address.';
export const url = z.url({ protocol: /^https?$/, error: noUrl, abort: true });

/** Programs take the address of a proxy without `http://`, too. */
export const proxy = z
  .string()
  .transform((text) => (text.includes('://') ? text : `http://${text}`))
  .pipe(
    z.url({
      protocol: /^https?$/,
      error: 'must be the http or https address of a proxy, such as http://proxy.example:3128.',
    }),
  );

/** The certificates in a file. */
export const certificates = z.string().transform((path, { addIssue }) => {
  try {
    const found = readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs);
    if (found !== null) return [...found];
    addIssue(`names ${path}, which has no certificate: name a file with “BEGIN CERTIFICATE” in it.`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    addIssue(`names ${path}, which cannot be read (${code}): name a file that the bot’s user may read.`);
  }
  return z.NEVER;
});

/** The address of the quiz service without what the bot adds itself. */
export const baseAddress = (address: string): string => address.replace(/(?:\/+api(?:\/+v1)?)?\/*$/i, '');

export const timeZone = z
  .string()
  .refine(isTimeZone, { error: 'must be a time zone name such as Europe/Berlin.' })
  .default('UTC');

/** Many systems set `LANGUAGE` to a list of locales: https://www.gnu.org/software/gettext/manual/html_node/The-LANGUAGE-variable.html */
export const language = z.string().transform((text, { addIssue }) => {
  const [first] = text.split(':');
  const spoken = languageOf(first);
  if (spoken !== undefined) return spoken;
  addIssue(`must be one of ${languageCodes.join(', ')}.`);
  return z.NEVER;
});

/** A channel or another conversation. */
export const conversationId = z
  .string()
  .regex(
    /^[CGD][A-Z0-9]+$/,
    'must be the id of a channel, such as C0123456789 (it stands at the end of the channel’s details in Slack).',
  );

/** Whether nobody on the way can read what is sent there. */
export function isEncrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const sentinel =
  'must be the address of one Redis. The bot does not follow Redis Sentinel or Redis Cluster by itself: set the address of a proxy that follows the primary, such as HAProxy.';

/**
 * The address of one Redis. What the client would ignore, such as most of a query, is refused: the bot would use another
 * Redis or another database than the one that is meant.
 */
export const redisAddress = z
  .string()
  .refine((text) => !isOfSeveral(text), { error: sentinel, abort: true })
  .pipe(
    z.url({
      protocol: /^(?:rediss?|unix)$/,
      error: 'must be an address such as redis://127.0.0.1:6379, rediss://… with TLS, or unix:///run/redis.sock.',
      abort: true,
    }),
  )
  .superRefine((text, { addIssue }) => {
    const problem = problemOf(new URL(text));
    if (problem !== undefined) addIssue(problem);
  });

/**
 * @param address a valid address
 * @returns the address with a password that it does not have yet
 */
export function withPassword(address: string, password: string): string {
  const parsed = new URL(address);
  // An address without a host cannot have a password. The host of a socket has no meaning.
  if (parsed.protocol === 'unix:' && parsed.host === '') parsed.host = 'localhost';
  parsed.password = encodeURIComponent(password);
  return parsed.href;
}

/** The forms in which clients of other languages name a Sentinel, a cluster or several servers. */
function isOfSeveral(text: string): boolean {
  const [, scheme = '', rest = ''] = /^([^:]*):\/\/(?:[^@/?#]*@)?(.*)$/.exec(text) ?? [];
  return (
    /sentinel|cluster/i.test(scheme) ||
    rest.includes(',') ||
    /[?&][^=]*(?:sentinel|master|service_?name)/i.test(rest) ||
    /^[^/?#]*:26379\/(?!\d*(?:[?#]|$))/.test(rest)
  );
}

function problemOf({ protocol, pathname, searchParams, hash }: URL): string | undefined {
  const names = [...searchParams.keys()];
  if (protocol === 'unix:') {
    const isWrong = names.some((name) => name !== 'db') || !/^\d*$/.test(searchParams.get('db') ?? '') || hash !== '';
    return isWrong ? 'must have nothing after the path of the socket but a database, such as ?db=1.' : undefined;
  }
  if (names.includes('path'))
    return 'must name a socket as unix:///run/redis.sock, with ?db=1 for another database: the bot does not read ?path=.';
  if (names.length > 0 || hash !== '')
    return 'must end with the port or the database, such as redis://127.0.0.1:6379/1: the bot does not read what follows it.';
  return /^\/?\d*$/.test(pathname)
    ? undefined
    : 'must have the number of a database after the port or nothing, such as redis://127.0.0.1:6379/1.';
}
