import { expect, test } from 'vitest';
import { recordingLog } from '../support/log.ts';

function logInto(secrets: string[]) {
  const { log, lines } = recordingLog(secrets);
  return { log, read: () => lines.join('') };
}

test('a secret is blotted out wherever it stands in a line', () => {
  const { log, read } = logInto(['xoxb-very-secret', 'with "quotes" & more']);
  log.info({ nested: { header: 'Bearer xoxb-very-secret' } }, 'calling with xoxb-very-secret');
  log.info({ body: 'token=xoxb-very-secret&x=1' });
  log.info('with "quotes" & more');
  log.info(`encoded: ${encodeURIComponent('with "quotes" & more')}`);
  expect(read()).not.toContain('very-secret');
  expect(read()).not.toContain('quotes');
  expect(read().match(/\[redacted\]/g)).toHaveLength(5);
});

test('of two secrets that begin alike nothing stays', () => {
  const { log, read } = logInto(['rotated', 'rotated-and-longer']);
  log.info('rotated-and-longer');
  expect(read()).not.toContain('longer');
});

test('an error is told with its causes, without the request a library keeps in it', () => {
  const { log, read } = logInto([]);
  const cause = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', config: { headers: { authorization: 'Bearer canary' } } });
  log.error({ error: new Error('no answer', { cause }) }, 'it failed');
  const line = JSON.parse(read());
  expect(line.error).toMatchObject({ name: 'Error', message: 'no answer', cause: { message: 'socket hang up', code: 'ECONNRESET' } });
  expect(read()).not.toContain('canary');
});

test('fields that are secret by name are blotted out even when their value is not known', () => {
  const { log, read } = logInto([]);
  log.info({ password: 'hunter22', user: { password: 'hunter22' }, request: { headers: { cookie: 'hunter22' } } }, 'created');
  expect(read()).not.toContain('hunter22');
});
