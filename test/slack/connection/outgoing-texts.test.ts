import { type FetchFunction, WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { standardNames, type OwnNames } from '../../../src/domain/own-names.ts';
import { asSaid, say } from '../../../src/domain/said.ts';
import { createRender } from '../../../src/words/render.ts';
import { createOutgoingTexts, inEnglishOnly } from '../../../src/slack/connection/outgoing.ts';

const exam = { commandPrefix: 'exam', botName: 'Examiner' };

const outgoing = (names: OwnNames) =>
  createOutgoingTexts({
    ...inEnglishOnly,
    renderIn: async () => createRender(names),
    apiUrl: 'https://slack.com/api/',
  });

/** What Slack gets. */
function recorded() {
  const bodies: unknown[] = [];
  const fetch: FetchFunction = async (_url, init) => {
    bodies.push(init?.body);
    return new Response('{"ok":true}', { headers: { 'content-type': 'application/json' } });
  };
  return { bodies, fetch };
}

describe('what a client of Slack sends', () => {
  test('has the bot’s names in its texts and nowhere else', async () => {
    const { bodies, fetch } = recorded();
    const client = new WebClient('xoxb-1', { fetch: outgoing(exam).inCalls(fetch) });
    await client.chat.postMessage({
      channel: 'C1',
      text: say`See /quiz list & more: ${'/quiz 100% <!here>'}`,
      blocks: [
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: say`Run /quiz list` }, value: '/quiz list' }],
        },
      ],
      metadata: { event_type: 'quiz', event_payload: { line: '/quiz list' } },
    });
    const form = Object.fromEntries(new URLSearchParams(String(bodies[0])));
    expect(form).toMatchObject({ channel: 'C1', text: 'See /exam list &amp; more: /quiz 100% &lt;!here&gt;' });
    expect(JSON.parse(form['blocks']!)).toEqual([
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: 'Run /exam list' }, value: '/quiz list' }],
      },
    ]);
    expect(JSON.parse(form['metadata']!)).toEqual({ event_type: 'quiz', event_payload: { line: '/quiz list' } });
  });

  test('ends steps of workflows with them', async () => {
    const { bodies, fetch } = recorded();
    const client = new WebClient('xoxb-1', { fetch: outgoing(exam).inCalls(fetch) });
    await client.functions.completeError({ function_execution_id: 'Fx1', error: say`Yours: /quiz mine` });
    await client.functions.completeSuccess({
      function_execution_id: 'Fx1',
      outputs: {
        message: say`Type /quiz list`,
        options: [{ text: { type: 'plain_text', text: asSaid('/quiz') }, value: '/quiz' }],
      },
    });
    const [failed, done] = bodies.map((body) => Object.fromEntries(new URLSearchParams(String(body))));
    expect(failed).toEqual({ function_execution_id: 'Fx1', error: 'Yours: /exam mine' });
    expect(JSON.parse(done?.['outputs'] ?? '')).toEqual({
      message: 'Type /exam list',
      options: [{ text: { type: 'plain_text', text: '/exam' }, value: '/quiz' }],
    });
  });

  test('to a response URL has them, too', async () => {
    const { bodies, fetch } = recorded();
    await outgoing(exam).inCalls(fetch)('https://hooks.example/1', {
      method: 'POST',
      body: JSON.stringify({ text: say`/quiz-user find, says Invigilator`, response_type: 'ephemeral' }),
    });
    expect(JSON.parse(String(bodies[0]))).toEqual({
      text: '/exam-user find, says Examiner',
      response_type: 'ephemeral',
    });
  });

  test('is the same body where nobody reads a text in it', async () => {
    const { bodies, fetch } = recorded();
    const body = 'user=U1&include_locale=true';
    await outgoing(exam).inCalls(fetch)('https://slack.com/api/users.info', { method: 'POST', body });
    expect(bodies.at(-1)).toBe(body);
    const bytes = new FormData();
    bytes.set('text', '/quiz');
    await outgoing(exam).inCalls(fetch)('https://slack.example/upload/1', { method: 'POST', body: bytes });
    expect(bodies.at(-1)).toBe(bytes);
  });

  test('has no marks, whatever the bot is called', async () => {
    const { bodies, fetch } = recorded();
    const client = new WebClient('xoxb-1', { fetch: outgoing(standardNames).inCalls(fetch) });
    await client.views.publish({
      user_id: 'U1',
      view: { type: 'home', blocks: [{ type: 'header', text: { type: 'plain_text', text: say`Type ${'/quiz'}` } }] },
    });
    const { view = '' } = Object.fromEntries(new URLSearchParams(String(bodies[0])));
    expect(JSON.parse(view)).toMatchObject({ blocks: [{ text: { text: 'Type /quiz' } }] });
  });
});

test('an acknowledgement has the bot’s names: a text, options, errors or a view', async () => {
  const { inAcknowledgement } = outgoing(exam);
  const option = (text: string) => ({ text: { type: 'plain_text', text }, value: '/quiz' });
  expect(await inAcknowledgement(say`See /quiz`)).toBe('See /exam');
  expect(await inAcknowledgement(undefined)).toBeUndefined();
  expect(await inAcknowledgement({ options: [option(asSaid('/quiz')), option('/quiz')] })).toEqual({
    options: [option('/exam'), option('/quiz')],
  });
  expect(
    await inAcknowledgement({
      response_action: 'errors',
      errors: { text: say`Type /quiz`, value: asSaid('Invigilator') },
    }),
  ).toEqual({
    response_action: 'errors',
    errors: { text: 'Type /exam', value: 'Examiner' },
  });
});
