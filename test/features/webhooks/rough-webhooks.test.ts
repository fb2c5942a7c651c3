import { describe, expect, test } from 'vitest';
import { createEventParser } from '../../../src/features/webhooks/body.ts';
import { type SignatureScheme, verifySignature } from '../../../src/features/webhooks/signature.ts';
import { responseOddities } from '../../../src/sandbox/quiz-service/rough/records.ts';
import {
  bodyForms,
  otherEvents,
  signatureForms,
  timestampForms,
} from '../../../src/sandbox/quiz-service/rough/webhooks.ts';
import { signatureHeaders, signatureSchemes } from '../../../src/sandbox/quiz-service/webhooks/webhooks.ts';
import { eventBody, webhookSecret as secret } from '../../support/event.ts';

const parse = createEventParser('UTC');
const signed = { isTrusted: true, takenAt: 7 };
const fieldsOf = (body: string) => JSON.parse(body) as Record<string, unknown> & { data: Record<string, unknown> };
const announced = (body: string) => {
  const { content } = parse(body, signed);
  return content?.kind === 'submission' ? content.submission : undefined;
};

/** The oddities that leave no response to announce or to ask for. */
const unusable = new Set(['response-null', 'response-response-id-missing']);

/** What the announcement of an odd response says differently, beside name and outcome. The others say what the smooth one says. */
const differences: Record<string, object> = {
  'response-date-submitted-milliseconds': { submittedAt: expect.any(Number) },
  'response-points-tail': { points: 0.1 + 0.2 },
  'response-percentage-score-tail': { percentage: expect.closeTo(89.67, 1) },
  'response-percentage-score-null': { percentage: null },
  'response-grade-number': { grade: '2' },
  'response-grade-null': { grade: '' },
  'response-duration-missing': { durationSeconds: null },
  'response-attempt-missing': { attempt: null },
  'response-fields-missing': {
    quizName: 'Unnamed quiz q-1',
    points: null,
    availablePoints: null,
    percentage: null,
    grade: '',
    attempt: null,
    durationSeconds: null,
    submittedAt: null,
  },
};

const responses = responseOddities.map(({ name, sample, change, fits }) => {
  const record = { ...fieldsOf(eventBody()).data, ...sample };
  return {
    name,
    isFit: fits(record),
    isSubmitted: record['status'] === 'submitted',
    isUsable: !unusable.has(name),
    body: eventBody({ data: change(record, 'UTC') }),
  };
});
const usable = responses.filter(({ isUsable }) => isUsable);
/** The status is not one of the specification, so the service is asked. */
const isOfUnknownStatus = ({ name }: { name: string }) => name === 'response-status-unknown';

test.each(usable.filter(isOfUnknownStatus))('a webhook with the odd response $name is a hint', ({ body }) => {
  expect(parse(body, signed).content).toEqual({ kind: 'hint', quizId: 'q-1', responseId: 'r-1' });
});

test.each(usable.filter((response) => response.isSubmitted && !isOfUnknownStatus(response)))(
  'a webhook with the odd response $name is announced with what it says',
  ({ name, isFit, body }) => {
    expect(isFit).toBe(true);
    const { name: _name, outcome: _outcome, ...smooth } = announced(eventBody())!;
    expect(announced(body)).toMatchObject({ ...smooth, ...differences[name] });
  },
);

test.each(usable.filter(({ isSubmitted }) => !isSubmitted))(
  'a webhook with the odd response $name is not announced before the submission',
  ({ body }) => {
    expect(parse(body, signed).content).toBeUndefined();
  },
);

test.each(usable)(
  'a webhook with the odd response $name is a hint where its signature does not cover it',
  ({ body }) => {
    expect(parse(body, { ...signed, isTrusted: false }).content).toEqual({
      kind: 'hint',
      quizId: 'q-1',
      responseId: 'r-1',
    });
  },
);

test.each(responses.filter(({ isUsable }) => !isUsable))(
  'a webhook with the odd response $name, which names no response, is refused',
  ({ body }) => {
    expect(() => parse(body, signed)).toThrow(/^data /);
  },
);

test.each(bodyForms)('a webhook with the odd form $name is announced, and its redelivery is known', ({ write }) => {
  const [first, again] = [1, 2].map((delivery_attempt) =>
    parse(write(fieldsOf(eventBody({ delivery_attempt }))), signed),
  );
  expect(first).toMatchObject({ subject: 'q-1/r-1', content: { kind: 'submission' } });
  expect(again?.id).toBe(first?.id);
});

test.each(otherEvents)('a webhook of the type $eventType is taken, with nothing to announce', ({ eventType }) => {
  for (const data of [{ user_id: 'u-1' }, { response_id: 'r-1', status: 'submitted' }, null, 7]) {
    expect(parse(eventBody({ event_type: eventType, data }), signed)).toMatchObject({
      subject: '',
      content: undefined,
    });
  }
});

describe('a webhook signed in an odd form', () => {
  const nowMs = Date.UTC(2026, 10, 2, 8);
  const body = eventBody();
  const check = (headers: Record<string, string>, schemes: readonly SignatureScheme[]) =>
    verifySignature(
      {
        schemes,
        secrets: [secret],
        allowsUnsigned: false,
        signatureHeader: 'X-Webhook-Signature',
        timestampHeader: 'X-Webhook-Timestamp',
        timeZone: 'America/Denver',
      },
      headers,
      Buffer.from(body),
      nowMs,
    );
  const forms = [{ name: 'smooth', write: (ms: number) => String(Math.floor(ms / 1000)) }, ...timestampForms];

  test.each(forms)('is accepted by its scheme and among several: timestamp $name', ({ write }) => {
    for (const scheme of signatureSchemes) {
      const smooth = signatureHeaders({ scheme, secret, eventId: 'e-1', body, timestamp: write(nowMs) });
      const headers = [
        smooth,
        ...signatureForms.filter((form) => form.scheme === scheme).map((form) => form.headers(smooth, secret)),
      ];
      for (const one of headers) {
        const accepted = { accepted: true, coversBody: scheme !== 'timestamp-secret' };
        expect(check(one, [scheme])).toMatchObject(accepted);
        expect(check(one, signatureSchemes)).toMatchObject(accepted);
        expect(check(one, signatureSchemes.toReversed())).toMatchObject(accepted);
      }
    }
  });
});
