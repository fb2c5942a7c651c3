import type { App } from '@slack/bolt';
import type { Home } from '../home.ts';
import { registerApprovals } from './approvals.ts';
import { registerAttempts } from './attempts.ts';
import { registerChoices } from './choices.ts';
import { registerCommands } from './commands.ts';
import type { ListenerContext } from './listener-context.ts';
import { registerForms } from './forms.ts';
import { registerHome } from './home.ts';
import { registerPickers } from './pickers.ts';
import { registerShortcuts } from './shortcuts.ts';

/** Everything the bot listens to in Slack. */
export function registerListeners(app: App, listenerContext: ListenerContext, home: Home): void {
  registerCommands(app, listenerContext);
  registerShortcuts(app, listenerContext);
  registerForms(app, listenerContext);
  registerPickers(app, listenerContext);
  registerChoices(app, listenerContext);
  registerAttempts(app, listenerContext);
  registerApprovals(app, listenerContext);
  registerHome(app, home);
}
