import type { App } from '@slack/bolt';
import type { Home } from '../home.ts';

/** The Home tab, published when somebody opens it. */
export function registerHome(app: App, home: Home): void {
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') await home.open(event.user);
  });
}
