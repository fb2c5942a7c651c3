import { render } from 'lit-html';
import { readAddress, writeAddress } from './address.ts';
import { appView } from './app.ts';
import { createActions } from './controller.ts';
import { placeFor } from './place.ts';
import { keepInView } from './scrolling.ts';
import { server } from './server.ts';
import { seenBy } from './seen.ts';
import { createStore } from './store.ts';
import { initialUi } from './ui.ts';

const startPerson = 'U00000ADA';
const startPlace = { kind: 'channel', id: 'C0QUIZRESULTS' } as const;

const address = readAddress(location.hash);
const store = createStore(
  { server: undefined, ui: initialUi(address.person ?? startPerson, address.place ?? startPlace) },
  (state) => {
    if (state.server === undefined) return;
    render(appView({ server: state.server, ui: state.ui, actions, now: new Date() }), document.body);
    keepInView(document.body);
    const wanted = writeAddress(state.ui.person, state.ui.place);
    if (location.hash !== wanted) history.replaceState(null, '', wanted);
  },
);

let isRefreshing = false;
let isStale = false;

/** Fetches the state; changes that come meanwhile are fetched once more afterwards. */
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
      store.receive(state);
      store.change({ place: placeFor(state, store.state.ui.place) });
      store.change({ isOffline: false, seen: seenBy(store.state), ...(exchanges !== undefined && { exchanges }) });
    }
  } catch {
    store.change({ isOffline: true });
  } finally {
    isRefreshing = false;
  }
}

const actions = createActions(store, refresh);

server.follow(
  () => void refresh(),
  (isOffline) => {
    store.change({ isOffline });
  },
);

globalThis.addEventListener('hashchange', () => {
  const { person, place } = readAddress(location.hash);
  if (person !== undefined && person !== store.state.ui.person) actions.actAs(person);
  if (place !== undefined) actions.goTo(place);
  void refresh();
});
