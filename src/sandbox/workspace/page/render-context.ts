import type { Block } from '../block-kit/blocks.ts';
import type { InteractiveElement } from '../block-kit/elements.ts';
import type { InputState, Message } from '../model.ts';
import type { PageState } from '../page-contract.ts';
import type { Route, Ui } from './ui.ts';

/** Where blocks stand: a message or a view. */
export type Source = { kind: 'message'; channel: string; ts: string } | { kind: 'view'; id: string };

export const keyOf = (source: Source): string =>
  source.kind === 'view' ? source.id : `${source.channel}:${source.ts}`;

/** An element of a block, as actions name it. */
export interface LocatedElement {
  source: Source;
  block: Block;
  element: InteractiveElement;
  actionId: string;
}

export const elementKey = (located: LocatedElement): string => `${keyOf(located.source)} ${located.block.block_id ?? ''} ${located.actionId}`;

/** An id for the document. */
export const domId = (...parts: string[]): string => parts.join('-').replaceAll(/[^\w-]/g, '_');

/** What a view may call when somebody does something. */
export interface Actions {
  actAs(person: string): void;
  goTo(route: Route): void;
  openThread(ts: string | null): void;
  draft(key: string, text: string): void;
  moveCompletion(by: number, count: number): void;
  hideCompletions(): void;
  send(channel: string, threadTs?: string): void;
  shortcut(callbackId: string): void;
  messageShortcut(callbackId: string, message: Message): void;
  /** Clicks a button or an item of an overflow menu. */
  click(located: LocatedElement, value: string | null): void;
  /** Puts something into an input, and tells the bot where it wants to know. */
  setInput(located: LocatedElement, state: InputState): void;
  /** Enter in a text input that tells the bot. */
  enter(located: LocatedElement): void;
  openPicker(located: LocatedElement): void;
  queryPicker(located: LocatedElement, query: string): void;
  movePicker(to: number): void;
  closePicker(): void;
  submit(view: string): void;
  closeView(view: string, all: boolean): void;
  answerQuestion(isConfirmed: boolean): void;
  toggleMenu(key: string | null): void;
  sortTable(key: string, column: number): void;
  turnPage(key: string, page: number): void;
  toggleSidebar(isOpen: boolean): void;
  toggleDrawer(isOpen: boolean): void;
  dismiss(id: string): void;
}

/** All a view is made from. */
export interface RenderContext {
  server: PageState;
  ui: Ui;
  actions: Actions;
  now: Date;
}
