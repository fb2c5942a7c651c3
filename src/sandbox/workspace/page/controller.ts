import type { InputState, InputValues, Options } from '../model.ts';
import {
  type Actions,
  elementKey,
  keyOf,
  type LocatedElement,
  type Source,
  draftKey,
  type Route,
  type Ui,
  withEdits,
} from './ui.ts';
import { server, whatOf, whereOf } from './server.ts';
import { showNewest } from './parts/messages.ts';
import type { PageAction, PageFile, PageState } from '../page-contract.ts';
import { asksBot } from './block-kit/picker.ts';

interface State {
  /** Undefined until the first response. */
  server: PageState | undefined;
  ui: Ui;
}

type Store = ReturnType<typeof createStore>;

/** Holds the page's state. Renders once per microtask after changes. @param draw renders the page */
export function createStore(initial: State, draw: (state: State) => void) {
  let state = initial;
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
      isScheduled = false;
      draw(state);
    });
  };
  return {
    get state(): State {
      return state;
    },
    change(ui: Partial<Ui>): void {
      state = { ...state, ui: { ...state.ui, ...ui } };
      schedule();
    },
    receive(shown: PageState): void {
      state = { ...state, server: shown };
      schedule();
    },
  };
}

const seenKey = 'seen';

/** What this browser has shown before a reload. */
export const rememberedSeen = (): Record<string, string> => JSON.parse(localStorage.getItem(seenKey) ?? '{}');

const tourKey = 'tour';

/** Whether the tour fits beside the messages. Elsewhere it covers them. */
export const roomForTour = matchMedia('(min-width: 1000px)');

/** Whether the tour is open: where there is room for it, unless it was closed in this browser. */
export const isTourRemembered = (): boolean => roomForTour.matches && localStorage.getItem(tourKey) !== 'false';

/**
 * Computes the last message seen in each conversation. On first load, that is the latest of a channel, but none of the direct
 * messages.
 */
export function lastSeen({ server: shown, ui }: State): Record<string, string> {
  const seen = { ...ui.seen };
  if (shown === undefined) return seen;
  for (const channel of [...shown.channels, shown.direct]) {
    const key = `${shown.me.id} ${channel.id}`;
    const isHere = ui.route.kind === 'channel' && ui.route.id === channel.id;
    if (isHere || (seen[key] === undefined && channel !== shown.direct))
      seen[key] = shown.messages[channel.id]?.at(-1)?.ts ?? '0';
    seen[key] ??= '0';
  }
  localStorage.setItem(seenKey, JSON.stringify(seen));
  return seen;
}

const problemMs = 8000;

type Sender = ReturnType<typeof createSender>;

/** Sends actions and shows their failures. */
export function createSender(store: Store, refresh: () => Promise<void>) {
  const ui = () => store.state.ui;

  const showProblem = (error: unknown): void => {
    const problem = error instanceof Error ? error.message : String(error);
    store.change({ problem });
    setTimeout(() => {
      if (ui().problem === problem) store.change({ problem: null });
    }, problemMs);
  };

  return {
    /** Shows a failure for 8 s. */
    showProblem,
    /** Resolves with the response once the page has the new state. Resolves with undefined after showing a failure. */
    async act<T extends object>(action: PageAction): Promise<T | undefined> {
      store.change({ pending: ui().pending + 1, problem: null });
      try {
        const answer = await server.act<T>(ui().person, action);
        await refresh();
        return answer;
      } catch (error) {
        showProblem(error);
        return undefined;
      } finally {
        store.change({ pending: ui().pending - 1 });
      }
    },
  };
}

function focusFirstError(): void {
  document.querySelector<HTMLElement>('dialog[open] [data-invalid=true] :is(input, textarea)')?.focus();
}

