import { html, render, type TemplateResult } from 'lit-html';
import {
  createActions,
  createSender,
  createStore,
  isTourRemembered,
  lastSeen,
  openOwn,
  rememberedSeen,
  roomForTour,
} from './controller.ts';
import { keepInView } from './parts/messages.ts';
import { server } from './server.ts';
import type { PageState } from '../page-contract.ts';
import { confirmView, modalView } from './parts/modal.ts';
import { isTourShown, mainPane, threadPane, tourPane } from './parts/panes.ts';
import { sidebar } from './parts/sidebar.ts';
import { topBar } from './parts/top-bar.ts';
import { type RenderContext, formatHash, initialUi, isSlackbot, nearestRoute, parseHash } from './ui.ts';

const startPerson = 'U00000ADA';
const startRoute = { kind: 'channel', id: 'C0QUIZRESULTS' } as const;

/** How far the sandbox's clock is ahead of this computer's. */
let aheadMs = 0;

/** The hash that the page wrote or followed last. Another one is where somebody wants to go. */
let knownHash = location.hash;
const target = parseHash(knownHash);
const store = createStore(
  {
    server: undefined,
    ui: {
      ...initialUi(target.person ?? startPerson, target.route ?? startRoute),
      seen: rememberedSeen(),
      isTourOpen: isTourRemembered(),
    },
  },
  (state) => {
    followShown(state.ui.person);
    if (state.server === undefined) return;
    const { server: shown, ui } = state;
    const now = new Date(Date.now() + aheadMs);
    render(appView({ server: shown, ui, actions, act, change: store.change, now }), document.body);
    keepInView(document.body);
    if (isSlackbot(shown, ui.route)) void openOwn(store, sender, 'slackbot');
    if (ui.route.kind === 'workflow') void openOwn(store, sender, 'workflow');
    followHome(shown);
    const wanted = formatHash(ui.person, ui.route);
    if (location.hash !== knownHash || wanted === knownHash) return;
    history.replaceState(null, '', wanted);
    knownHash = wanted;
  },
);

roomForTour.addEventListener('change', () => {
  store.change({ isTourOpen: isTourRemembered() });
});

const tickMs = 10_000;
setInterval(() => {
  store.change({});
}, tickMs);

/** Whether the address names nobody: then the tour says where to start. */
let isAtStart = target.person === undefined;

let isRefreshing = false;
let isStale = false;

/** Fetches the state. Changes that arrive during a fetch cause one more fetch. */
async function refresh(): Promise<void> {
  isStale = true;
  if (isRefreshing) return;
  isRefreshing = true;
  try {
    while (isStale) {
      isStale = false;
      const { person } = store.state.ui;
      const state = await server.state(person);
      if (person !== store.state.ui.person) {
        isStale = true;
        continue;
      }
      if (isAtStart && state.tour !== null) {
        isAtStart = false;
        isStale = true;
        const { start } = state.tour;
        store.change({ person: start.person, route: { kind: 'channel', id: start.channel } });
        continue;
      }
      aheadMs = state.nowMs - Date.now();
      store.receive(state);
      store.change({ route: nearestRoute(state, store.state.ui.route) });
      store.change({ isOffline: false, seen: lastSeen(store.state) });
    }
  } catch {
    store.change({ isOffline: true });
  } finally {
    isRefreshing = false;
  }
}

const sender = createSender(store, refresh);
const act: RenderContext['act'] = (action) => void sender.act(action);
const actions = createActions(store, sender, refresh);

/** What the Home tab next to a channel shows is of this person and after these messages. */
let homeOf = '';

/** Keeps the Home tab in the tour’s pane up to date: the bot brings it up to date when it is opened. */
function followHome(shown: PageState): void {
  const { ui } = store.state;
  if (!isTourShown({ server: shown, ui }) || ui.route.kind === 'home' || shown.skipping !== null || ui.pending > 0)
    return;
  const messages = Object.values(shown.messages).flat();
  const wanted = [shown.me.id, ...messages.map(({ ts, editedTs = '' }) => ts + editedTs)].join(' ');
  if (wanted === homeOf) return;
  homeOf = wanted;
  void server.act(ui.person, { do: 'home' }).catch(sender.showProblem);
}

const followAs = (person: string) =>
  server.follow(
    person,
    () => void refresh(),
    (isOffline) => {
      store.change({ isOffline });
    },
  );

let followed = { person: store.state.ui.person, stop: followAs(store.state.ui.person) };

/** Only the person whom the page shows is active. */
function followShown(person: string): void {
  if (person === followed.person) return;
  followed.stop();
  followed = { person, stop: followAs(person) };
}

globalThis.addEventListener('hashchange', () => {
  knownHash = location.hash;
  const { person, route } = parseHash(knownHash);
  if (person !== undefined && person !== store.state.ui.person) actions.actAs(person);
  if (route !== undefined) actions.goTo(route);
  void refresh();
});

/** Renders the whole page. */
function appView(context: RenderContext): TemplateResult {
  return html`<a class="skip" href="#composer" @click=${skipToComposer}>Skip to the composer</a>
    ${topBar(context)}
    <div class="columns">
      ${sidebar(context)}
      ${
        context.ui.isSidebarOpen
          ? html`<div
              class="scrim only-narrow"
              @click=${() => context.change({ isSidebarOpen: false })}
            ></div>`
          : ''
      }
      ${mainPane(context)} ${threadPane(context)} ${tourPane(context)}
    </div>
    ${noticesView(context)} ${modalView(context)} ${confirmView(context)}`;
}

function skipToComposer(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.composer textarea')?.focus();
}

/** Renders notices: a failed click, a lost connection, a pending request. */
function noticesView(context: RenderContext): TemplateResult {
  const { server: shown, ui } = context;
  const notices = shown.notices.filter((notice) => ui.dismissed[notice.id] !== true).slice(-3);
  const problem = ui.isOffline ? 'Can’t reach the workspace. Trying again…' : ui.problem;
  return html`<div class="notices" role="status" aria-live="polite">
    ${problem === null ? '' : noticeView(problem, () => context.change({ problem: null }))}
    ${notices.map(({ id, text }) => noticeView(text, () => context.change({ dismissed: { ...ui.dismissed, [id]: true } })))}
    ${shown.isBotConnected ? '' : html`<div class="notice"><p>The bot isn’t connected yet.</p></div>`}
    ${ui.pending > 0 ? html`<div class="notice quiet"><p>Waiting for ${shown.botName}…</p></div>` : ''}
  </div>`;
}

function noticeView(text: string, dismiss: () => void): TemplateResult {
  return html`<div class="notice">
    <p>${text}</p>
    <button type="button" class="button icon-button" aria-label="Dismiss" @click=${dismiss}>×</button>
  </div>`;
}
