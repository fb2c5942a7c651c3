import { expect, test } from 'vitest';
import { testAlertMessage } from '../../../src/slack/views/submission.ts';
import type { Subscription } from '../../../src/domain/subscription.ts';

const subscription: Pick<Subscription, 'quiz' | 'filter' | 'delivery' | 'timeZone' | 'showsNames'> = {
  quiz: { id: 'q-1', name: 'Fire safety' },
  filter: { kind: 'all' },
  delivery: { kind: 'digest', every: 'day', at: '08:30' },
  timeZone: 'Europe/Berlin',
  showsNames: true,
};

test('a test alert says at the start and the end that it is a test, and how alerts are delivered', () => {
  const { text, blocks } = testAlertMessage(subscription);
  expect(text).toBe('🧪 Test: ✅ Sam Sample: Fire safety, 90 %, grade A, passed');
  expect(blocks.at(0)).toMatchObject({ text: { text: expect.stringContaining('*This is a test.*') } });
  expect(blocks.at(-1)).toMatchObject({ elements: [{ text: '🧪 Test. This channel hears: Fire safety, a digest daily at 08:30 (Europe/Berlin).' }] });
});

test.each<[Subscription['filter'], string]>([
  [{ kind: 'passed' }, '✅ Sam Sample: Fire safety, 90 %, grade A, passed'],
  [{ kind: 'failed' }, '❌ Sam Sample: Fire safety, 40 %, grade F, not passed'],
  [{ kind: 'ungraded' }, '🖊️ Sam Sample: Fire safety, waiting to be marked'],
  [{ kind: 'below', percentage: 30 }, '❌ Sam Sample: Fire safety, 29 %, grade F, not passed'],
  [{ kind: 'grade', grade: 'B+' }, '✅ Sam Sample: Fire safety, 90 %, grade B+, passed'],
])('the sample matches the filter %j', (filter, sample) => {
  expect(testAlertMessage({ ...subscription, filter }).text).toBe(`🧪 Test: ${sample}`);
});

test('a test alert shows only initials in a channel without names', () => {
  expect(testAlertMessage({ ...subscription, quiz: null, showsNames: false }).text).toBe('🧪 Test: ✅ S. S.: Sample quiz, 90 %, grade A, passed');
});
