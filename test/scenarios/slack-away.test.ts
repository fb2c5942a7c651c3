import { expect, test } from 'vitest';
import { channels } from '../../src/sandbox/workspace/people.ts';
import { eventBody, numberedName, sendEvent } from '../support/event.ts';
import { readAnnouncements } from '../support/delivery-report.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startTestBed } from '../support/test-bed.ts';

const results = channels.results.id;
const people = Array.from({ length: 60 }, (_, index) => numberedName(index + 1));

test('what waits begins to be posted within 10 seconds of Slack being back, and one cheap call asks for Slack until then', async () => {
  const clock = fastClock(10);
  const { workspace, url } = await startTestBed({ clock });
  await sendEvent(url, eventBody({ event_id: 'before' }, { response_id: 'before' }));
  await workspace.until(() => workspace.messages(results).length === 1);

  const comesBack = workspace.faults.inject({ kind: 'http-error', status: 503 });
  const callsBefore = workspace.calls.length;
  for (const [index, name] of people.entries())
    await sendEvent(
      url,
      eventBody(
        { event_id: `away-${index}` },
        { response_id: `away-${index}`, first_name: 'Maximiliana', last_name: name },
      ),
    );
  // After failed calls at 0, 1, 3, 7, … 127 seconds, the next one of a growing backoff would come at 255.
  await clock.sleep(135_000);
  const calls = workspace.calls.slice(callsBefore).map(({ method }) => method);
  comesBack();
  const backAt = clock.now();
  await workspace.until(
    () => readAnnouncements(workspace.messages(results)).flatMap(({ names }) => names).length >= people.length,
  );
  expect(clock.now() - backAt).toBeLessThan(10_000);
  expect(calls.filter((method) => method !== 'auth.test').length).toBeLessThan(10);
  expect(calls.length).toBeLessThan(80);
});
