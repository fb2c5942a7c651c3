import { render } from 'lit-html';
import { nearestRoute, parseHash, formatHash } from './route.ts';
import { appView, keepInView } from './app.ts';
import { createActions } from './controller.ts';
import { server } from './server.ts';
import { createStore, lastSeen, rememberedSeen } from './store.ts';
import { initialUi } from './ui.ts';

const startPerson = 'U00000ADA';
const startRoute = { kind: 'channel', id: 'C0QUIZRESULTS' } as const;

/** How far the sandbox's clock is ahead of this computer's. */
let aheadMs = 0;

const target = parseHash(location.hash);
const store = createStore(
  {
    server: undefined,
    ui: { ...initialUi(target.person ?? startPerson, target.route ?? startRoute), seen: rememberedSeen() },
  },
  (state) => {
    followShown(state.ui.person);
    if (state.server === undefined) return;
    render(
      appView({ server: state.server, ui: state.ui, actions, now: new Date(Date.now() + aheadMs) }),
      document.body,
    );
    keepInView(document.body);
    if (state.ui.route.kind === 'slackbot') actions.loadTools();
    if (state.ui.route.kind === 'workflow') actions.loadChoices();
    const wanted = formatHash(state.ui.person, state.ui.route);
    if (location.hash !== wanted) history.replaceState(null, '', wanted);
  },
);

const tickMs = 10_000;
setInterval(() => {
  store.change({});
}, tickMs);

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
      const { person, isDrawerOpen } = store.state.ui;
      const [state, exchanges] = await Promise.all([
        server.state(person),
        isDrawerOpen ? server.exchanges() : undefined,
      ]);
      if (person !== store.state.ui.person) {
        isStale = true;
        continue;
      }
      aheadMs = state.nowMs - Date.now();
      store.receive(state);
      store.change({ route: nearestRoute(state, store.state.ui.route) });
      store.change({ isOffline: false, seen: lastSeen(store.state), ...(exchanges !== undefined && { exchanges }) });
    }
  } catch {
    store.change({ isOffline: true });
  } finally {
    isRefreshing = false;
  }
}

const actions = createActions(store, refresh);

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
  const { person, route } = parseHash(location.hash);
  if (person !== undefined && person !== store.state.ui.person) actions.actAs(person);
  if (route !== undefined) actions.goTo(route);
  void refresh();
});
