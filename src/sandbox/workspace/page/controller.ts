import type { InputState, InputValues } from '../model.ts';
import { createPicking } from './picking.ts';
import { type Actions, type Source, type Spot, keyOf } from './scene.ts';
import { seenBy } from './seen.ts';
import { createSender, whatOf, whereOf } from './sending.ts';
import type { Store } from './store.ts';
import { type Place, draftKey, withEdits } from './ui.ts';

const isText = (spot: Spot): boolean => spot.element.type.endsWith('_input');

const isEveryLetterTold = (spot: Spot): boolean =>
  'dispatch_action_config' in spot.element &&
  spot.element.dispatch_action_config?.trigger_actions_on.includes('on_character_entered') === true;

function focusFirstError(): void {
  document.querySelector<HTMLElement>('dialog[open] [data-invalid=true] :is(input, textarea)')?.focus();
}

/** What happens when somebody does something on the page. */
export function createActions(store: Store, refresh: () => Promise<void>): Actions {
  const ui = () => store.state.ui;
  const sender = createSender(store, refresh);
  const { act } = sender;

  const goTo = (place: Place): void => {
    store.change({ place, thread: null, isSidebarOpen: false, menu: null });
    store.change({ seen: seenBy(store.state) });
    if (place.kind === 'home') void act({ do: 'home' });
  };

  /** All that the inputs of a view hold, for the bot to see. */
  const valuesOf = (source: Source): InputValues => {
    const view = [...(store.state.server?.stack ?? []), store.state.server?.home].find(
      (one) => one?.id === keyOf(source),
    );
    return source.kind === 'message' || view === undefined || view === null
      ? {}
      : withEdits(view.state.values, ui().edits[view.id]);
  };

  const tell = (spot: Spot, value: InputState | string | null): void => {
    void act({ do: 'click', where: whereOf(spot.source), what: whatOf(spot), value, values: valuesOf(spot.source) });
  };

  const withConfirm = (spot: Spot, then: () => void): void => {
    const confirm = 'confirm' in spot.element ? spot.element.confirm : undefined;
    if (confirm === undefined) then();
    else store.change({ question: { confirm, answer: then } });
  };

  const keep = (spot: Spot, state: InputState): void => {
    const key = keyOf(spot.source);
    const block = spot.block.block_id ?? '';
    const before = ui().edits[key] ?? {};
    const { [block]: _fixed, ...errors } = ui().errors[key] ?? {};
    store.change({
      edits: { ...ui().edits, [key]: { ...before, [block]: { ...before[block], [spot.actionId]: state } } },
      errors: { ...ui().errors, [key]: errors },
    });
  };

  /** What could not be sent stands in the composer again. */
  const send = async (channel: string, threadTs?: string): Promise<void> => {
    const key = draftKey(channel, threadTs);
    const text = (ui().drafts[key] ?? '').trim();
    if (text === '') return;
    store.change({ drafts: { ...ui().drafts, [key]: '' } });
    const answer = await act(
      text.startsWith('/') && threadTs === undefined
        ? { do: 'command', channel, text }
        : { do: 'say', channel, text, ...(threadTs !== undefined && { threadTs }) },
    );
    if (answer === undefined && ui().drafts[key] === '') store.change({ drafts: { ...ui().drafts, [key]: text } });
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
      void refresh().then(() => (ui().place.kind === 'home' ? act({ do: 'home' }) : undefined));
    },
    openThread(thread) {
      store.change({ thread });
    },
    draft(key, text) {
      store.change({ drafts: { ...ui().drafts, [key]: text }, completion: 0, isCompletionHidden: false });
    },
    moveCompletion(by, count) {
      store.change({ completion: (ui().completion + by + count) % count });
    },
    hideCompletions() {
      store.change({ isCompletionHidden: true });
    },
    send(channel, threadTs) {
      void send(channel, threadTs);
    },
    shortcut(callbackId) {
      void act({ do: 'shortcut', callbackId });
    },
    messageShortcut(callbackId, message) {
      void act({ do: 'messageShortcut', callbackId, channel: message.channel, ts: message.ts });
    },
    click(spot, value) {
      withConfirm(spot, () => {
        tell(spot, value);
      });
    },
    put(spot, state) {
      const isQuiet = spot.block.type === 'input' && spot.block.dispatch_action !== true;
      if (isQuiet || (isText(spot) && !isEveryLetterTold(spot))) {
        keep(spot, state);
        return;
      }
      withConfirm(spot, () => {
        keep(spot, state);
        tell(spot, state);
      });
    },
    enter(spot) {
      const held = valuesOf(spot.source)[spot.block.block_id ?? '']?.[spot.actionId];
      if (held !== undefined) tell(spot, held);
    },
    ...createPicking(store, sender),
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
    dismiss(id) {
      if (id === 'problem') store.change({ problem: null });
      else store.change({ dismissed: { ...ui().dismissed, [id]: true } });
    },
  };
}
