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
