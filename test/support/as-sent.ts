import type { FetchFunction } from '@slack/web-api';
import { createOutgoingTexts, inEnglishOnly } from '../../src/slack/connection/outgoing.ts';
import { standardNames } from '../../src/domain/own-names.ts';
import type { Language } from '../../src/words/languages.ts';
import { createRender, type Render } from '../../src/words/render.ts';
import { createPhrases } from '../../src/words/translate.ts';
import { catalog } from '../../src/operations/catalog.ts';
import type { Page } from '../../src/operations/page.ts';
import type { ModalView } from '@slack/types';
import type { Operation } from '../../src/operations/operation.ts';
import { everything as seesEverything } from '../../src/governance/rights/rights.ts';
import { askedView } from '../../src/slack/form/form.ts';
import type { Message } from '../../src/slack/views/blocks/message.ts';
import { drawPage } from '../../src/slack/views/blocks/page.ts';

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

/** A page as Slack shows it to somebody who may do everything, or only some of it. */
export const drawn = (page: Page, offered: ReadonlySet<string> = everything): Message => drawPage(page, { offered });

const everything: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));

/** The answer of an operation as somebody without rights in the account sees it: the form in which it asks for more, where it does. */
export function answered(operation: Operation, page: Page): Message | ModalView {
  const reader = { rights: new Set<never>(), visibility: seesEverything };
  return page.ask ? askedView(operation, page, page.ask, reader) : drawn(page);
}
