import type { TrialAnswer } from '../../domain/trial.ts';
import { parseJson } from '../../quiz-api/answers.ts';
import { isObject, numberOf } from '../../quiz-api/fields.ts';
import { fitOf, offsetInWords, offsetOf } from '../../quiz-api/trial/date-zone.ts';
import { shapeDifferences } from '../../quiz-api/trial/shape-differences.ts';
import { responseShape, type Shape } from '../../quiz-api/trial/specification.ts';
import { matchOf, readSample, type RecordedWebhook, type WebhookMatch } from './diagnose-webhook.ts';
import type { SignatureRule } from './signature.ts';

/** What is known of the body of a webhook: it has the fields of a response, less the access code. */
const { access_code: _, ...dataShape } = responseShape;
const eventShape: Shape = {
  event_id: 'id',
  event_type: 'text',
  delivery_attempt: 'whole number',
  event_date: 'date',
  data: { itemsOf: undefined },
};

/**
 * Says how a recorded webhook was signed, how its body differs from what is known, and in which zone its date is.
 *
 * @param sample headers, an empty line and the body
 * @param isName whether a text is the name of somebody in the account
 */
export function tryWebhook(
  rule: SignatureRule,
  sample: string,
  nowMs: number,
  isName: (text: string) => boolean,
): TrialAnswer[] {
  const recorded = readSample(sample);
  const match = rule.secrets.length === 0 ? undefined : matchOf(rule, recorded, nowMs);
  const body = bodyIn(recorded);
  return [signatureAnswer(rule, recorded, match), bodyAnswer(body, isName), zoneAnswer(rule, recorded, match, body)];
}

function signatureAnswer(
  { secrets }: SignatureRule,
  { headers }: RecordedWebhook,
  match: WebhookMatch | undefined,
): TrialAnswer {
  const answer = {
    question: 'How the webhook was signed',
    relies: 'WEBHOOK_SCHEME, WEBHOOK_SIGNATURE_HEADER and WEBHOOK_TIMESTAMP_HEADER: src/features/alerts/signature.ts.',
  };
  if (match === undefined) {
    const why =
      secrets.length === 0 ? 'Not checked: WEBHOOK_SECRET is not set.' : 'By no known scheme with WEBHOOK_SECRET.';
    const forms = Object.entries(headers).flatMap(([name, value]) => signatureForm(name, String(value)));
    return {
      ...answer,
      state: secrets.length === 0 ? 'open' : 'other',
      found: [
        why,
        forms.length === 0 ? 'No header looks like a signature.' : `Headers that look like one: ${forms.join('; ')}.`,
      ],
    };
  }
  const { scheme, isConfigured } = match;
  const { signatureHeader, timestampHeader } = namesOf(match);
  const form = signatureForm(signatureHeader, String(headers[signatureHeader]))[0] ?? signatureHeader;
  const time = String(headers[timestampHeader] ?? '');
  return {
    ...answer,
    state: isConfigured ? 'expected' : 'other',
    found: [
      `The scheme ${scheme}, in ${form}${time === '' ? '' : `, with ${timeForm(time)} in ${timestampHeader}`}.`,
      isConfigured
        ? 'It is the configured one.'
        : 'Other settings are configured: npm run doctor -- sample.txt names the right ones.',
    ],
  };
}

/** The headers of a match, as they are in the sample. */
function namesOf({ scheme, rule }: WebhookMatch): { signatureHeader: string; timestampHeader: string } {
  if (scheme === 'standard') return { signatureHeader: 'webhook-signature', timestampHeader: 'webhook-timestamp' };
  return {
    signatureHeader: rule.signatureHeader.toLowerCase(),
    timestampHeader: scheme === 'body' ? '' : rule.timestampHeader.toLowerCase(),
  };
}

