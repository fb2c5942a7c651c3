import { type FetchFunction, WebClient } from '@slack/web-api';
import { describe, expect, test } from 'vitest';
import { type OwnNames } from '../../../src/domain/own-names.ts';
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
