import type { InputState, InputValues } from '../model.ts';
import { createFileActions } from './file-actions.ts';
import { createPickerActions } from './picker-actions.ts';
import { type Actions, keyOf, type LocatedElement, type Source } from './render-context.ts';
import { lastSeen, rememberTour, type Store } from './store.ts';
import { createSlackbotActions } from './slackbot/actions.ts';
import { createSender, server, whatOf, whereOf } from './server.ts';
import { draftKey, withEdits } from './ui.ts';
import type { Route } from './route.ts';
import { createWorkflowActions } from './workflow/actions.ts';

const isText = (located: LocatedElement): boolean => located.element.type.endsWith('_input');

const sendsEveryKeystroke = (located: LocatedElement): boolean =>
  'dispatch_action_config' in located.element &&
  located.element.dispatch_action_config?.trigger_actions_on.includes('on_character_entered') === true;

function focusFirstError(): void {
  document.querySelector<HTMLElement>('dialog[open] [data-invalid=true] :is(input, textarea)')?.focus();
}

/** Creates the actions that the page's event handlers call. */
export function createActions(store: Store, refresh: () => Promise<void>): Actions {
  const ui = () => store.state.ui;
  const sender = createSender(store, refresh);
  const { act } = sender;

  const goTo = (route: Route): void => {
    store.change({ route, thread: null, isSidebarOpen: false, menu: null });
    store.change({ seen: lastSeen(store.state) });
    if (route.kind === 'home') void act({ do: 'home' });
  };

  /** The current state of a view's inputs, local edits included. */
  const valuesOf = (source: Source): InputValues => {
    const view = [...(store.state.server?.stack ?? []), store.state.server?.home].find(
      (candidate) => candidate?.id === keyOf(source),
    );
    return source.kind === 'message' || view === undefined || view === null
      ? {}
      : withEdits(view.state.values, ui().edits[view.id]);
  };

  const sendClick = (located: LocatedElement, value: InputState | string | null): void => {
    const { source } = located;
    void act({ do: 'click', where: whereOf(source), what: whatOf(located), value, values: valuesOf(source) });
  };

  const withConfirm = (located: LocatedElement, then: () => void): void => {
    const confirm = 'confirm' in located.element ? located.element.confirm : undefined;
    if (confirm === undefined) then();
    else store.change({ question: { confirm, answer: then } });
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

  return {
    goTo,
    actAs(person) {
      store.change({ person, thread: null, menu: null, picker: null, question: null });
      void refresh().then(() => (ui().route.kind === 'home' ? act({ do: 'home' }) : undefined));
    },
    setLocale(locale) {
      void act({ do: 'setLocale', locale }).then(() => (ui().route.kind === 'home' ? act({ do: 'home' }) : undefined));
    },
    openThread(thread) {
      store.change({ thread });
    },
    draft(key, text) {
      store.change({ drafts: { ...ui().drafts, [key]: text }, completion: null, isCompletionHidden: false });
    },
    chooseCompletion(completion) {
      store.change({ completion });
    },
    hideCompletions() {
      store.change({ isCompletionHidden: true });
    },
    send(channel, threadTs) {
      void send(channel, threadTs);
    },
    ...createSlackbotActions(store, sender),
    ...createWorkflowActions(store, sender),
    ...createFileActions(store, sender, storeEdit),
    shortcut(callbackId) {
      void act({ do: 'shortcut', callbackId });
    },
    skip(ms) {
      void act({ do: 'skip', ms });
    },
    messageShortcut(callbackId, message) {
      void act({ do: 'messageShortcut', callbackId, channel: message.channel, ts: message.ts });
    },
    click(located, value) {
      withConfirm(located, () => {
        sendClick(located, value);
      });
    },
    setInput(located, state) {
      const isQuiet = located.block.type === 'input' && located.block.dispatch_action !== true;
      if (isQuiet || (isText(located) && !sendsEveryKeystroke(located))) {
        storeEdit(located, state);
        return;
      }
      withConfirm(located, () => {
        storeEdit(located, state);
        sendClick(located, state);
      });
    },
    enter(located) {
      const state = valuesOf(located.source)[located.block.block_id ?? '']?.[located.actionId];
      if (state !== undefined) sendClick(located, state);
    },
    ...createPickerActions(store, sender),
    submit(view) {
      if (ui().submitting === null) void submit(view);
    },
    closeView(view, all) {
      void act({ do: 'close', view, all });
    },
    answerQuestion(isConfirmed) {
      const { question } = ui();
      store.change({ question: null });
      if (isConfirmed) question?.answer();
    },
    toggleMenu(menu) {
      store.change({ menu });
    },
    sortTable(key, column) {
      const before = ui().tables[key];
      const isDescending = before?.column === column && !before.isDescending;
      store.change({ tables: { ...ui().tables, [key]: { column, isDescending, page: 0 } } });
    },
    turnPage(key, page) {
      const before = ui().tables[key] ?? { column: -1, isDescending: false, page: 0 };
      store.change({ tables: { ...ui().tables, [key]: { ...before, page } } });
    },
    toggleSidebar(isSidebarOpen) {
      store.change({ isSidebarOpen });
    },
    toggleDrawer(isDrawerOpen) {
      store.change({ isDrawerOpen });
      void refresh();
    },
    toggleTour(isTourOpen) {
      store.change({ isTourOpen, ...(isTourOpen && { thread: null, isDrawerOpen: false }) });
      rememberTour(isTourOpen);
    },
    refreshHome() {
      void server.act(ui().person, { do: 'home' }).catch(sender.showProblem);
    },
    dismiss(id) {
      if (id === 'problem') store.change({ problem: null });
      else store.change({ dismissed: { ...ui().dismissed, [id]: true } });
    },
  };
}
