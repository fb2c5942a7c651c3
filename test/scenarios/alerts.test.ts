import { describe, expect, inject, test } from 'vitest';
import { eventBody, sendEvent } from '../support/event.ts';
import { startTestBed, textOf } from '../support/test-bed.ts';
import { takeQuiz } from '../support/take-quiz.ts';
import { channels, people } from '../../src/sandbox/workspace/people.ts';

test('a submission on the page of the quiz becomes a message in the channel', async () => {
  const { workspace, quizService } = await startTestBed();
  const quiz = quizService.database.get<{ quiz_id: string; name: string }>(
    "SELECT quiz_id, name FROM quizzes WHERE status = 'open'",
  );
  await takeQuiz(quizService.url, quiz!.quiz_id);
  const results = workspace.channels.results.id;
  await workspace.until(() => workspace.messages(results).length === 1);
  const text = textOf(workspace.messages(results)[0]);
  expect(text).toContain('Ines Guest');
  // In the rough account, the webhook lacks the percentage.
  expect(text).toMatch(
    inject('account') === 'rough'
      ? /\* with \d+ of \d+ points, grade [A-F]/
      : /\* with \d[\d.]*% \(\d+ of \d+ points\), grade [A-F]/,
  );
});

test('three deliveries of one event become one message', async () => {
  const { workspace, url } = await startTestBed();
  for (const delivery_attempt of [1, 2, 3]) {
    expect((await sendEvent(url, eventBody({ delivery_attempt }))).status).toBe(200);
  }
  const results = workspace.channels.results.id;
  await workspace.until(() => workspace.messages(results).length === 1);
  await sendEvent(url, eventBody({ event_id: 'another' }, { quiz_name: '<!channel> & <https://x|y>' }));
  await workspace.until(() => textOf(workspace.messages(results).at(-1)).includes('&lt;!channel&gt;'));
  expect(workspace.messages(results)).toHaveLength(2);
});

test('a submission that is reported again is announced again only as corrected, where its result is another', async () => {
  const { workspace, url } = await startTestBed();
  const results = workspace.channels.results.id;
  const report = (event_id: string, data: Record<string, unknown> = {}) =>
    sendEvent(url, eventBody({ event_id }, { response_id: 'r-1', ...data }));
  for (const event_id of ['first', 'again', 'once more']) expect((await report(event_id)).status).toBe(200);
  await report('marked', { points: 4, percentage_score: 40, grade: 'F', pass: false });
  await workspace.until(() => workspace.messages(results).length === 2);
  await report('late', { response_id: 'r-2', last_name: 'Marques' });
  await workspace.until(() => workspace.messages(results).length === 3);
  const [first, corrected, other] = workspace.messages(results).map(textOf);
  expect(first).not.toContain('Corrected');
  expect(corrected).toMatch(
    /❌ \*Rosa Almeida\* failed .* 40% .*Corrected\. Before: passed, 90% \(9 of 10 points\), grade A/s,
  );
  expect(other).toContain('Rosa Marques');
});

test('an alert for a channel without the bot is kept, its owner is notified, and it is posted when the owner resumes the subscription', async () => {
  const { workspace, url } = await startTestBed({ env: { ALERTS_CHANNEL: 'C0GENERAL' } });
  const { ada } = workspace.people;
  await sendEvent(url);
  const notification = await workspace.until(() =>
    workspace.directMessages(ada.id).find((message) => /invite/i.test(textOf(message))),
  );
  await workspace.as(ada.id).invite('C0GENERAL');
  await workspace.as(ada.id).click(notification, 'ask:resume-alerts');
  await workspace.until(() =>
    workspace.messages('C0GENERAL').some((message) => textOf(message).includes('Rosa Almeida')),
  );
});

describe('attempts of alerts', () => {
  const { erin, ivo, rosa } = people;
  const { partners, results } = channels;
  const button = 'modal:show-attempt';

  /** Starts a bot that has announced a submission of Ines Guest in a channel. */
  async function startWithAlert(channelId: string = results.id) {
    const testBed = await startTestBed({ env: { ALERTS_CHANNEL: channelId } });
    const { workspace, quizService } = testBed;
    const quiz = quizService.database.get<{ quiz_id: string; name: string }>(
      "SELECT quiz_id, name FROM quizzes WHERE status = 'open'",
    )!;
    await takeQuiz(quizService.url, quiz.quiz_id);
    const alert = await workspace.until(() => workspace.messages(channelId)[0]);
    expect(textOf(alert)).toContain('Ines Guest');
    const view = async (personId: string) => textOf(await (await workspace.as(personId).click(alert, button)).view());
    return { ...testBed, quiz, alert, view };
  }

  test('View attempt opens questions and answers for a person who may see them, and leaves the alert alone', async () => {
    const { workspace, view, alert, quiz } = await startWithAlert();
    const shown = await view(erin.id);
    expect(shown).toMatch(/\*Ines Guest\* (?:passed|failed) \*/);
    expect(shown).toContain(quiz.name);
    expect(shown).toMatch(/\*1\. /);
    expect(workspace.messages(results.id)).toEqual([alert]);
    expect(workspace.ephemerals(erin.id)).toEqual([]);
  });

  test('View attempt shows a respondent nothing but a refusal, and asks the service for no response', async () => {
    const { view, requests, quiz } = await startWithAlert();
    const before = requests.length;
    const shown = await view(rosa.id);
    expect(shown).toContain('🚫');
    expect(shown).not.toContain('Ines');
    expect(shown).not.toContain(quiz.name);
    expect(requests.slice(before).filter((request) => request.includes('/responses/'))).toEqual([]);
  });

  test('View attempt shows a person of another company that shares the channel nothing but a refusal', async () => {
    const { workspace, requests, alert, lines } = await startWithAlert(partners.id);
    const before = requests.length;
    await workspace.as(ivo.id).click(alert, button);
    const isDealtWith = (line: string) => line.includes('dealt with what Slack delivered') && line.includes(button);
    await expect.poll(() => lines.some(isDealtWith)).toBe(true);
    const answers = [...workspace.views(ivo.id), ...workspace.ephemerals(ivo.id)].map(textOf);
    expect(answers.filter((answer) => !answer.includes('You’re from another workspace'))).toEqual([]);
    expect(requests.slice(before).filter((request) => request.includes('/responses/'))).toEqual([]);
    expect(JSON.stringify(alert)).not.toMatch(/@|203\.0\./);
  });

  test('View attempt says that a deleted attempt is gone, without its id', async () => {
    const { view, quizService, quiz } = await startWithAlert();
    const { response_id } = quizService.database.get<{ response_id: string }>(
      'SELECT response_id FROM responses WHERE quiz_id = ? ORDER BY date_submitted DESC',
      [quiz.quiz_id],
    )!;
    quizService.database.run('DELETE FROM responses WHERE response_id = ?', [response_id]);
    const shown = await view(erin.id);
    expect(shown).toContain(`This attempt at *${quiz.name}* doesn’t exist any more`);
    expect(shown).not.toContain(response_id);
  });
});
