import {
  createEventParser,
  subjectOf,
  syntheticEvent,
  MalformedEventError,
} from '../../../src/features/webhooks/body.ts';
import fc from 'fast-check';
import { submissionOf } from '../../../src/quiz-api/responses.ts';
import { describe, expect, test } from 'vitest';
import { eventBody, webhookSecret as secret } from '../../support/event.ts';
import { answeredQuestion, quizResponse, submittedResponse } from '../../support/builders/responses.ts';
import { submission } from '../../support/builders/alerts.ts';
import { type SignatureScheme, verifySignature } from '../../../src/features/webhooks/signature.ts';
import { responseOddities } from '../../../src/sandbox/quiz-service/rough/records.ts';
import {
  bodyForms,
  otherEvents,
  signatureForms,
  timestampForms,
} from '../../../src/sandbox/quiz-service/rough/webhooks.ts';
import { signatureHeaders, signatureSchemes } from '../../../src/sandbox/quiz-service/webhooks/webhooks.ts';
import { runs } from '../../support/drawn.ts';

const submittedAt = Date.UTC(2018, 10, 2, 0, 5, 47);

const parse = createEventParser('UTC');
const parseEvent = (body: string, isTrusted = true, messageId?: string) =>
  parse(body, { isTrusted, takenAt: 7, messageId });
type Data = Record<string, unknown>;

