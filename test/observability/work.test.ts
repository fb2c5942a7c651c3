import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBeginWork, noTracing } from '../../src/observability/tracing.ts';
import { slackLogger } from '../../src/slack/connection/client.ts';
import { recordingLog } from '../support/log.ts';

test('every line written while something is worked on names it, also of what it started; others do not', async () => {
  const { log, lines } = recordingLog();
  let count = 0;
  const beginWork = createBeginWork({ tracing: noTracing, newCorrelationId: () => `ref-${(count += 1)}` });
  const work = (from: string) =>
    beginWork({ from }, async () => {
      log.info('begun');
      await turn();
      await Promise.all([turn().then(() => log.info('aside')), turn()]);
      log.child({ part: 'sdk' }).info('over');
    });
  await Promise.all([work('command'), work('webhook')]);
  log.info('nobody’s');
  const seen = lines.map((line) => JSON.parse(line));
  for (const [correlationId, from] of [
    ['ref-1', 'command'],
    ['ref-2', 'webhook'],
  ]) {
    expect(seen.filter((line) => line.correlationId === correlationId)).toMatchObject(
      ['begun', 'aside', 'over'].map((msg) => ({ msg, from })),
    );
  }
  expect(seen.at(-1)).not.toHaveProperty('correlationId');
});

test('a line that tells of another reference keeps it', async () => {
  const { log, lines } = recordingLog();
  await createBeginWork({ tracing: noTracing, newCorrelationId: () => 'own' })({ from: 'command' }, async () =>
    log.info({ correlationId: 'other' }, 'audit'),
  );
  expect(lines.join('').match(/"correlationId":"\w+"/g)).toEqual(['"correlationId":"other"']);
});

test('a line of Slack’s SDK says so beside the work it belongs to', async () => {
  const { log, lines } = recordingLog();
  await createBeginWork({ tracing: noTracing, newCorrelationId: () => 'own' })({ from: 'command' }, async () =>
    slackLogger(log).warn('slow'),
  );
  expect(
    lines
      .join('')
      .match(/"(?:from|part|correlationId)":"[\w-]+"/g)
      ?.toSorted(),
  ).toEqual(['"correlationId":"own"', '"from":"command"', '"part":"slack-sdk"']);
});

test('what fails fails to whoever began it', async () => {
  const beginWork = createBeginWork({ tracing: noTracing, newCorrelationId: () => 'r' });
  await expect(beginWork({ from: 'webhook' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
});
