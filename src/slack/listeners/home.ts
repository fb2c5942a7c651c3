import type { App } from '@slack/bolt';
import { homeView, sorryView } from '../views/home.ts';
import type { Desk } from './desk.ts';

/** The Home tab, published when somebody opens it. */
export function registerHome(app: App, desk: Desk): void {
  app.event('app_home_opened', async ({ event, client }) => {
    if (event.tab !== 'home') return;
    const view = await desk.permissions.of(event.user).then(homeView, (error: unknown) => sorryView(desk.report(error)));
    await client.views.publish({ user_id: event.user, view });
  });
}