/** Creates the actions that the page's event handlers call. */
export function createActions(store: Store, { act, showProblem }: Sender, refresh: () => Promise<void>): Actions {
  const ui = () => store.state.ui;

  /** The bot brings the Home tab up to date when it is opened. */
  const openHomeAgain = () => (ui().route.kind === 'home' ? act({ do: 'home' }) : undefined);

  /** The current state of a view's inputs, local edits included. */
  const valuesOf = (source: Source): InputValues => {
    const shown = store.state.server;
    const homes = [shown?.home, shown?.workflow?.home, shown?.slackbot?.home];
    const view = [...(shown?.stack ?? []), ...homes].find((candidate) => candidate?.id === keyOf(source));
    return source.kind === 'message' || view === undefined || view === null
      ? {}
      : withEdits(view.state.values, ui().edits[view.id]);
  };

  const sendClick = (located: LocatedElement, value: InputState | string | null): void => {
    const { source } = located;
    void act({ do: 'click', where: whereOf(source), what: whatOf(located), value, values: valuesOf(source) });
  };

  const storeEdit = (located: LocatedElement, state: InputState): void => {
    const key = keyOf(located.source);
    const block = located.block.block_id ?? '';
    const before = ui().edits[key] ?? {};
    const { [block]: _fixed, ...errors } = ui().errors[key] ?? {};
    store.change({
      edits: { ...ui().edits, [key]: { ...before, [block]: { ...before[block], [located.actionId]: state } } },
      errors: { ...ui().errors, [key]: errors },
    });
  };

  /** Sends the draft. Puts it back into the composer if sending fails. */
  const send = async (channel: string, threadTs?: string): Promise<void> => {
    const key = draftKey(channel, threadTs);
    const text = (ui().drafts[key] ?? '').trim();
    const files = ui().attached[key] ?? [];
    if (text === '' && files.length === 0) return;
    store.change({ drafts: { ...ui().drafts, [key]: '' }, attached: { ...ui().attached, [key]: [] } });
    // The answer comes there, and is then kept in view.
    showNewest(document.querySelector(`${threadTs === undefined ? 'main' : '.thread'} .messages`));
    const answer = await act(
      text.startsWith('/') && threadTs === undefined && files.length === 0
        ? { do: 'command', channel, text }
        : {
            do: 'say',
            channel,
            text,
            ...(threadTs !== undefined && { threadTs }),
            files: files.map(({ id }) => ({ id })),
          },
    );
    if (answer === undefined && ui().drafts[key] === '')
      store.change({ drafts: { ...ui().drafts, [key]: text }, attached: { ...ui().attached, [key]: files } });
  };

  const submit = async (view: string): Promise<void> => {
    store.change({ submitting: view, errors: { ...ui().errors, [view]: {} } });
    const answer = await act<{ errors?: Record<string, string> }>({
      do: 'submit',
      view,
      values: valuesOf({ kind: 'view', id: view }),
    });
    store.change({ submitting: null, errors: { ...ui().errors, [view]: answer?.errors ?? {} } });
    requestAnimationFrame(focusFirstError);
  };

  const upload = async (files: readonly File[], then: (uploaded: PageFile[]) => void): Promise<void> => {
    try {
      then(await Promise.all(files.map((file) => server.upload(ui().person, file))));
    } catch (error) {
      showProblem(error);
    }
  };

  return {
    goTo(route: Route) {
      store.change({ route, thread: null, isSidebarOpen: false, menu: null });
      store.change({ seen: lastSeen(store.state) });
      void openHomeAgain();
    },
    actAs(person) {
      store.change({ person, thread: null, menu: null, picker: null, question: null });
      void refresh().then(openHomeAgain);
    },
    setLocale: (locale) => void act({ do: 'setLocale', locale }).then(openHomeAgain),
    send: (channel, threadTs) => void send(channel, threadTs),
    attach(key, files) {
      void upload(files, (uploaded) =>
        store.change({ attached: { ...ui().attached, [key]: [...(ui().attached[key] ?? []), ...uploaded] } }),
      );
    },
    chooseFiles(located, state, files) {
      void upload(files, (uploaded) => storeEdit(located, { ...state, files: [...(state.files ?? []), ...uploaded] }));
    },
    click(located, value) {
      const answer = () => sendClick(located, value);
      const confirm = 'confirm' in located.element ? located.element.confirm : undefined;
      if (confirm === undefined) answer();
      else store.change({ question: { confirm, answer } });
    },
    setInput(located, state) {
      storeEdit(located, state);
      if (located.block.type !== 'input' || located.block.dispatch_action === true) sendClick(located, state);
    },
    submit(view) {
      if (ui().submitting === null) void submit(view);
    },
    toggleTour(isTourOpen) {
      store.change({ isTourOpen, ...(isTourOpen && { thread: null }) });
      if (roomForTour.matches) localStorage.setItem(tourKey, String(isTourOpen));
    },
    ...createPickerActions(store, showProblem),
  };
}

/** Has an app of Slack’s own draw what the person sees first, once while they are there. */
export async function openOwn({ state, change }: Store, { act }: Sender, app: 'slackbot' | 'workflow'): Promise<void> {
  const opened = `${app} ${state.ui.person}`;
  if (state.ui.opened === opened) return;
  change({ opened });
  await act({ do: 'openOwn', app });
}

/** Creates the actions of the open picker. At most one picker is open. */
function createPickerActions(
  store: Store,
  showProblem: (error: unknown) => void,
): Pick<Actions, 'queryPicker' | 'leavePicker'> {
  const ui = () => store.state.ui;
  let isPressed = false;
  let held: (() => void)[] = [];
  addEventListener('pointerdown', () => (isPressed = true), { capture: true });
  for (const end of ['pointerup', 'pointercancel'])
    addEventListener(
      end,
      () => {
        isPressed = false;
        const changes = held;
        held = [];
        // The click comes right after the end of the press.
        setTimeout(() => {
          for (const change of changes) change();
        });
      },
      { capture: true },
    );

  /** Changes what is shown at the end of a press: during it, what is pressed would move from the pointer, and lose the click. */
  const afterPress = (change: () => void): void => {
    if (isPressed) held.push(change);
    else change();
  };

  const lookUp = async (located: LocatedElement, query: string): Promise<void> => {
    const key = elementKey(located);
    const show = (options: Options): void => {
      afterPress(() => {
        const { picker } = ui();
        if (picker?.key === key && picker.state.query === query)
          store.change({ picker: { key, state: { ...picker.state, options, isLoading: false } } });
      });
    };
    try {
      const action = { do: 'options', where: whereOf(located.source), what: whatOf(located), query } as const;
      show(await server.act<Options>(ui().person, action));
    } catch (error) {
      show({ options: [] });
      showProblem(error);
    }
  };

  return {
    queryPicker(located, query) {
      const key = elementKey(located);
      const { picker } = ui();
      const options = picker?.key === key ? picker.state.options : { options: [] };
      store.change({ picker: { key, state: { query, options, active: 0, isLoading: asksBot(located.element) } } });
      if (asksBot(located.element)) void lookUp(located, query);
    },
    leavePicker(key) {
      // An open list makes its dialog taller.
      afterPress(() => {
        if (ui().picker?.key === key) store.change({ picker: null });
      });
    },
  };
}
