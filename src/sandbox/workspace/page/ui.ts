import type { Block } from '../block-kit/blocks.ts';
import type { Confirm, InteractiveElement } from '../block-kit/elements.ts';
import type { InputState, InputValues, Options } from '../model.ts';
import type { PageAction, PageFile, PageState } from '../page-contract.ts';

export interface PickerState {
  query: string;
  options: Options;
  active: number;
  isLoading: boolean;
}

export interface TableState {
  column: number;
  isDescending: boolean;
  page: number;
}

/** A confirmation that is waiting for an answer. */
interface Question {
  confirm: Confirm;
  answer: () => void;
}

/** The page's local state. The rest of the state comes from the server. */
export interface Ui {
  person: string;
  route: Route;
  /** The ts of the open thread's parent message. */
  thread: string | null;
  drafts: Record<string, string>;
  /** The index of the completion that an arrow key chose in the composer. */
  completion: number | null;
  /** Hides completions until the draft changes again. */
  isCompletionHidden: boolean;
  /** Unsent input state, by view or message, block id and action id. */
  edits: Record<string, InputValues>;
  /** The files that wait in each composer, by the key of its draft. */
  attached: Record<string, readonly PageFile[]>;
  errors: Record<string, Record<string, string>>;
  submitting: string | null;
  /** The open picker and its state. */
  picker: { key: string; state: PickerState } | null;
  /** The key of the open menu: overflow, shortcuts or message actions. */
  menu: string | null;
  tables: Record<string, TableState>;
  /** The app of Slack’s own that was opened last, and for whom. */
  opened: string;
  question: Question | null;
  isSidebarOpen: boolean;
  isTourOpen: boolean;
  /** The ts of the last message seen in each channel, by person and channel. */
  seen: Record<string, string>;
  dismissed: Record<string, true>;
  pending: number;
  problem: string | null;
  isOffline: boolean;
}

/** The key of a draft. A channel and each of its threads have a draft of their own. */
export const draftKey = (channel: string, threadTs: string | undefined): string =>
  threadTs === undefined ? channel : `${channel}:${threadTs}`;

export const noOptions: PickerState = { query: '', options: { options: [] }, active: 0, isLoading: false };

export function initialUi(person: string, route: Route): Ui {
  return {
    person,
    route,
    thread: null,
    drafts: {},
    completion: null,
    isCompletionHidden: false,
    edits: {},
    attached: {},
    errors: {},
    submitting: null,
    picker: null,
    menu: null,
    tables: {},
    opened: '',
    question: null,
    isSidebarOpen: false,
    isTourOpen: false,
    seen: {},
    dismissed: {},
    pending: 0,
    problem: null,
    isOffline: false,
  };
}

/** Overlays a view's values with unsent edits. */
export function withEdits(values: InputValues, edits: InputValues = {}): InputValues {
  return Object.fromEntries(
    Object.entries(values).map(([block, byAction]) => [
      block,
      Object.fromEntries(
        Object.entries(byAction).map(([action, state]) => [action, sameType(edits[block]?.[action], state)]),
      ),
    ]),
  );
}

const sameType = (edit: InputState | undefined, state: InputState): InputState =>
  edit?.type === state.type ? edit : state;

/** How the IDs of conversations with Slackbot begin. */
const slackbotIds = 'DSLACKBOT';

/** What the main pane shows. */
export type Route = { kind: 'channel'; id: string } | { kind: 'home' } | { kind: 'workflow' };

/** Whether a route is the person’s conversation with Slackbot. */
export const isSlackbot = ({ slackbot }: PageState, route: Route): boolean =>
  route.kind === 'channel' && route.id === slackbot?.conversation.id;

interface HashTarget {
  person?: string;
  route?: Route;
}

/** Parses the person and the route from the URL's hash, for example `#/U00000ADA/C0TRAINING`. */
export function parseHash(hash: string): HashTarget {
  const target: HashTarget = {};
  for (const part of hash.replace(/^#\/?/, '').split('/')) {
    if (/^U[A-Z0-9]+$/.test(part)) target.person = part;
    if (/^[CDG][A-Z0-9]+$/.test(part)) target.route = { kind: 'channel', id: part };
    if (part === 'home' || part === 'workflow') target.route = { kind: part };
  }
  return target;
}

export const formatHash = (person: string, route: Route): string =>
  `#/${person}/${route.kind === 'channel' ? route.id : route.kind}`;

/**
 * Returns the route if the person may see it, else the closest alternative: their own direct messages or first
 * channel.
 */
export function nearestRoute({ channels, direct, slackbot, workflow }: PageState, route: Route): Route {
  if (route.kind === 'workflow') return workflow === null ? { kind: 'channel', id: direct.id } : route;
  if (route.kind === 'home') return route;
  const withSlackbot = slackbot?.conversation ?? direct;
  const seen = [...channels, direct, withSlackbot].find((channel) => channel.id === route.id);
  const own = route.id.startsWith(slackbotIds) ? withSlackbot : direct;
  return { kind: 'channel', id: (seen ?? (route.id.startsWith('D') ? own : (channels[0] ?? direct))).id };
}

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
 * The address of a link. The sandbox's own pages, such as those of the quiz service, learn who follows it (`as`), because nobody
 * signs in there.
 */
export function hrefFor({ server }: RenderContext, url: string): string {
  const target = URL.parse(url);
  if (target === null || !server.links.some((link) => URL.parse(link.url)?.origin === target.origin)) return url;
  target.searchParams.set('as', server.me.email);
  return target.href;
}
