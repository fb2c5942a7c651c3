import type { InputState, InputValues, Options, SlackbotTool } from '../model.ts';
import { type Actions, elementKey, keyOf, type LocatedElement, type Source } from './render-context.ts';
import { lastSeen, rememberTour, type Store } from './store.ts';
import { createSender, type Sender, server, whatOf, whereOf } from './server.ts';
import { showNewest } from './parts/messages.ts';
import { draftKey, type Route, withEdits } from './ui.ts';
import type { SlackbotActions, SlackbotUi } from './slackbot/state.ts';
import type { PageFile, WorkflowChoices } from '../page-contract.ts';
import type { WorkflowActions, WorkflowUi } from './workflow/state.ts';
import { asksBot } from './block-kit/picker.ts';

const isText = (located: LocatedElement): boolean => located.element.type.endsWith('_input');

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
      if (isQuiet || isText(located)) {
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
    toggleTour(isTourOpen) {
      store.change({ isTourOpen, ...(isTourOpen && { thread: null }) });
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

function createSlackbotActions(store: Store, { act }: Sender): SlackbotActions {
  const slackbot = () => store.state.ui.slackbot;
  const change = (part: Partial<SlackbotUi>): void => {
    store.change({ slackbot: { ...slackbot(), ...part } });
  };

  const load = async (person: string): Promise<void> => {
    change({ person, tools: null });
    const answer = await act<{ tools: SlackbotTool[] }>({ do: 'slackbotTools' });
    if (slackbot().person !== person) return;
    const tools = answer?.tools ?? [];
    change({
      tools,
      chosen: tools.some(({ name }) => name === slackbot().chosen) ? slackbot().chosen : (tools[0]?.name ?? ''),
    });
  };

  return {
    loadTools() {
      const { person } = store.state.ui;
      if (slackbot().person !== person) void load(person);
    },
    chooseTool(chosen) {
      change({ chosen });
    },
    enterArgument(tool, argument, text) {
      const { entered } = slackbot();
      change({ entered: { ...entered, [tool]: { ...entered[tool], [argument]: text } } });
    },
    callTool({ name, title }, given) {
      void act({ do: 'callTool', name, title, given });
    },
  };
}

type FileActions = Pick<Actions, 'attach' | 'detach' | 'chooseFiles'>;

/** Creates the actions that upload files of this computer. @param storeEdit stores the state of an input */
function createFileActions(
  store: Store,
  { showProblem }: Sender,
  storeEdit: (located: LocatedElement, state: InputState) => void,
): FileActions {
  const ui = () => store.state.ui;

  const upload = async (files: readonly File[], then: (uploaded: PageFile[]) => void): Promise<void> => {
    try {
      then(await Promise.all(files.map((file) => server.upload(ui().person, file))));
    } catch (error) {
      showProblem(error);
    }
  };

  return {
    attach(key, files) {
      void upload(files, (uploaded) => {
        store.change({ attached: { ...ui().attached, [key]: [...(ui().attached[key] ?? []), ...uploaded] } });
      });
    },
    detach(key, id) {
      store.change({
        attached: { ...ui().attached, [key]: (ui().attached[key] ?? []).filter((file) => file.id !== id) },
      });
    },
    chooseFiles(located, state, files) {
      void upload(files, (uploaded) => {
        storeEdit(located, { ...state, files: [...(state.files ?? []), ...uploaded] });
      });
    },
  };
}

const usualQuiz = 'Onboarding';

function createWorkflowActions(store: Store, { act }: Sender): WorkflowActions {
  const workflow = () => store.state.ui.workflow;
  const change = (part: Partial<WorkflowUi>): void => {
    store.change({ workflow: { ...workflow(), ...part } });
  };

  const load = async (person: string): Promise<void> => {
    change({ person, choices: null, problem: '' });
    const answer = await act<{ choices?: WorkflowChoices; problem?: string }>({ do: 'workflowChoices' });
    if (workflow().person !== person) return;
    const choices = answer?.choices ?? { actsAs: [], quizzes: [] };
    const quiz = choices.quizzes.find(({ text }) => text.startsWith(usualQuiz)) ?? choices.quizzes[0];
    change({
      choices,
      problem: answer?.problem ?? '',
      actsAs: choices.actsAs[0]?.value ?? '',
      quiz: quiz?.value ?? '',
    });
  };

  return {
    loadChoices() {
      const { person } = store.state.ui;
      if (workflow().person !== person) void load(person);
    },
    enterWorkflow: change,
    publishWorkflow() {
      const { actsAs, quiz, choices } = workflow();
      const quizName = choices?.quizzes.find(({ value }) => value === quiz)?.text ?? '';
      void act({ do: 'publishWorkflow', actsAs, quiz, quizName });
    },
    deleteWorkflow() {
      void act({ do: 'deleteWorkflow' });
    },
    joinNewHires() {
      void act({ do: 'joinNewHires', person: workflow().joiner });
    },
  };
}

type PickerActions = Pick<Actions, 'openPicker' | 'queryPicker' | 'movePicker' | 'closePicker' | 'leavePicker'>;

/** Creates the actions of the open picker. At most one picker is open. */
function createPickerActions(store: Store, { showProblem }: Sender): PickerActions {
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

  const queryPicker = (located: LocatedElement, query: string): void => {
    const key = elementKey(located);
    const { picker } = ui();
    const options = picker?.key === key ? picker.state.options : { options: [] };
    store.change({ picker: { key, state: { query, options, active: 0, isLoading: asksBot(located.element) } } });
    if (asksBot(located.element)) void lookUp(located, query);
  };

  return {
    queryPicker,
    openPicker(located) {
      queryPicker(located, '');
    },
    movePicker(to) {
      const { picker } = ui();
      if (picker !== null) store.change({ picker: { ...picker, state: { ...picker.state, active: to } } });
    },
    closePicker() {
      store.change({ picker: null });
    },
    leavePicker(key) {
      // An open list makes its dialog taller.
      afterPress(() => {
        if (ui().picker?.key === key) store.change({ picker: null });
      });
    },
  };
}
