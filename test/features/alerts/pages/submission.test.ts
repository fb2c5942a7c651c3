import { asSent } from '../../../support/as-sent.ts';
import { describe, expect, test } from 'vitest';
import type { Submission } from '../../../../src/domain/queue-entry.ts';
import { submissionPage } from '../../../../src/features/alerts/pages/submissions.ts';
import { drawn } from '../../../support/draw.ts';
import { sentTexts } from '../../../support/slack-limits.ts';
import { submission } from '../../../support/builders/alerts.ts';

const submissionMessage = (...of: Parameters<typeof submissionPage>) => drawn(submissionPage(...of));

const submittedAt = Date.UTC(2018, 10, 2, 0, 5, 47);
const minuteMs = 60_000;
const messageOf = (overrides: Partial<Submission> = {}, { showsNames = true, postedAt = submittedAt } = {}) =>
  submissionMessage({ submission: submission(overrides), showsNames, postedAt });
const textsOf = (...options: Parameters<typeof messageOf>) => sentTexts(messageOf(...options).blocks);

describe('the message of a submission', () => {
  test('is one line with person, quiz, percentage, points, grade and attempt, and a button for the attempt', () => {
    const message = messageOf({ percentage: 87.5, points: 7, availablePoints: 8, grade: 'B', attempt: 2, submittedAt });
    expect(message.text).toBe('✅ Rosa Almeida passed Fire safety with 87.5% (7 of 8 points), grade B, 2nd attempt');
    expect(message.blocks).toHaveLength(1);
    expect(message.blocks[0]).toMatchObject({
      type: 'section',
      text: {
        text: '✅ *Rosa Almeida* passed *Fire safety* with 87.5% (7 of 8 points), grade B, 2nd attempt',
        verbatim: true,
      },
      accessory: {
        type: 'button',
        action_id: 'modal:show-attempt',
        text: { text: 'View attempt' },
        accessibility_label: 'View attempt of Rosa Almeida',
        value: JSON.stringify({ operation: 'show-attempt', raw: { quiz: ['q-1'], response: ['r-1'] } }),
      },
    });
  });

  test.each<[string, Partial<Submission>, string]>([
    [
      'a failed quiz',
      { outcome: 'failed', percentage: 40, points: 4, grade: 'F' },
      '❌ *Rosa Almeida* failed *Fire safety* with 40% (4 of 10 points), grade F',
    ],
    [
      'a survey',
      { outcome: 'not graded', points: 0, availablePoints: 0, percentage: 0, grade: '' },
      '📋 *Rosa Almeida* submitted *Fire safety*. Not graded.',
    ],
    [
      'a survey that was repeated',
      { outcome: 'not graded', points: 0, availablePoints: 0, percentage: 0, grade: '', attempt: 3 },
      '📋 *Rosa Almeida* submitted *Fire safety*, 3rd attempt. Not graded.',
    ],
    [
      'an essay',
      { outcome: 'unmarked', points: 0, percentage: 0, grade: '' },
      '🖊️ *Rosa Almeida* submitted *Fire safety*. Waiting to be marked.',
    ],
    [
      'a percentage alone',
      { points: null, availablePoints: null, grade: '' },
      '✅ *Rosa Almeida* passed *Fire safety* with 90%',
    ],
    ['points alone', { percentage: null, grade: '' }, '✅ *Rosa Almeida* passed *Fire safety* with 9 of 10 points'],
    [
      'one point',
      { percentage: 100, points: 1, availablePoints: 1, grade: '' },
      '✅ *Rosa Almeida* passed *Fire safety* with 100% (1 of 1 point)',
    ],
    ['a grade alone', { percentage: null, points: null }, '✅ *Rosa Almeida* passed *Fire safety* with grade A'],
    [
      'a grade that says so itself',
      { percentage: null, points: null, grade: 'Grade 1' },
      '✅ *Rosa Almeida* passed *Fire safety* with Grade 1',
    ],
    [
      'a grade that repeats the result',
      { grade: 'Pass' },
      '✅ *Rosa Almeida* passed *Fire safety* with 90% (9 of 10 points)',
    ],
    [
      'a grade that contradicts the result',
      { outcome: 'failed', grade: 'Pass' },
      '❌ *Rosa Almeida* failed *Fire safety* with 90% (9 of 10 points), grade Pass',
    ],
    [
      'no figures',
      { percentage: null, points: null, grade: '', attempt: 0, name: '' },
      '✅ *Guest* passed *Fire safety*',
    ],
    [
      'the 22nd attempt',
      { percentage: null, points: null, grade: '', attempt: 22 },
      '✅ *Rosa Almeida* passed *Fire safety*, 22nd attempt',
    ],
    [
      'the 111th attempt',
      { percentage: null, points: null, grade: '', attempt: 111 },
      '✅ *Rosa Almeida* passed *Fire safety*, 111th attempt',
    ],
  ])('says of %s only what is known', (_, overrides, line) => {
    expect(textsOf(overrides)).toEqual([line]);
    expect(messageOf(overrides).text).toBe(line.replaceAll('*', ''));
  });

  test('notifies nobody, whatever the names of the quiz and the person', () => {
    const message = messageOf({
      quizName: '<!channel> & <https://x|y>',
      name: '<@U123>',
      percentage: null,
      points: null,
      grade: '',
    });
    const texts = [asSent(message.text, 'markup'), ...sentTexts(message.blocks)].join();
    expect(texts).not.toMatch(/<!channel>|<https|<@/);
    expect(message.blocks[0]).toMatchObject({
      text: { text: '✅ *&lt;@U123&gt;* passed *&lt;!channel&gt; &amp; &lt;https://x|y&gt;*', verbatim: true },
    });
  });

  test('has a time of its own only if it is posted five minutes later or more', () => {
    const shown = 'Submitted <!date^1541117147^{date_short_pretty} {time}|2 Nov 2018, 00:05 UTC>';
    expect(textsOf({ submittedAt }, { postedAt: submittedAt + 5 * minuteMs })[1]).toBe(shown);
    expect(textsOf({ submittedAt }, { postedAt: submittedAt - 5 * minuteMs })[1]).toBe(shown);
    expect(textsOf({ submittedAt }, { postedAt: submittedAt + 5 * minuteMs - 1 })).toHaveLength(1);
    expect(textsOf({ submittedAt: null }, { postedAt: submittedAt })).toHaveLength(1);
  });

  test('says that it is late if its webhook is missing', () => {
    expect(messageOf({ isBackfilled: true, submittedAt, grade: '' }).text).toBe(
      '✅ Rosa Almeida passed Fire safety with 90% (9 of 10 points) (late)',
    );
    expect(textsOf({ isBackfilled: true, submittedAt })[1]).toMatch(
      /^⏰ Late: submitted <!date[^>]*>, but the quiz service’s webhook never arrived\.$/,
    );
    expect(textsOf({ isBackfilled: true })[1]).toBe('⏰ Late: the quiz service’s webhook never arrived.');
  });

  test('shows only the initials in a channel without names', () => {
    const message = messageOf({}, { showsNames: false });
    expect(message.text).toBe('✅ R. A. passed Fire safety with 90% (9 of 10 points), grade A');
    expect(JSON.stringify(message)).not.toMatch(/Rosa|Almeida/);
    expect(message.blocks[0]).toMatchObject({ accessory: { accessibility_label: 'View attempt of R. A.' } });
  });

  test('has no button if the ids are too long for it', () => {
    expect(messageOf({ responseId: 'r'.repeat(2_000) }).blocks[0]).not.toHaveProperty('accessory');
  });
});
