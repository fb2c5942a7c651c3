import { createHmac } from 'node:crypto';
import type { Events, NewEvent, NewQueueEntry } from '../../src/domain/queues.ts';
import type { TakeResult } from '../../src/storage/storage.ts';
import type { Storage } from '../../src/storage/records.ts';
import { submission } from './builders/alerts.ts';

export const webhookSecret = 'shared-with-the-account';

/** The body of a webhook as the quiz service sends it. `data` overrides fields of the response; events with different ids are about different responses, unless it says otherwise. */
export function eventBody(overrides: Record<string, unknown> = {}, data: Record<string, unknown> = {}): string {
  const { event_id } = overrides;
  return JSON.stringify({
    event_id: '59d80f60-56eb-47d3-b953-8880d8219d1c',
    event_type: 'response.submitted',
    delivery_attempt: 1,
    event_date: '2018-11-02 00:05:47',
    data: {
      response_id: typeof event_id === 'string' ? `r-${event_id}` : 'r-1',
      quiz_id: 'q-1',
      quiz_name: 'Fire safety',
      first_name: 'Rosa',
      last_name: 'Almeida',
      email_address: 'rosa@quiz.example',
      user_id: null,
      user_name: null,
      date_submitted: '2018-11-02 00:05:47',
      points: 9,
      available_points: '10.00',
      percentage_score: 90,
      grade: 'A',
      pass: true,
      duration: 245,
      attempt: 2,
      ip_address: '203.0.113.7',
      status: 'submitted',
      publish_type: 'quiz_link',
      certificate_url: '',
      response_report_url: 'not_in_use',
      registration_fields: [],
      ...data,
    },
    ...overrides,
  });
}

/** The signature of the scheme `body`: an HMAC-SHA256 of the body in hex. */
export function sign(body: string | Buffer, secret = webhookSecret): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Sends a webhook to the bot, signed with the scheme `body`. */
export function sendEvent(botUrl: string, body = eventBody(), secret = webhookSecret): Promise<Response> {
  return fetch(`${botUrl}/webhooks/quiz`, {
    method: 'POST',
    body,
    headers: { 'x-webhook-signature': sign(body, secret) },
  });
}

/** A last name with a number in it, which tests find again in messages. */
export const numberedName = (number: number): string => `P${String(number).padStart(5, '0')}`;

export const numberOfName = (name: string): number => Number(name.slice(1));

export const numberedNamePattern = /\bP\d{5,}\b/g;

const firstSubmissionMs = Date.UTC(2026, 10, 20);

/** The body of a webhook for the respondent with this number. Respondents submit one second apart. */
export function numberedSubmission(
  number: number,
  options: {
    quiz?: { id: string; name: string };
    userId?: string | null;
    eventIdPrefix?: string;
    deliveryAttempt?: number;
  } = {},
): string {
  const {
    quiz = { id: 'q-1', name: 'Fire safety' },
    userId = null,
    eventIdPrefix = 'event',
    deliveryAttempt = 1,
  } = options;
  const submitted = new Date(firstSubmissionMs + number * 1000).toISOString().replace('T', ' ').slice(0, 19);
  const percentage = (number * 7) % 101;
  return eventBody(
    { event_id: `${eventIdPrefix}-${number}`, delivery_attempt: deliveryAttempt, event_date: submitted },
    {
      response_id: `${eventIdPrefix}-response-${number}`,
      quiz_id: quiz.id,
      quiz_name: quiz.name,
      user_id: userId,
      last_name: numberedName(number),
      email_address: `person.${number}@quiz.example`,
      date_submitted: submitted,
      points: percentage / 10,
      percentage_score: percentage,
      pass: percentage >= 60,
      grade: percentage >= 60 ? 'B' : 'F',
    },
  );
}

/** The event of Rosa's submission. */
export function newEvent(overrides: Partial<NewEvent> & { id: string }): NewEvent {
  const { id, subject = `q-1/${id}`, isBackfilled = false } = overrides;
  const [quizId = '', responseId = ''] = subject.split('/');
  return {
    subject,
    isBackfilled,
    takenAt: 1_000,
    content: { kind: 'submission', submission: submission({ quizId, responseId, isBackfilled }) },
    ...overrides,
  };
}

