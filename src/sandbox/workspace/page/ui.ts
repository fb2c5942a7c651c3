import type { InputState, InputValues, Options } from '../model.ts';
import type { Exchanges } from '../page-contract.ts';
import type { Confirm } from '../block-kit/composition-objects.ts';

/** Where the person is looking. */
export type Route = { kind: 'channel'; id: string } | { kind: 'home' };

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

/** What waits for a yes in a confirm dialog. */
export interface Question {
  confirm: Confirm;
  answer: () => void;
}

/** What the page itself remembers; all else comes from the server. */
export interface Ui {
  person: string;
  route: Route;
  /** The parent message of the open thread. */
  thread: string | null;
  drafts: Record<string, string>;
  /** The completion chosen in the composer. */
  completion: number;
  /** Completions are hidden until the draft changes again. */
  isCompletionHidden: boolean;
  /** What was setInput into the inputs of each view, and not sent yet. */
  edits: Record<string, InputValues>;
  errors: Record<string, Record<string, string>>;
  submitting: string | null;
  /** The open picker, and what it shows. */
  picker: { key: string; state: PickerState } | null;
  /** The open menu: overflow, shortcuts, message actions. */
  menu: string | null;
  tables: Record<string, TableState>;
  question: Question | null;
  isSidebarOpen: boolean;
  isDrawerOpen: boolean;
  exchanges: Exchanges;
  /** The last message seen in each channel, by person and channel. */
  seen: Record<string, string>;
  dismissed: Record<string, true>;
  pending: number;
  problem: string | null;
  isOffline: boolean;
}

/** Under which the draft of a composer is kept: that of a channel, or of a thread in it. */
export const draftKey = (channel: string, threadTs: string | undefined): string =>
  threadTs === undefined ? channel : `${channel}:${threadTs}`;

export const noOptions: PickerState = { query: '', options: { options: [] }, active: 0, isLoading: false };

export function initialUi(person: string, route: Route): Ui {
  return {
    person,
    route,
    thread: null,
    drafts: {},
    completion: 0,
    isCompletionHidden: false,
    edits: {},
    errors: {},
    submitting: null,
    picker: null,
    menu: null,
    tables: {},
    question: null,
    isSidebarOpen: false,
    isDrawerOpen: false,
    exchanges: { deliveries: [], calls: [] },
    seen: {},
    dismissed: {},
    pending: 0,
    problem: null,
    isOffline: false,
  };
}

/** A view's values with what was setInput in since laid over them. */
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
