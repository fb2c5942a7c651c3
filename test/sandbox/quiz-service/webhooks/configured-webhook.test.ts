import { expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { takeAsGuest } from '../support/respondent.ts';
import { quizNamed, startTestService } from '../support/service.ts';

test('the configured webhook adopts a new endpoint, secret and scheme, and can be removed', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()];
  const service = await startTestService({ webhook: { url: first.url, secret: 'old' } });
  const { quiz_id } = await quizNamed(service, '<!channel> & <https://x|y>');
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