describe('the body of a webhook', () => {
  test('is a submission where the signature covers it', () => {
    expect(parseEvent(eventBody({ event_id: ' e-1 ' }, { response_id: 'r-1' }))).toEqual({
      id: 'e-1',
      subject: 'q-1/r-1',
      isBackfilled: false,
      takenAt: 7,
      content: { kind: 'submission', submission: submission({ attempt: 2, submittedAt }) },
      result: '["passed",9,10,90,"A",1541117147,1541117147]',
    });
  });

  test('brings the answers of a submission, as far as the signature covers it and they can be read', () => {
    const questions = [answeredQuestion({ question_id: 'q-7' }), 'no question', answeredQuestion()];
    const body = eventBody({ event_id: 'e-1' }, { questions });
    expect(parseEvent(body).questions?.map(({ question_id: id }) => id)).toEqual([
      'q-7',
      answeredQuestion().question_id,
    ]);
    expect(parseEvent(body, false).questions).toBeUndefined();
    for (const none of [undefined, null, [], {}, 'none'])
      expect(parseEvent(eventBody({}, { questions: none })).questions).toBeUndefined();
  });

  test('is a hint where the signature does not cover it, whatever it says about the response', () => {
    for (const status of ['submitted', 'not_submitted']) {
      expect(parseEvent(eventBody({ event_id: 'e-1' }, { response_id: 'r-1', status }), false)).toEqual({
        id: 'e-1',
        subject: '',
        isBackfilled: false,
        takenAt: 7,
        content: { kind: 'hint', quizId: 'q-1', responseId: 'r-1' },
      });
    }
  });

  const unusable = [
    '..',
    '.',
    'a/../b',
    '../users',
    'a/b',
    'a\\b',
    'a\u0000',
    'a\nb',
    '\ud800',
    'a\u202eb',
    'x'.repeat(201),
  ];

  test.each<[message: string, body: string | Data, data?: Data]>([
    ['the body is not JSON', 'hello'],
    ['the body is not JSON', '{}\uFEFF'],
    ['the body is not a JSON object', '[]'],
    ['the body is not a JSON object', 'null'],
    ['data is not a response', '{}'],
    ['data is not a response', { data: null }],
    ['data is not a response', { data: [] }],
    ...['quiz_id', 'response_id'].flatMap((field) => [
      ...[undefined, null, ''].map((none): [string, Data, Data] => [`data has no ${field}`, {}, { [field]: none }]),
      ...[...unusable, '\u2028', ' ', {}, [], true, 1.5, 2 ** 60].map((id): [string, Data, Data] => [
        `${field} cannot be an id`,
        {},
        { [field]: id },
      ]),
    ]),
    ...unusable.map((event_id): [string, Data] => ['event_id cannot be an id', { event_id }]),
    ...['backfilled:q-1:r-1', 'confirmed:q-1:r-1', 'derived:0'].map((event_id): [string, Data] => [
      'event_id has a prefix that only the bot uses',
      { event_id },
    ]),
  ])('is malformed, since %s: %j %j', (message, body, data) => {
    const parsing = () => parseEvent(typeof body === 'string' ? body : eventBody(body, data));
    expect(parsing).toThrow(MalformedEventError);
    expect(parsing).toThrow(expect.objectContaining({ message, code: 'malformed_event' }));
  });

  test.each(['59d80f60-56eb-47d3-b953-8880d8219d1c', '10234', 'a:b:c', 'x'.repeat(200)])('can have the id %s', (id) => {
    const event = parseEvent(eventBody({ event_id: id }, { quiz_id: id, response_id: ` ${id} ` }));
    expect(event).toMatchObject({ id, subject: `${id}/${id}` });
  });

  test('can have numbers for ids, as long as no digit is lost', () => {
    expect(parseEvent(eventBody({ event_id: 7 }, { quiz_id: 8, response_id: 9 }))).toMatchObject({
      id: '7',
      subject: '8/9',
      content: { submission: { quizId: '8', responseId: '9' } },
    });
    expect(parseEvent(eventBody({ event_id: 2 ** 60 })).id).toMatch(/^derived:/);
  });

  test('has dates in the zone of the account', () => {
    const { content } = createEventParser('America/Denver')(eventBody(), { isTrusted: true, takenAt: 7 });
    expect(content).toMatchObject({ submission: { submittedAt: submittedAt + 6 * 3_600_000 } });
  });

  test.each<[event: Data, data: Data, kind: string | undefined]>([
    ...[undefined, null, '', 7, ' response.submitted '].map((event_type): [Data, Data, string] => [
      { event_type },
      {},
      'submission',
    ]),
    [{ event_type: 'x'.repeat(201) }, {}, undefined],
    [{}, { status: 'submitted', date_submitted: null }, 'submission'],
    [{}, { status: ' Submitted ', date_submitted: 'soon' }, 'submission'],
    [{}, { status: null }, 'submission'],
    [{}, { status: 'in_review' }, 'hint'],
    [{}, { status: { a: 1 } }, 'submission'],
    [{}, { status: 'in_review', date_submitted: null }, 'hint'],
    [{}, { status: undefined, date_submitted: undefined }, 'hint'],
    [{}, { status: 'not_submitted', date_submitted: null }, undefined],
    [{}, { status: 'not_started' }, undefined],
    [{}, { status: ' Not_Started ' }, undefined],
  ])('goes by its type, and by the status and the date of the submission: %j %j', (event, data, kind) => {
    expect(parseEvent(eventBody(event, data)).content?.kind).toBe(kind);
  });

  test('is announced with the link to the report and the names of registration, as far as they can be meant', () => {
    const link = 'https://quiz.example/report';
    const data = {
      user_id: 'u-1',
      response_report_url: link,
      first_name: '',
      last_name: '',
      registration_fields: [{ name: 'Full name', value: 'Juno Kaya' }],
    };
    expect(parseEvent(eventBody({}, data)).content).toMatchObject({
      submission: { name: 'Juno Kaya', userId: 'u-1' },
      respondent: { userId: 'u-1', reportUrl: link },
    });
    const late = [...Array.from({ length: 50 }, () => ({ name: 'Shift', value: 'A' })), ...data.registration_fields];
    expect(parseEvent(eventBody({}, { ...data, registration_fields: late })).content).toMatchObject({
      submission: { name: 'Guest' },
    });
  });

  test('is announced without what cannot be read, and never refused for it', () => {
    const required = new Set(['response_id', 'quiz_id', 'status']);
    const names = Object.keys((JSON.parse(eventBody()) as { data: object }).data).filter((name) => !required.has(name));
    const oddities = fc.dictionary(
      fc.oneof(fc.constantFrom(...names), fc.string()),
      fc.oneof(fc.jsonValue(), fc.constantFrom('\ud800', 'x'.repeat(5_000), '<p>', 1e308, -1, [[[[[[1]]]]]])),
    );
    fc.assert(
      fc.property(oddities, (odd) => {
        const data = Object.fromEntries(Object.entries(odd).filter(([name]) => !required.has(name)));
        const { content, subject } = parseEvent(eventBody({}, data));
        expect(content).toMatchObject({ kind: 'submission', submission: { quizId: 'q-1', responseId: 'r-1' } });
        expect(subject).toBe('q-1/r-1');
        expect(JSON.stringify(content).length).toBeLessThan(10_000);
        expect(JSON.stringify(content).isWellFormed()).toBe(true);
        expect(JSON.stringify(content)).not.toMatch(/\\ud[89a-f]/);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('an event without an id', () => {
  const idOf = (
    event: Record<string, unknown>,
    data: Record<string, unknown> = {},
    { isTrusted = true, messageId = undefined as string | undefined } = {},
  ) =>
    parseEvent(eventBody({ event_id: undefined, ...event }, { response_id: 'r-1', ...data }), isTrusted, messageId).id;

  test('gets one that is the same for each delivery of a response', () => {
    const first = idOf({});
    expect(first).toMatch(/^derived:[0-9a-f]{64}$/);
    for (const event_id of [undefined, null, '', '  ', {}, [], true])
      expect(idOf({ event_id, delivery_attempt: 2, event_date: 'later' }, { first_name: 'Ravi' })).toBe(first);
    const others = [
      idOf({}, { response_id: 'r-2' }),
      idOf({}, { quiz_id: 'q-2' }),
      idOf({}, { points: 1 }),
      idOf({}, { date_submitted: '2018-11-03 00:05:47' }),
      idOf({}, { date_submitted: '2018-11-02T00:05:47Z' }),
      idOf({}, { date_submitted: 1_541_117_147 }),
      idOf({}, {}, { isTrusted: false }),
    ];
    expect(new Set([first, ...others]).size).toBe(1 + others.length);
  });

  test('gets that of the delivery where the signature covers one', () => {
    const first = idOf({}, {}, { messageId: 'msg_1' });
    expect(idOf({ delivery_attempt: 2 }, { response_id: 'r-2' }, { messageId: 'msg_1' })).toBe(first);
    expect(idOf({}, {}, { messageId: 'msg_2' })).not.toBe(first);
    expect(parseEvent(eventBody({ event_id: 'e-1' }), true, 'msg_1').id).toBe('e-1');
  });

  test('gets one from its body where it reports no response', () => {
    const other = { event_type: 'user.created', data: { user_id: 'u-1' } };
    expect(idOf(other)).toBe(idOf(other));
    expect(idOf({ ...other, data: { user_id: 'u-2' } })).not.toBe(idOf(other));
  });
});

test.each([
  ['backfilled', true],
  ['confirmed', false],
] as const)('an event that the bot makes: %s', (kind, isBackfilled) => {
  expect(syntheticEvent(kind, submittedResponse(), 7)).toEqual({
    id: isBackfilled ? 'backfilled:q-1:r-1' : 'confirmed:q-1:r-1:7',
    subject: 'q-1/r-1',
    isBackfilled,
    takenAt: 7,
    content: {
      kind: 'submission',
      submission: submission({ userId: 'u-1', attempt: 2, submittedAt, isBackfilled }),
      respondent: { userId: 'u-1' },
    },
    result: '["passed",9,10,90,"A",1541117147,null]',
  });
  expect(subjectOf(quizResponse())).toBe('q-1/r-1');
});

test('a response without a name or a date is announced all the same', () => {
  expect(submissionOf(submittedResponse({ first_name: '', last_name: '', date_submitted: null }), false)).toMatchObject(
    { name: 'Guest', submittedAt: null, isBackfilled: false },
  );
  expect(submissionOf(submittedResponse({ first_name: '\u202E\n', last_name: '' }), false).name).toBe('Guest');
  expect(submissionOf(submittedResponse({ first_name: 'x'.repeat(300) }), false).name).toHaveLength(150);
});

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
