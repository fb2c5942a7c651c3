import { expect, test } from 'vitest';
import {
  backfillQueue,
  channelQueue,
  digestQueue,
  inboxQueue,
  queuesOf,
  readQueue,
  sweepQueue,
} from '../../../src/domain/queues.ts';
import { subscription } from '../../support/builders/alerts.ts';

test('queues keep the names under which they are stored', () => {
  expect([inboxQueue, backfillQueue, sweepQueue]).toEqual(['inbox', 'backfill', 'sweep']);
  expect(queuesOf(subscription())).toEqual(['channel/T1/C1']);
  expect(queuesOf(subscription({ delivery: { kind: 'digest', every: 'hour' } }))).toEqual([
    'channel/T1/C1',
    'digest/T1/s-1',
  ]);
});

test('a name says what the queue is for', () => {
  expect(readQueue(inboxQueue)).toEqual({ kind: 'inbox', teamId: '', id: '' });
  expect(readQueue(channelQueue('T1', 'C1'))).toEqual({ kind: 'channel', teamId: 'T1', id: 'C1' });
  expect(readQueue(digestQueue('T1', 's-1'))).toEqual({ kind: 'digest', teamId: 'T1', id: 's-1' });
});
