import { expect, test } from 'vitest';
import { testAlertPage } from '../../../../src/features/alerts/pages/submissions.ts';
import { drawn } from '../../../support/draw.ts';
import type { Subscription } from '../../../../src/domain/subscription.ts';

const testAlertMessage = (...of: Parameters<typeof testAlertPage>) => drawn(testAlertPage(...of));

const subscription: Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'> = {
  quiz: { id: 'q-1', name: 'Fire safety' },
  filter: { kind: 'all' },
  delivery: { kind: 'digest', every: 'day', at: '08:30' },
  timeZone: 'Europe/Berlin',
  showsNames: true,
};

test('a test alert says at the start and the end that it is a test, and how alerts are delivered', () => {
  const { text, blocks } = testAlertMessage(subscription);
  expect(text).toBe('🧪 Test: ✅ Sam Sample passed Fire safety with 90% (9 of 10 points), grade A');
  expect(blocks.at(0)).toMatchObject({ text: { text: expect.stringContaining('*This is a test.*') } });
  expect(blocks.at(-1)).toMatchObject({
    elements: [
      { text: '🧪 This channel is subscribed to results of *Fire safety*: a daily digest at 08:30 (Berlin time)' },
    ],
  });
});

test.each<[Subscription['filter'], string]>([
  [{ kind: 'passed' }, '✅ Sam Sample passed Fire safety with 90% (9 of 10 points), grade A'],
  [{ kind: 'failed' }, '❌ Sam Sample failed Fire safety with 40% (4 of 10 points), grade F'],
  [{ kind: 'ungraded' }, '🖊️ Sam Sample submitted Fire safety. Waiting to be marked.'],
  [{ kind: 'below', percentage: 30 }, '❌ Sam Sample failed Fire safety with 29% (2.9 of 10 points), grade F'],
  [{ kind: 'grade', grade: 'B+' }, '✅ Sam Sample passed Fire safety with 90% (9 of 10 points), grade B+'],
])('the sample matches the filter %j', (filter, sample) => {
  expect(testAlertMessage({ ...subscription, filter }).text).toBe(`🧪 Test: ${sample}`);
});

test('a test alert shows only initials in a channel without names', () => {
  expect(testAlertMessage({ ...subscription, quiz: null, showsNames: false }).text).toBe(
    '🧪 Test: ✅ S. S. passed Sample quiz with 90% (9 of 10 points), grade A',
  );
});
