import type { Block } from '../block-kit/blocks.ts';
import type { InteractiveElement } from '../block-kit/elements.ts';
import type { InputState, Message } from '../model.ts';
import type { PageState } from '../page-contract.ts';
import type { Route, Ui } from './ui.ts';
import type { SlackbotActions } from './slackbot/state.ts';
import type { WorkflowActions } from './workflow/state.ts';

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

/** The actions that event handlers call. */
export interface Actions extends SlackbotActions, WorkflowActions {
  actAs(person: string): void;
  /** Changes the language of the person’s Slack. */
  setLocale(locale: string): void;
  goTo(route: Route): void;
  openThread(ts: string | null): void;
  draft(key: string, text: string): void;
  chooseCompletion(index: number): void;
  hideCompletions(): void;
  send(channel: string, threadTs?: string): void;
  /** Uploads files and puts them into a composer. @param key of the draft */
  attach(key: string, files: readonly File[]): void;
  /** Takes a file out of a composer again. */
  detach(key: string, id: string): void;
  /** Uploads files and puts them into a file input. */
  chooseFiles(located: LocatedElement, state: InputState, files: readonly File[]): void;
  shortcut(callbackId: string): void;
  messageShortcut(callbackId: string, message: Message): void;
  /** Clicks a button or selects an item of an overflow menu. */
  click(located: LocatedElement, value: string | null): void;
  /** Sets the state of an input. Sends it to the bot if the element dispatches actions. */
  setInput(located: LocatedElement, state: InputState): void;
  /** Handles Enter in a text input that dispatches actions. */
  enter(located: LocatedElement): void;
  openPicker(located: LocatedElement): void;
  queryPicker(located: LocatedElement, query: string): void;
  movePicker(to: number): void;
  closePicker(): void;
  /** Closes a picker that lost the focus, at the end of the press that took the focus away. */
  leavePicker(key: string): void;
  /** Skips ahead with the sandbox's clock. */
  skip(ms: number): void;
  submit(view: string): void;
  closeView(view: string, all: boolean): void;
  answerQuestion(isConfirmed: boolean): void;
  toggleMenu(key: string | null): void;
  sortTable(key: string, column: number): void;
  turnPage(key: string, page: number): void;
  toggleSidebar(isOpen: boolean): void;
  toggleTour(isOpen: boolean): void;
  /** Has the bot bring the Home tab up to date. */
  refreshHome(): void;
  dismiss(id: string): void;
}

/** Everything that a template renders from. */
export interface RenderContext {
  server: PageState;
  ui: Ui;
  actions: Actions;
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
