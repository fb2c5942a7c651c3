import { expect, test } from 'vitest';
import { startReceiver, aUuid, call, get, openQuiz } from '../support/service.ts';
import { takeAsGuest } from '../support/respondent.ts';

const htmlQuiz = '<!channel> & <https://x|y>';

test('a submission sends the response without its access code to the webhook', async () => {
  const receiver = await startReceiver();
  const { service, quiz: quiz_id } = await openQuiz(htmlQuiz, { webhook: { url: receiver.url, secret: 'hush' } });
  const responseId = await takeAsGuest(service, quiz_id, ['&amp;', 'True']);

  const [delivery] = await receiver.next(1);
  const { access_code, ...response } = await get(service, `/quizzes/${quiz_id}/responses/${responseId}`);
  expect(access_code).toBe('');
  expect(delivery?.event).toEqual({
    event_id: aUuid,
    event_type: 'response.submitted',
    delivery_attempt: 1,
    event_date: response.date_submitted,
    data: response,
  });
  expect(delivery?.body).toMatch(/"available_points":\d\.\d\d,/);
  expect(response).toMatchObject({
    status: 'submitted',
    quiz_name: htmlQuiz,
    points: 2.67,
    percentage_score: 67,
    pass: true,
  });
});

test('a delivery that does not get status 200 is repeated with the same event_id and a higher delivery_attempt', async () => {
  const receiver = await startReceiver((number) => [500, 204, 302, 200][number - 1] ?? 200);
  const { service, quiz: quiz_id } = await openQuiz(htmlQuiz, {
    webhook: { url: receiver.url },
    redeliveryDelaysMs: [1, 1, 1, 1],
  });
  await takeAsGuest(service, quiz_id);

  const deliveries = await receiver.next(4);
  expect(deliveries.map(({ event }) => event.delivery_attempt)).toEqual([1, 2, 3, 4]);
  expect(new Set(deliveries.map(({ event }) => event.event_id)).size).toBe(1);
  expect(deliveries[0]?.headers['x-webhook-signature']).toBeUndefined();
});

test('operations of the REST interface send no events', async () => {
  const receiver = await startReceiver();
  const { service, quiz: quiz_id } = await openQuiz(htmlQuiz, { webhook: { url: receiver.url } });
  await call(service, 'POST', `/quizzes/${quiz_id}`, { name: 'renamed' });
  const responses = await get(service, `/quizzes/${quiz_id}/responses`);
  await call(service, 'DELETE', `/quizzes/${quiz_id}/responses/${responses[0].response_id}`);
  const responseId = await takeAsGuest(service, quiz_id);

  const [first] = await receiver.next(1);
  expect(first?.event.data.response_id).toBe(responseId);
});

test('the configured webhook adopts a new endpoint, secret and scheme, and can be removed', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()];
  const { service, quiz: quiz_id } = await openQuiz('<!channel> & <https://x|y>', {
    webhook: { url: first.url, secret: 'old' },
  });
  await takeAsGuest(service, quiz_id);
  const [before] = await first.next(1);
  expect(Object.keys(before?.headers ?? {})).toContain('x-webhook-signature');

  service.setWebhook({ url: second.url, secret: 'whsec_bmV3', scheme: 'standard' });
  await takeAsGuest(service, quiz_id);
  const [after] = await second.next(1);
  expect(after?.headers['webhook-id']).toBe(after?.event.event_id);
  expect(after?.headers['webhook-signature']).toMatch(/^v1,/);

  service.setWebhook(undefined);
  await takeAsGuest(service, quiz_id);
  expect(service.database.all('SELECT * FROM deliveries')).toEqual([]);
  expect([first.received.length, second.received.length]).toEqual([1, 1]);
});
