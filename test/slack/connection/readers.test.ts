import type { ModalView } from '@slack/types';
import { WebClient, type FetchFunction } from '@slack/web-api';
import { expect, test } from 'vitest';
import { isSaid, say } from '../../../src/domain/said.ts';
import { createOutgoingTexts, type Readers, whileActing } from '../../../src/slack/connection/outgoing.ts';
import { readDelivery } from '../../../src/slack/in/delivery.ts';
import { dateInWords } from '../../../src/time/date-words.ts';
import type { Language } from '../../../src/words/languages.ts';
import { asSent, sentIn } from '../../support/as-sent.ts';

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
