import type { FetchFunction } from '@slack/web-api';
import { createOutgoingTexts, inEnglishOnly } from '../../src/slack/connection/outgoing.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import type { Language } from '../../src/words/languages.ts';
import { createRender, type Render } from '../../src/words/render.ts';
import { createPhrases } from '../../src/words/translate.ts';

/** What a client of Slack calls, with what it sends written in English. */
export const sending = (
  apiUrl: string,
  fetch: FetchFunction = (url, init) => globalThis.fetch(url, init),
): FetchFunction => createOutgoingTexts({ ...inEnglishOnly, apiUrl }).inCalls(fetch);

/** Writes a text as Slack gets it, in English. */
export const asSent: Render = createRender(standardNames);

/** The same in a language, to readers who are addressed formally. */
export const sentIn = (language: Language, catalogueOf: (language: Language) => ReadonlyMap<string, string>): Render =>
  language === 'en'
    ? asSent
    : createRender(standardNames, createPhrases(language, { catalogue: catalogueOf(language), formality: 'formal' }));
