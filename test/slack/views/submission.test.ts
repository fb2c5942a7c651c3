import { describe, expect, test } from 'vitest';
import { submissionMessage } from '../../../src/slack/views/submission.ts';
import { submission } from '../../support/builders/alerts.ts';

const named = { timeZone: 'Europe/Berlin', showsNames: true };
const submittedAt = Date.UTC(2018, 10, 2, 0, 5, 47);
const textOf = (message: unknown) => JSON.stringify(message);

describe('the message of a submission', () => {
  test('shows person, quiz, points, percentage, grade, result, attempt, duration and time', () => {
    const message = submissionMessage(submission({ attempt: 2, submittedAt }), named);
    expect(message.text).toBe('✅ Rosa Almeida: Fire safety, 90 %, grade A, passed');
    expect(message.blocks).toMatchObject([
      { text: { text: '✅ *Rosa Almeida* passed *Fire safety*' } },
      {
        fields: [
          { text: '*Score*\n9 of 10 points' },
          { text: '*Percentage*\n90 %' },
          { text: '*Grade*\nA' },
          { text: '*Result*\n✅ Passed' },
          { text: '*Attempt*\n2' },
          { text: '*Time taken*\n4 min 5 s' },
        ],
      },
      { elements: [{ text: 'Submitted <!date^1541117147^{date_short_pretty} {time}|2 Nov 2018, 01:05 CET>' }] },
    ]);
  });

  test('shows a failed result with words and an icon, not only with a color', () => {
    const message = submissionMessage(submission({ outcome: 'failed', percentage: 40, grade: 'F' }), named);
    expect(message.text).toContain('not passed');
    expect(textOf(message.blocks)).toContain('❌ *Rosa Almeida* did not pass *Fire safety*');
    expect(textOf(message.blocks)).toContain('❌ Not passed');
  });

  test('notifies nobody, whatever the names of the quiz and the person', () => {
    const message = submissionMessage(submission({ quizName: '<!channel> & <https://x|y>', name: '<@U123>' }), named);
    expect(textOf(message)).not.toContain('<!channel>');
    expect(textOf(message)).not.toContain('<https');
    expect(textOf(message)).not.toContain('<@');
    expect(message.blocks[0]).toMatchObject({ text: { text: '✅ *&lt;@U123&gt;* passed *&lt;!channel&gt; &amp; &lt;https://x|y&gt;*', verbatim: true } });
  });

  test('leaves out the grade and the time that the service does not say', () => {
    const message = submissionMessage(submission({ name: '', grade: '' }), named);
    expect(message.text).toBe('✅ Guest: Fire safety, 90 %, passed');
    expect(message.blocks).toHaveLength(2);
  });

  test('says that it is late if its webhook is missing', () => {
    const message = submissionMessage(submission({ isBackfilled: true, submittedAt }), named);
    expect(message.text).toBe('✅ Rosa Almeida: Fire safety, 90 %, grade A, late, passed');
    expect(message.blocks[2]).toMatchObject({ elements: [{ text: expect.stringMatching(/^⏰ Late: .* Submitted <!date/) }] });
    expect(submissionMessage(submission({ isBackfilled: true }), named).blocks[2]).toMatchObject({ elements: [{ text: expect.stringMatching(/^⏰ Late: [^<]*$/) }] });
  });

  test('shows only the initials in a channel without names', () => {
    const message = submissionMessage(submission(), { ...named, showsNames: false });
    expect(message.text).toBe('✅ R. A.: Fire safety, 90 %, grade A, passed');
    expect(textOf(message)).not.toMatch(/Rosa|Almeida/);
  });
});
