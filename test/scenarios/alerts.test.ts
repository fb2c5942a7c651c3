import { describe, expect, inject, test } from 'vitest';
import { eventBody, sendEvent } from '../support/event.ts';
import { shareTestBed, startTestBed, textOf, type TestBed } from '../support/test-bed.ts';
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

describe('attempts of alerts', () => {
  const { erin, ivo, rosa } = people;
  const { partners, results } = channels;
  const button = 'modal:show-attempt';

  const openBed = shareTestBed({ env: { ALERTS_CHANNEL: results.id } });
  let announced: ReturnType<typeof withAlert> | undefined;
  const openWithAlert = () => (announced ??= openBed().then((testBed) => withAlert(testBed, results.id)));

  /** A bot that has announced a submission of Ines Guest in a channel. */
  async function withAlert(testBed: TestBed, channelId: string) {
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
    const { workspace, view, alert, quiz } = await openWithAlert();
    const shown = await view(erin.id);
    expect(shown).toMatch(/\*Ines Guest\* (?:passed|failed) \*/);
    expect(shown).toContain(quiz.name);
    expect(shown).toMatch(/\*1\. /);
    expect(workspace.messages(results.id)).toEqual([alert]);
    expect(workspace.ephemerals(erin.id)).toEqual([]);
  });

  test('View attempt shows a respondent nothing but a refusal, and asks the service for no response', async () => {
    const { view, requests, quiz } = await openWithAlert();
    const before = requests.length;
    const shown = await view(rosa.id);
    expect(shown).toContain('🚫');
    expect(shown).not.toContain('Ines');
    expect(shown).not.toContain(quiz.name);
    expect(requests.slice(before).filter((request) => request.includes('/responses/'))).toEqual([]);
  });

  test('View attempt shows a person of another company that shares the channel nothing but a refusal', async () => {
    const { workspace, requests, alert, lines } = await withAlert(
      await startTestBed({ env: { ALERTS_CHANNEL: partners.id } }),
      partners.id,
    );
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
    const { view, quizService, quiz } = await openWithAlert();
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
