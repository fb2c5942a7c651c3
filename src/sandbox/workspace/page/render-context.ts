import type { Block } from '../block-kit/blocks.ts';
import type { InteractiveElement } from '../block-kit/elements.ts';
import type { InputState } from '../model.ts';
import type { PageAction, PageState } from '../page-contract.ts';
import type { Route, Ui } from './ui.ts';

/** The message or view that contains a block. */
export type Source = { kind: 'message'; channel: string; ts: string } | { kind: 'view'; id: string };

export const keyOf = (source: Source): string =>
  source.kind === 'view' ? source.id : `${source.channel}:${source.ts}`;

/** An element with the message or view and the block that contain it. */
export interface LocatedElement {
  source: Source;
  block: Block;
  element: InteractiveElement;
  actionId: string;
}

export const elementKey = ({ source, block, actionId }: LocatedElement): string =>
  `${keyOf(source)} ${block.block_id ?? ''} ${actionId}`;

/** Builds an id for the DOM. */
export const domId = (...parts: string[]): string => parts.join('-').replaceAll(/[^\w-]/g, '_');

/** What event handlers do that is more than one change of the page or one action of the person. */
export interface Actions {
  actAs(person: string): void;
  /** Changes the language of the person’s Slack. */
  setLocale(locale: string): void;
  goTo(route: Route): void;
  send(channel: string, threadTs?: string): void;
  /** Uploads files and puts them into a composer. @param key of the draft */
  attach(key: string, files: readonly File[]): void;
  /** Uploads files and puts them into a file input. */
  chooseFiles(located: LocatedElement, state: InputState, files: readonly File[]): void;
  /** Clicks a button or selects an item of an overflow menu. */
  click(located: LocatedElement, value: string | null): void;
  /** Sets the state of an input. Sends it to the bot if the element dispatches actions. */
  setInput(located: LocatedElement, state: InputState): void;
  /** Opens a picker, or looks for what was typed into it. */
  queryPicker(located: LocatedElement, query: string): void;
  /** Closes a picker that lost the focus, at the end of the press that took the focus away. */
  leavePicker(key: string): void;
  submit(view: string): void;
  toggleTour(isOpen: boolean): void;
}

/** Everything that a template renders from. */
export interface RenderContext {
  server: PageState;
  ui: Ui;
  actions: Actions;
  /** Does something as the person. */
  act(action: PageAction): void;
  /** Changes the page’s own state. */
  change(part: Partial<Ui>): void;
  /** The sandbox's time. */
  now: Date;
}

/**
 * The address of a link. The sandbox's own pages, such as those of the quiz service, learn who follows it (`as`), because sample
 * people have no passwords to sign in with.
 */
export function hrefFor({ server }: RenderContext, url: string): string {
  const target = URL.parse(url);
  if (target === null || !server.links.some((link) => URL.parse(link.url)?.origin === target.origin)) return url;
  target.searchParams.set('as', server.me.email);
  return target.href;
}
