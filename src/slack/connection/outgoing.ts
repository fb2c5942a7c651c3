import { AsyncLocalStorage } from 'node:async_hooks';
import type { FetchFunction } from '@slack/web-api';
import { standardNames } from '../../domain/own-names.ts';
import { writeTexts } from '../shown-texts.ts';
import type { RenderIn } from '../../words/catalogues.ts';
import type { Language } from '../../words/languages.ts';
import { createRender, type Render } from '../../words/render.ts';

/** Puts what leaves for Slack into the language of its reader, with the bot’s names in its workspace. */
export interface OutgoingTexts {
  /** Of options and errors in an acknowledgement, which the person who acted reads. */
  inAcknowledgement<Answer>(answer: Answer): Promise<Answer>;
  /** Wraps what every client of Slack calls: the Web API and response URLs. Files pass as they are. */
  inCalls(fetch: FetchFunction): FetchFunction;
}

/** The arguments of the Web API that are lists or objects with texts. The client sends them as JSON. */
const structured: ReadonlySet<string> = new Set(['blocks', 'files', 'message', 'outputs', 'prompts', 'view']);

/** The arguments in which people see texts. */
const shown: ReadonlySet<string> = new Set([...structured, 'error', 'initial_comment', 'status', 'text', 'title']);

/** For what nobody but engineers reads. */
export const inEnglishOnly = {
  readers: {
    languageOfPerson: async () => 'en',
    languageOfChannel: async () => 'en',
    personOfDirectMessages: async () => undefined,
  },
  renderIn: async () => createRender(standardNames),
  defaultLanguage: 'en',
} as const satisfies { readers: Readers; renderIn: RenderIn; defaultLanguage: Language };

export function createOutgoingTexts(deps: {
  readers: Readers;
  renderIn: RenderIn;
  /** Of readers whose language is not known. */
  defaultLanguage: Language;
  /** Of Slack’s Web API. Every other address is a response URL. */
  apiUrl: string;
}): OutgoingTexts {
  const { readers, renderIn, defaultLanguage, apiUrl } = deps;

  async function renderFor(method: string | undefined, args: Readonly<Record<string, unknown>>): Promise<Render> {
    return renderIn((await languageOfReader(readers, method, args)) ?? defaultLanguage);
  }

  async function inForm(method: string | undefined, body: string): Promise<string> {
    const form = [...new URLSearchParams(body)];
    if (!form.some(([key]) => shown.has(key))) return body;
    const render = await renderFor(method, Object.fromEntries(form));
    const written = form.map(([key, value]) => [
      key,
      structured.has(key) ? JSON.stringify(writeTexts(JSON.parse(value), render, key)) : writeTexts(value, render, key),
    ]);
    return new URLSearchParams(written).toString();
  }

  async function inJson(method: string | undefined, body: string): Promise<string> {
    const content: Readonly<Record<string, unknown>> = JSON.parse(body);
    return JSON.stringify(writeTexts(content, await renderFor(method, content)));
  }

  return {
    async inAcknowledgement(answer) {
      if (answer === undefined || answer === null || answer === '') return answer;
      return writeTexts(answer, await renderFor(undefined, {}), typeof answer === 'string' ? 'text' : '');
    },
    inCalls: (fetch) => async (url, init) => {
      const { body } = init ?? {};
      if (typeof body !== 'string') return fetch(url, init);
      const method = String(url).startsWith(apiUrl) ? String(url).slice(apiUrl.length) : undefined;
      const written = await (body.startsWith('{') ? inJson(method, body) : inForm(method, body));
      return fetch(url, { ...init, body: written });
    },
  };
}

/** Finds the language of those who read what the bot sends. */
export interface Readers {
  languageOfPerson(personId: string): Promise<Language>;
  languageOfChannel(channelId: string): Promise<Language>;
  /** @returns the person whose direct messages with the bot a conversation is; undefined where it is not known */
  personOfDirectMessages(conversationId: string): Promise<string | undefined>;
}

/** What Slack delivered: who acted, and where. Modals, answers and suggestions are for them alone. */
interface Acting {
  /** Empty where nobody did. */
  personId: string;
  conversationId: string | undefined;
}

const acting = new AsyncLocalStorage<Acting>();

/** Runs the handling of a delivery, of which every call of Slack then knows who acted. */
export function whileActing<Result>({ personId, conversationId }: Acting, handle: () => Result): Result {
  return acting.run({ personId, conversationId }, handle);
}

/**
 * The language of who reads what a call shows: the person for whom alone it is, or the channel. Never of who acted, except where
 * they are the reader.
 *
 * @param method of the Web API; undefined for a response URL and an acknowledgement
 */
async function languageOfReader(
  readers: Readers,
  method: string | undefined,
  args: Readonly<Record<string, unknown>>,
): Promise<Language | undefined> {
  const { personId = '', conversationId } = acting.getStore() ?? {};
  const ofPerson = async (id: unknown) =>
    typeof id === 'string' && id !== '' ? readers.languageOfPerson(id) : undefined;
  if (method === undefined)
    return args['response_type'] === 'in_channel' ? ofConversation(conversationId) : ofPerson(personId);
  if (method === 'chat.postEphemeral') return ofPerson(args['user']);
  if (method.startsWith('views.')) return ofPerson(args['user_id'] ?? personId);
  return ofConversation(args['channel'] ?? args['channel_id']);

  async function ofConversation(id: unknown): Promise<Language | undefined> {
    if (typeof id !== 'string') return ofPerson(personId);
    if (/^[UW]/.test(id)) return ofPerson(id);
    if (!id.startsWith('D')) return readers.languageOfChannel(id);
    return ofPerson((await readers.personOfDirectMessages(id)) ?? personId);
  }
}
