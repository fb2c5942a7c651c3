import type { ModalView } from '@slack/types';
import { WebClient, type FetchFunction } from '@slack/web-api';
import { expect, test, describe } from 'vitest';
import { isSaid, say, asSaid } from '../../../src/domain/said.ts';
import {
  createOutgoingTexts,
  whileActing,
  inEnglishOnly,
  type Readers,
} from '../../../src/slack/connection/outgoing.ts';
import { readDelivery } from '../../../src/slack/in/delivery.ts';
import { dateInWords } from '../../../src/time/date-words.ts';
import type { Language } from '../../../src/words/languages.ts';
import { asSent, sentIn } from '../../support/as-sent.ts';
import type { OwnNames } from '../../../src/domain/own-names.ts';
import { createRender } from '../../../src/words/render.ts';

const languages: Readonly<Record<string, Language>> = { UGERMAN: 'de', UPOLISH: 'pl', CGERMAN: 'de' };

const readers: Readers = {
  languageOfPerson: async (id) => languages[id] ?? 'en',
  languageOfChannel: async (id) => languages[id] ?? 'en',
  personOfDirectMessages: async (id) => (id === 'DPOLISH' ? 'UPOLISH' : undefined),
};
const translations = {
  de: sentIn('de', () => new Map([['Hello', 'Hallo']])),
  pl: sentIn('pl', () => new Map([['Hello', 'Cześć']])),
};

/** A client of Slack, and the texts that it sends. */
function open() {
  const sent: string[] = [];
  const fetch: FetchFunction = async (_url, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    expect(isSaid(decodeURIComponent(body))).toBe(false);
    sent.push(...(decodeURIComponent(body).match(/Hello|Hallo|Cześć/g) ?? ['nothing']));
    return new Response('{"ok":true}', { headers: { 'content-type': 'application/json' } });
  };
  const outgoing = createOutgoingTexts({
    readers,
    renderIn: async (language) => (language === 'de' || language === 'pl' ? translations[language] : asSent),
    defaultLanguage: 'en',
    apiUrl: 'https://slack.com/api/',
  });
  return {
    sent,
    outgoing,
    client: new WebClient('xoxb-1', { fetch: outgoing.inCalls(fetch) }),
    fetch: outgoing.inCalls(fetch),
  };
}

const view: ModalView = { type: 'modal', title: { type: 'plain_text', text: say`Hello` }, blocks: [] };
/** A person who reads English acts in a channel in which English is read. */
const english = { user_id: 'UENGLISH', channel_id: 'CENGLISH' };
/** As interactions name the person, and as events do. */
const german = { user: { id: 'UGERMAN' }, channel: { id: 'CENGLISH' } };
const event = { event: { user: 'UGERMAN', channel: 'CENGLISH' } };

type Send = (bed: ReturnType<typeof open>) => Promise<unknown>;
const ephemeral: Send = async ({ client }) =>
  client.chat.postEphemeral({ channel: 'CGERMAN', user: 'UPOLISH', text: say`Hello` });
const publish: Send = async ({ client }) =>
  client.views.publish({ user_id: 'UGERMAN', view: { type: 'home', blocks: [{ type: 'header', text: view.title }] } });
const openView: Send = async ({ client }) => client.views.open({ trigger_id: '1', view });
const post =
  (channel: string): Send =>
  async ({ client }) =>
    client.chat.postMessage({ channel, text: say`Hello` });
const respond =
  (response_type: string): Send =>
  async ({ fetch }) =>
    fetch('https://hooks.slack.com/1', { method: 'POST', body: JSON.stringify({ response_type, text: say`Hello` }) });

test.each<[string, object, Send, string]>([
  ['a message in a channel', german, post('CENGLISH'), 'Hello'],
  ['a message in a channel that reads German', english, post('CGERMAN'), 'Hallo'],
  ['a direct message to another person', german, post('DPOLISH'), 'Cześć'],
  ['a direct message in a conversation that is not known', german, post('DOTHER'), 'Hallo'],
  ['a direct message by a person’s ID', english, post('UPOLISH'), 'Cześć'],
  ['an ephemeral message', german, ephemeral, 'Cześć'],
  ['another person’s Home', english, publish, 'Hallo'],
  ['a modal', german, openView, 'Hallo'],
  ['a modal after an event', event, openView, 'Hallo'],
  ['a modal of a person who reads English', english, openView, 'Hello'],
  ['an answer to a person', german, respond('ephemeral'), 'Hallo'],
  ['an answer to a channel', german, respond('in_channel'), 'Hello'],
])('%s is in the language of its reader', async (_name, body, send, expected) => {
  const bed = open();
  await whileActing(readDelivery(body), async () => send(bed));
  expect(bed.sent).toEqual([expected]);
});

test('what nobody caused is in the language of the channel', async () => {
  const bed = open();
  await post('CGERMAN')(bed);
  expect(bed.sent).toEqual(['Hallo']);
});

test('an acknowledgement is in the language of the person who acted', async () => {
  const { outgoing } = open();
  const answer = { options: [{ text: { type: 'plain_text', text: say`Hello` }, value: say`Hello` }] };
  const acknowledged = await whileActing(readDelivery(german), async () => outgoing.inAcknowledgement(answer));
  expect(acknowledged.options[0]?.text.text).toBe('Hallo');
});

test('a name keeps its variants of characters', async () => {
  const name = '葛\u{E0100}城';
  const bodies: string[] = [];
  const { outgoing } = open();
  const fetch = outgoing.inCalls(async (_url, init) => {
    bodies.push(typeof init?.body === 'string' ? init.body : '');
    return new Response('{"ok":true}');
  });
  const client = new WebClient('xoxb-1', { fetch });
  const text = say`Hello ${name} on ${dateInWords(0, 'day', 'UTC')}`;
  for (const channel of ['CENGLISH', 'CGERMAN']) await client.chat.postMessage({ channel, text });
  expect(bodies.map((body) => new URLSearchParams(body).get('text'))).toEqual([
    `Hello ${name} on 1 Jan 1970`,
    `Hello ${name} on 1 Jan 1970`,
  ]);
});

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
