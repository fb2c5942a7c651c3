import { expect, test } from 'vitest';
import { createRefusalLog } from '../../src/observability/log.ts';
import { createHandTimers } from '../support/hand-timers.ts';
import { recordingLog } from '../support/log.ts';

test('a thousand refused requests are one log line, and the next one starts another', () => {
  const { log, lines } = recordingLog();
  const timers = createHandTimers();
  const count = createRefusalLog(log, 'requests refused', timers.setTimer);
  for (let index = 0; index < 999; index += 1) count('unsigned');
  count('signature');
  expect(lines).toEqual([]);
  expect(timers.pending()).toEqual([5_000]);
  timers.fire(5_000);
  count('unsigned');
  timers.fire(5_000);
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 'warn', msg: 'requests refused', reasons: { unsigned: 999, signature: 1 } }),
    expect.objectContaining({ reasons: { unsigned: 1 } }),
  ]);
});