/** How a header holds a signature, without its value; nothing where it does not. */
function signatureForm(name: string, value: string): string[] {
  const forms: [RegExp, string][] = [
    [/^sha256=[\da-f]{64}$/i, 'sha256= and 64 hex digits'],
    [/^[\da-f]{64}$/i, '64 hex digits'],
    [/^[\w+/-]{43}=?$/, '32 bytes of base64'],
    [/^t=[^,]+,v1=/, 't=…,v1=… in one'],
    [/^v1,/, 'a list of v1,…'],
  ];
  const form = forms.find(([pattern]) => pattern.test(value))?.[1];
  return form === undefined ? [] : [`${name} (${form})`];
}

function timeForm(time: string): string {
  if (/^\d{10}$/.test(time)) return 'seconds since 1970';
  if (/^\d{13}$/.test(time)) return 'milliseconds since 1970';
  return /^\d{4}-/.test(time)
    ? `a date ${/(?:Z|[+-]\d\d:?\d\d)$/.test(time) ? 'with' : 'without'} its zone`
    : 'a time of another form';
}

function bodyIn({ bodies: [body] }: RecordedWebhook): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function bodyAnswer(body: unknown, isName: (text: string) => boolean): TrialAnswer {
  const answer = {
    question: 'The body of the webhook',
    relies: 'What is announced without asking the service: src/features/alerts/webhook-body.ts.',
  };
  if (!isObject(body)) return { ...answer, state: 'other', found: ['It is no JSON object.'] };
  // `data` is an object and no list: its fields are compared by themselves.
  const event = { ...body, data: isObject(body['data']) ? [] : body['data'] };
  const differences = [
    ...shapeDifferences([event], eventShape, isName),
    ...shapeDifferences([body['data']], dataShape, isName).map((line) => `data.${line}`),
  ].map((line) => line.replace(/ in 1 of 1$/, ''));
  return {
    ...answer,
    state: 'expected',
    found: differences.length === 0 ? ['It has exactly the fields that are known.'] : differences,
  };
}

/** A webhook comes within the minutes after its event, unless it is delivered again. */
const deliveredWithinMs = 10 * 60_000;

function zoneAnswer(
  { timeZone }: SignatureRule,
  { headers }: RecordedWebhook,
  match: WebhookMatch | undefined,
  body: unknown,
): TrialAnswer {
  const answer = {
    question: 'The zone of the webhook’s date',
    relies: 'Every date without an offset is read in QUIZ_TIME_ZONE: src/quiz-api/account-dates.ts.',
  };
  const { event_date: date, delivery_attempt: attempt } = isObject(body) ? body : {};
  const names = [
    ...(match ? [namesOf(match).timestampHeader] : []),
    'webhook-timestamp',
    'x-webhook-timestamp',
    'date',
  ];
  const sentAt = names.map((name) => momentOf(String(headers[name] ?? ''))).find((moment) => moment !== undefined);
  const open = (why: string): TrialAnswer => ({ ...answer, state: 'open', found: [why] });
  if (typeof date !== 'string') return open('The webhook has no event_date.');
  if (sentAt === undefined) return open('The headers do not say when the webhook was sent, so its date does not tell.');
  if ((numberOf(attempt) ?? 1) > 1) return open('The webhook was delivered again, so its date does not tell.');
  const offsetMs = offsetOf(date.replace('T', ' ').replace(/\.\d+$/, ''), sentAt, deliveredWithinMs);
  if (offsetMs === undefined) return open('event_date and the time of the headers are not as far apart as a zone.');
  const fit = fitOf(timeZone, offsetMs, sentAt);
  return {
    ...answer,
    state: fit.fits ? 'expected' : 'other',
    found: [`${offsetInWords(offsetMs)}, by event_date and the time at which the webhook was sent.`, fit.text],
  };
}

function momentOf(written: string): number | undefined {
  if (/^\d{10}$/.test(written)) return Number(written) * 1000;
  if (/^\d{13}$/.test(written)) return Number(written);
  const moment = /^\d{4}-.*(?:Z|[+-]\d\d:?\d\d)$|GMT$/.test(written) ? Date.parse(written) : NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
