import { describe, expect, test } from 'vitest';
import { submissionMessage } from '../../../src/slack/views/submission.ts';
import { quizResponse } from '../../support/quiz-response.ts';

const textOf = (message: unknown) => JSON.stringify(message);

describe('the message of a submission', () => {
  test('tells person, quiz, points, percentage, grade, result, attempt, time taken and when', () => {
    const message = submissionMessage(quizResponse(), 'Europe/Berlin');
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

  test('says not passed in words and sign, not by colour alone', () => {
    const message = submissionMessage(quizResponse({ pass: false, percentage_score: 40, grade: 'F' }), 'UTC');
    expect(message.text).toContain('not passed');
    expect(textOf(message.blocks)).toContain('❌ *Rosa Almeida* did not pass *Fire safety*');
    expect(textOf(message.blocks)).toContain('❌ Not passed');
  });

  test('pages nobody, whatever the quiz and the person are called', () => {
    const message = submissionMessage(quizResponse({ quiz_name: '<!channel> & <https://x|y>', first_name: '<@U123>', last_name: '' }), 'UTC');
    expect(textOf(message)).not.toContain('<!channel>');
    expect(textOf(message)).not.toContain('<https');
    expect(textOf(message)).not.toContain('<@');
    expect(message.blocks[0]).toMatchObject({ text: { text: '✅ *&lt;@U123&gt;* passed *&lt;!channel&gt; &amp; &lt;https://x|y&gt;*', verbatim: true } });
  });

  test('holds no address, access code or link of the respondent', () => {
    const text = textOf(submissionMessage(quizResponse(), 'UTC'));
    for (const personal of ['rosa@quiz.example', '203.0.113.7', 'ACCESS-1', 'https://']) expect(text).not.toContain(personal);
  });

  test('copes with a respondent without a name and a quiz without a grade', () => {
    const message = submissionMessage(quizResponse({ first_name: '', last_name: '', grade: '' }), 'UTC');
    expect(message.text).toBe('✅ Somebody without a name: Fire safety, 90 %, grade none, passed');
  });
});
