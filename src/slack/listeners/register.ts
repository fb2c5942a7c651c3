import type { App } from '@slack/bolt';
import type { Home } from '../home.ts';
import { registerApprovals } from './approvals.ts';
import { registerAttempts } from './attempts.ts';
import { registerChoices } from './choices.ts';
import { registerCommands } from './commands.ts';
import type { Desk } from './listener-context.ts';
import { registerForms } from './forms.ts';
import { registerHome } from './home.ts';
import { registerPickers } from './pickers.ts';
import { registerShortcuts } from './shortcuts.ts';

/** Everything the bot listens to in Slack. */
export function registerListeners(app: App, desk: Desk, home: Home): void {
  registerCommands(app, desk);
  registerShortcuts(app, desk);
  registerForms(app, desk);
  registerPickers(app, desk);
  registerChoices(app, desk);
  registerAttempts(app, desk);
  registerApprovals(app, desk);
  registerHome(app, home);
}
