import { catalog } from '../../src/operations/catalog.ts';
import type { Page } from '../../src/operations/page.ts';
import type { ModalView } from '@slack/types';
import type { Operation } from '../../src/operations/operation.ts';
import { everything as seesEverything } from '../../src/governance/rights/rights.ts';
import { askedView } from '../../src/slack/form/form.ts';
import type { Message } from '../../src/slack/views/blocks/message.ts';
import { drawPage } from '../../src/slack/views/blocks/page.ts';

/** A page as Slack shows it to somebody who may do everything, or only some of it. */
export const drawn = (page: Page, offered: ReadonlySet<string> = everything): Message => drawPage(page, { offered });

const everything: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));

/** The answer of an operation as somebody without rights in the account sees it: the form in which it asks for more, where it does. */
export function answered(operation: Operation, page: Page): Message | ModalView {
  const reader = { rights: new Set<never>(), visibility: seesEverything };
  return page.ask ? askedView(operation, page, page.ask, reader) : drawn(page);
}