/** A hint about Rosa's submission. */
export function hintEvent(overrides: Partial<NewEvent> & { id: string }): Events['inbox'] {
  const content = { kind: 'hint', quizId: 'q-1', responseId: overrides.id } as const;
  return { ...newEvent({ subject: '', ...overrides }), content };
}

/** Takes an event with these entries, matched with the current subscriptions. */
export async function takeMatched(
  { inbox, subscriptions }: Pick<Storage, 'inbox' | 'subscriptions'>,
  event: NewEvent,
  entries: readonly NewQueueEntry[] = [],
): Promise<TakeResult> {
  return inbox.take(event, entries, { teamId: 'T1', version: await subscriptions.version('T1') });
}

const ungraded = { points: 0, percentage_score: 0, grade: '', pass: false };

/** Webhooks whose alerts are the hardest to word, each with what its alert says and what no alert may say. */
const worst: readonly { name: string; data: Record<string, unknown>; says: string; isWithout: RegExp }[] = [
  {
    name: 'survey',
    data: { ...ungraded, quiz_name: 'Onboarding survey', available_points: 0, attempt: 1 },
    says: '📋 *Rosa Almeida* submitted *Onboarding survey*. Not graded.',
    isWithout: /points|grade [A-F]|passed|failed|attempt, |0%/i,
  },
  {
    name: 'essay',
    data: {
      ...ungraded,
      quiz_name: 'Handover, written exam',
      first_name: 'Kofi',
      last_name: 'Brandt',
      available_points: 10,
      attempt: 0,
      duration: null,
    },
    says: '🖊️ *Kofi Brandt* submitted *Handover, written exam*. Waiting to be marked.',
    isWithout: /points|grade|passed|failed|0th|0%/i,
  },
  {
    name: 'guest',
    data: {
      first_name: '',
      last_name: null,
      email_address: 'guest@visitor.example',
      attempt: null,
      duration: null,
      grade: null,
      pass: true,
    },
    says: '✅ *Guest* passed *Fire safety* with 90% (9 of 10 points)',
    isWithout: /visitor\.example|grade|\dth|Somebody/i,
  },
  {
    name: 'registered guest',
    data: {
      first_name: '',
      last_name: '',
      registration_fields: [
        { name: 'E-mail', value: 'juno@visitor.example' },
        { name: 'Full name', value: 'Juno Kaya' },
      ],
      attempt: 1,
    },
    says: '✅ *Juno Kaya* passed *Fire safety* with 90% (9 of 10 points), grade A',
    isWithout: /visitor\.example/,
  },
  {
    name: 'HTML in the quiz name',
    data: {
      quiz_name:
        '<p><strong>Fire&nbsp;safety</strong> &amp; first aid<img src="https://quiz.example/logo.png" alt="logo"></p>',
      attempt: 1,
    },
    says: '✅ *Rosa Almeida* passed *Fire safety &amp; first aid [image: logo]* with 90% (9 of 10 points), grade A',
    isWithout: /&lt;|<p>|nbsp|quiz\.example/,
  },
  {
    name: 'floating-point tails',
    data: {
      quiz_name: 'Ladders',
      points: 0.30000000000000004,
      available_points: '0.90',
      percentage_score: 33.333333333333336,
      grade: 'F',
      pass: false,
      attempt: 1,
    },
    says: '❌ *Rosa Almeida* failed *Ladders* with 33.3% (0.3 of 0.9 points), grade F',
    isWithout: /\.\d{3}/,
  },
];

export const worstAlerts = worst.map((alert, index) => ({
  ...alert,
  /** The body of its webhook. `times` tells repeated events apart. */
  body: (times: number) =>
    eventBody(
      { event_id: `worst-${index}-${times}` },
      {
        response_id: `worst-${index}-${times}`,
        quiz_id: 'quiz_name' in alert.data ? `q-worst-${index}` : 'q-worst',
        ...alert.data,
      },
    ),
}));
