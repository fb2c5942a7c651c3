import { catalog } from '../../src/operations/catalog.ts';
import type { Page } from '../../src/operations/page.ts';
import type { Message } from '../../src/slack/views/blocks/message.ts';
import { drawPage } from '../../src/slack/views/blocks/page.ts';

/** A page as Slack shows it to somebody who may do everything, or only some of it. */
export const drawn = (page: Page, offered: ReadonlySet<string> = everything): Message => drawPage(page, { offered });

const everything: ReadonlySet<string> = new Set(catalog.map(({ name }) => name));
