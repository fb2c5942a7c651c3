import type { Confirm } from '../block-kit/elements.ts';
import type { InputState, InputValues, Options } from '../model.ts';
import type { PageFile, PageState } from '../page-contract.ts';

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
