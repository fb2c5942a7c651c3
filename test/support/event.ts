import { createHmac } from 'node:crypto';

export const webhookSecret = 'shared-with-the-account';

/** The body of a webhook as the service sends it. `data` overrides fields of the response. */
export function eventBody(overrides: Record<string, unknown> = {}, data: Record<string, unknown> = {}): string {
  return JSON.stringify({
    event_id: '59d80f60-56eb-47d3-b953-8880d8219d1c',
    event_type: 'response.submitted',
    delivery_attempt: 1,
    event_date: '2018-11-02 00:05:47',
    data: {
      response_id: 'r-1',
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

/** The scheme `body`, in hex. */
export function sign(body: string | Buffer, secret = webhookSecret): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** Delivers a webhook as the service does, signed by the scheme `body`. */
export function sendEvent(botUrl: string, body = eventBody(), secret = webhookSecret): Promise<Response> {
  return fetch(`${botUrl}/webhooks/quiz`, { method: 'POST', body, headers: { 'x-webhook-signature': sign(body, secret) } });
}
