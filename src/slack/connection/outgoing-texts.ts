import type { FetchFunction } from '@slack/web-api';
import { createRename, isStandard, mark, type OwnNames } from '../../domain/own-names.ts';
import { inEnglish, isSaid } from '../../domain/said.ts';
import type { Language } from '../../words/languages.ts';
import { toEnglish } from '../../words/to-english.ts';
import type { TranslateTo } from '../../words/translators.ts';
import { changeShownTexts } from '../shown-texts.ts';
import { languageOfReader, type Readers } from './readers.ts';

/** Puts what leaves for Slack into the language of its reader, with the bot’s names in its workspace. */
export interface OutgoingTexts {
  /** Of options and errors in an acknowledgement, which the person who acted reads. */
  inAcknowledgement<Answer>(answer: Answer): Promise<Answer>;
  /** Wraps what every client of Slack calls: the Web API and response URLs. Files pass as they are. */
  inCalls(fetch: FetchFunction): FetchFunction;
}

/** The arguments of the Web API that are lists or objects with texts. The client sends them as JSON. */
const structured: ReadonlySet<string> = new Set(['blocks', 'files', 'message', 'outputs', 'prompts', 'view']);

/** The marks of what was said, as a form sends them. */
const encodedMarks = /%EF%B7%9[8C](?:%F3%A0%8[4-7]%[89AB][0-9A-F])*|%EF%B7%[9A][0-9A-F]|%EF%BF%BE/g;
const encodedMark = /%EF%B7%[9A]/;

/** For what nobody but engineers reads. */
export const inEnglishOnly = {
  readers: {
    languageOfPerson: async () => 'en',
    languageOfChannel: async () => 'en',
    personOfDirectMessages: async () => undefined,
  },
  translateTo: async () => toEnglish,
  defaultLanguage: 'en',
} as const satisfies { readers: Readers; translateTo: TranslateTo; defaultLanguage: Language };

export function createOutgoingTexts(deps: {
  names: OwnNames;
  readers: Readers;
  translateTo: TranslateTo;
  /** Of readers whose language is not known. */
  defaultLanguage: Language;
  /** Of Slack’s Web API. Every other address is a response URL. */
  apiUrl: string;
}): OutgoingTexts {
  const { names, readers, translateTo, defaultLanguage, apiUrl } = deps;
  const rename = createRename(names);
  const hasStandardNames = isStandard(names);
  const ownName = /(?:\/|%2F)quiz|Invigilator/;
  const isMarked = (text: string) =>
    text.includes(mark) || isSaid(text) || encodedMark.test(text) || /%EF%BF%BE/.test(text);

  async function languageFor(method: string | undefined, args: Readonly<Record<string, unknown>>): Promise<Language> {
    return (await languageOfReader(readers, method, args)) ?? defaultLanguage;
  }

  async function changeInto(language: Language): Promise<(text: string) => string> {
    const translate = await translateTo(language);
    return (text) => rename(translate(text));
  }

  /** Whether no text has another form for its reader: it loses its marks alone. */
  const isAsSaid = (language: Language) => hasStandardNames && language === 'en';

  async function inForm(method: string | undefined, body: string): Promise<string> {
    const form = [...new URLSearchParams(body)];
    const args = Object.fromEntries(form);
    const language = await languageFor(method, args);
    if (isAsSaid(language)) return body.replaceAll(encodedMarks, '');
    const change = await changeInto(language);
    const changed = form.map(([key, value]) => [
      key,
      structured.has(key)
        ? JSON.stringify(changeShownTexts(JSON.parse(value), change, key))
        : changeShownTexts(value, change, key),
    ]);
    return new URLSearchParams(changed).toString().replaceAll(encodedMarks, '');
  }

  async function inJson(method: string | undefined, body: string): Promise<string> {
    const [, responseType] = /"response_type":"(\w+)"/.exec(body) ?? [];
    const language = await languageFor(
      method,
      method === undefined ? { response_type: responseType } : JSON.parse(body),
    );
    if (isAsSaid(language)) return inEnglish(body).replaceAll(mark, '');
    return inEnglish(JSON.stringify(changeShownTexts(JSON.parse(body) as unknown, await changeInto(language))));
  }

  return {
    async inAcknowledgement(answer) {
      if (answer === undefined || answer === null || answer === '') return answer;
      const change = await changeInto(await languageFor(undefined, {}));
      const changed = changeShownTexts(answer, change, typeof answer === 'string' ? 'text' : '');
      return JSON.parse(inEnglish(JSON.stringify(changed)));
    },
    inCalls: (fetch) => async (url, init) => {
      const { body } = init ?? {};
      if (typeof body !== 'string' || !(isMarked(body) || (!hasStandardNames && ownName.test(body))))
        return fetch(url, init);
      const method = String(url).startsWith(apiUrl) ? String(url).slice(apiUrl.length) : undefined;
      const changed = await (body.startsWith('{') ? inJson(method, body) : inForm(method, body));
      return fetch(url, { ...init, body: changed });
    },
  };
}
