import type { Response } from '../store/responses.ts';

/** What `response.submitted` says of a response: all of it but the access code. */
export function submittedData(response: Response): Omit<Response, 'access_code'> {
  const { access_code: _, ...data } = response;
  return data;
}

export interface Delivery {
  event_id: string;
  event_type: string;
  event_date: string;
  /** JSON. */
  event_data: string;
  /** 1 for the first delivery. */
  attempt: number;
}

/** The body of one delivery. */
export function webhookBody({ event_id, event_type, event_date, event_data, attempt }: Delivery): string {
  return JSON.stringify({
    event_id,
    event_type,
    delivery_attempt: attempt,
    event_date,
    data: JSON.parse(event_data) as unknown,
  });
}
