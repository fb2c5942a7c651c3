import { expect, test } from 'vitest';
import type { Check } from '../../src/domain/finding.ts';
import { createHealth, createReadinessRoute } from '../../src/health/health.ts';
import { slackMeaning } from '../../src/slack/slack-finding.ts';
import { storeMeaning } from '../../src/storage/checks.ts';
import { askRoute } from '../support/ask-route.ts';

const well: Check = { ...storeMeaning, look: async () => undefined };

const healthOf = (...checks: Check[]) => createHealth({ checks, timeoutMs: 20, now: () => 0 });

test('/readyz says what is wrong in words and reveals only the name of the error', async () => {
  const refused = Object.assign(new Error('auth.test with xoxb-canary failed'), {
    code: 'slack_webapi_platform_error',
    data: { ok: false, error: 'invalid_auth' },
  });
  const lost = Object.assign(new Error('connect ECONNREFUSED redis://:canary@10.0.0.1'), { code: 'ECONNREFUSED' });
  const health = healthOf(
    { ...storeMeaning, look: () => Promise.reject(lost) },
    { ...slackMeaning, look: () => Promise.reject(refused) },
  );
  const { status, body } = await askRoute(createReadinessRoute({ health }));
  expect(status).toBe(503);
  expect(body).toEqual({
    ready: false,
    store: 'the store cannot be used (ECONNREFUSED)',
    slack: 'Slack cannot be used (invalid_auth)',
  });
});

test('/readyz answers though a check hangs, and asks it once for all who ask meanwhile', async () => {
  let asked = 0;
  const hanging: Check = { ...slackMeaning, look: () => new Promise(() => (asked += 1)) };
  const route = createReadinessRoute({ health: healthOf(well, hanging) });
  const answers = [await askRoute(route), await askRoute(route)];
  for (const { status, body } of answers) {
    expect(status).toBe(503);
    expect(body).toEqual({ ready: false, store: 'ok', slack: 'Slack cannot be used (it does not answer in time)' });
  }
  expect(asked).toBe(1);
});

test('/readyz asks again after a check has ended, and survives one that throws at once', async () => {
  let asked = 0;
  const throwing: Check = {
    ...storeMeaning,
    look() {
      asked += 1;
      if (asked === 1) throw new Error('at once');
      return Promise.resolve(undefined);
    },
  };
  const route = createReadinessRoute({ health: healthOf(throwing) });
  expect((await askRoute(route)).body).toEqual({ ready: false, store: 'the store cannot be used (Error)' });
  expect((await askRoute(route)).status).toBe(200);
});

test('a bot that is shutting down is not ready, and says so', async () => {
  const { status, body } = await askRoute(createReadinessRoute({ health: healthOf(well), isStopping: () => true }));
  expect(status).toBe(503);
  expect(body).toEqual({ ready: false, bot: 'is shutting down', store: 'ok' });
});
