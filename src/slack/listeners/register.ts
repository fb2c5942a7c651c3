import type { App } from '@slack/bolt';
import type { Home } from '../home.ts';
import { registerApprovals } from './approvals.ts';
import { registerAttempts, registerChoices } from './clicks.ts';
import { registerCommands } from './commands.ts';
import { registerForms } from './forms.ts';
import type { ListenerContext } from './listener-context.ts';
import { registerPasswords } from './passwords.ts';
import { registerPickers } from './pickers.ts';
import { registerShortcuts } from './shortcuts.ts';

/** Registers all listeners. */
export function registerListeners(app: App, listenerContext: ListenerContext, home: Home): void {
  registerCommands(app, listenerContext);
  registerShortcuts(app, listenerContext);
  registerForms(app, listenerContext);
  registerPickers(app, listenerContext);
  registerChoices(app, listenerContext);
  registerAttempts(app, listenerContext);
  registerApprovals(app, listenerContext);
  registerPasswords(app, listenerContext);
  registerHome(app, home);
}

/** Publishes the Home tab when a person opens it. */
export function registerHome(app: App, home: Home): void {
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') await home.open(event.user);
  });
}
