import { createEventParser, MalformedEventError } from './body.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { fault, right, unknown, type Diagnosis } from '../../domain/finding.ts';
import { verifySignature, type SignatureRule, type SignatureScheme } from './signature.ts';

const allSchemes: readonly SignatureScheme[] = ['body', 'timestamp-body', 'standard', 'timestamp-secret'];

/** Says how webhooks must be signed. */
export function expectedWebhook(rule: SignatureRule): Diagnosis[] {
  if (rule.secrets.length === 0) {
    return [
      rule.allowsUnsigned
        ? unknown('WEBHOOK_ALLOW_UNSIGNED is true: unsigned webhooks are taken as hints, each of which costs a request')
        : fault(
            'WEBHOOK_SECRET is not set, so every webhook is refused: set it to the secret of the webhook in the quiz account',
          ),
    ];
  }
  return rule.schemes.map((scheme) => right(`the scheme ${scheme} expects ${formOf(scheme, rule)}`));
}

function formOf(scheme: SignatureScheme, { signatureHeader, timestampHeader }: SignatureRule): string {
  switch (scheme) {
    case 'body':
      return `HMAC-SHA256 of the body in ${signatureHeader}`;
    case 'timestamp-body':
      return `HMAC-SHA256 of “{timestamp}.{body}” in ${signatureHeader}, with the time in ${timestampHeader} or as t=…,v1=… in one header`;
    case 'standard':
      return 'the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks)';
    case 'timestamp-secret':
      return `SHA-256 or HMAC-SHA256 of “{timestamp} {secret}” in ${signatureHeader}, with the time in ${timestampHeader}`;
  }
}

/**
 * Verifies a webhook that the operator recorded: headers, an empty line, the body. Its time may be long ago.
 * Lines name headers and schemes, and never a value.
 */
export function checkSample(rule: SignatureRule, sample: string, nowMs: number): Diagnosis[] {
  const recorded = readSample(sample);
  const { headers, bodies } = recorded;
  if (Object.keys(headers).length === 0)
    return [fault('the sample has no headers: give it the headers, an empty line and the body, as they came')];
  if (bodies[0] === '') return [fault('the sample has no body: put an empty line between headers and body')];
  const event = eventDiagnosis(bodies[0], rule, nowMs);
  if (rule.secrets.length === 0)
    return [unknown('the signature of the sample was not checked: no secret is set'), event];
  const match = matchOf(rule, recorded, nowMs);
  if (match?.isConfigured)
    return [right(`the signature of the sample is right (scheme ${match.scheme}; its time was not checked)`), event];
  if (match !== undefined)
    return [fault(`the sample matches another setting: set ${settingsOf(match.rule, rule)}`), event];
  const check = verifySignature({ ...rule, toleranceMs: Infinity }, headers, Buffer.from(bodies[0]), nowMs);
  const problems = check.accepted
    ? ''
    : check.tried.map(({ scheme: tried, problem }) => `${tried}: ${problem}`).join('; ');
  return [
    fault(
      `the sample matches no scheme with WEBHOOK_SECRET (${problems}): copy the secret again, and record headers and body as they came`,
    ),
    event,
  ];
}

/** A webhook that the operator recorded. */
interface RecordedWebhook {
  /** Names are in lower case. */
  headers: IncomingHttpHeaders;
  /** The body, without and with the line break at its end. */
  bodies: [string, ...string[]];
}

/** Finds how a recorded webhook was signed, whatever its time: by the configured rule, or by any scheme in any of its headers. */
function matchOf(rule: SignatureRule, { headers, bodies }: RecordedWebhook, nowMs: number) {
  const ageless = { ...rule, toleranceMs: Infinity };
  const accepts = (tried: SignatureRule) =>
    bodies.some((body) => verifySignature(tried, headers, Buffer.from(body), nowMs).accepted);
  for (const tried of [ageless, ...otherRules(ageless, Object.keys(headers))]) {
    const scheme = tried.schemes.find((one) => accepts({ ...tried, schemes: [one] }));
    if (scheme !== undefined) return { scheme, rule: tried, isConfigured: tried === ageless };
  }
  return undefined;
}

/** Every scheme with each header of the sample as its signature and its time. */
function otherRules(rule: SignatureRule, names: readonly string[]): SignatureRule[] {
  return allSchemes.flatMap((scheme) =>
    [rule.signatureHeader, ...names].flatMap((signatureHeader) =>
      [rule.timestampHeader, ...names].map((timestampHeader) => ({
        ...rule,
        schemes: [scheme],
        signatureHeader,
        timestampHeader,
      })),
    ),
  );
}

function settingsOf(
  { schemes: [scheme], signatureHeader, timestampHeader }: SignatureRule,
  before: SignatureRule,
): string {
  const settings = [
    ...(scheme !== undefined && before.schemes.includes(scheme) ? [] : [`WEBHOOK_SCHEME=${scheme}`]),
    ...(signatureHeader === before.signatureHeader ? [] : [`WEBHOOK_SIGNATURE_HEADER=${signatureHeader}`]),
    ...(timestampHeader === before.timestampHeader ? [] : [`WEBHOOK_TIMESTAMP_HEADER=${timestampHeader}`]),
  ];
  return settings.join(' and ');
}

function eventDiagnosis(body: string, { timeZone }: SignatureRule, nowMs: number): Diagnosis {
  try {
    const { content } = createEventParser(timeZone)(body, { isTrusted: true, takenAt: nowMs });
    return content === undefined
      ? right('the body is an event that the bot accepts and does not announce')
      : right('the body names a quiz and a response');
  } catch (error) {
    if (error instanceof MalformedEventError)
      return fault(`the body of the sample is refused: ${error.message}. Record it as it came`);
    throw error;
  }
}

/** Reads headers and body, also behind a request line. Editors add a line break at the end, so the body is tried with and without it. */
function readSample(sample: string): RecordedWebhook {
  const [, head = sample, body = ''] = /^(.*?)\r?\n\r?\n(.*)$/s.exec(sample.replace(/^\s+/, '')) ?? [];
  const lines = [...head.matchAll(/^([\w-]+):[ \t]*(.*?)[ \t\r]*$/gm)].map(
    ([, name, value]) => [name!.toLowerCase(), value!] as const,
  );
  return { headers: Object.fromEntries(lines), bodies: [body.replace(/\r?\n$/, ''), body] };
}
