import type { App } from '@slack/bolt';
import { isTyped } from '../verbs.ts';
import { commandsActionId, commandsView } from '../views/home.ts';
import { notOpenedMessage, openModalOrAnswer } from './answers.ts';
import type { Home } from '../home.ts';
import { registerApprovals } from './approvals.ts';
import { registerChoices } from './clicks.ts';
import { registerCommands } from './commands.ts';
import { registerForms } from './forms.ts';
import { registerImports } from './imports.ts';
import type { ListenerContext } from './listener-context.ts';
import { registerMessages } from './messages.ts';
import { registerPeopleEvents, type PeopleEventDeps } from './people-events.ts';
import { registerPasswords } from './passwords.ts';
import { registerPickers } from './pickers.ts';
import { registerShortcuts } from './shortcuts.ts';
import { registerWorkflowSteps, type StepListenerDeps } from '../workflow-steps/register.ts';
import type { Log } from '../../observability/log.ts';

/** Registers all listeners. */
export function registerListeners(
  app: App,
  listenerContext: ListenerContext,
  {
    home,
    people,
    workflowSteps,
    appEvents,
    botUserId,
    commandPrefix,
    now,
  }: {
    home: Home;
    people: PeopleEventDeps;
    workflowSteps: StepListenerDeps;
    appEvents: Parameters<typeof registerAppEvents>[1];
    /** Undefined until Slack has said who the bot is. */
    botUserId: () => string | undefined;
    commandPrefix: string;
    now: () => number;
  },
): void {
  registerCommands(app, listenerContext);
  registerShortcuts(app, listenerContext);
  registerImports(app, listenerContext);
  registerMessages(app, listenerContext, { botUserId, commandPrefix, now });
  registerForms(app, listenerContext);
  registerPickers(app, listenerContext);
  registerChoices(app, listenerContext);
  registerApprovals(app, listenerContext);
  registerPasswords(app, listenerContext);
  registerWorkflowSteps(app, listenerContext, workflowSteps);
  registerHome(app, listenerContext, home);
  registerAppEvents(app, appEvents);
  registerPeopleEvents(app, people);
}

/** Publishes the Home tab when a person opens it, and opens the commands that its button is about. */
function registerHome(app: App, listenerContext: ListenerContext, home: Home): void {
  app.event('app_home_opened', async ({ event }) => {
    if (event.tab === 'home') await home.open(event.user);
  });
  app.action({ type: 'block_actions', action_id: commandsActionId }, async ({ ack, body, client }) => {
    await ack();
    const personId = body.user.id;
    const { operations } = await listenerContext.permissions.of(personId);
    await openModalOrAnswer(
      listenerContext,
      { client, personId },
      {
        triggerId: body.trigger_id,
        view: Promise.resolve(commandsView(operations.filter(isTyped))),
        waiting: commandsView([]),
        instead: (error) => notOpenedMessage(listenerContext, error, []),
      },
    );
  });
}

/**
 * Takes what Slack says about the app itself. Events come late, so Slack is asked whether the token works. A workspace that
 * removed the app is asked again like one that is away: an administrator can install the app again.
 * https://docs.slack.dev/reference/events/app_uninstalled
 *
 * @param deps.confirmToken asks Slack, and rejects where it refuses the token
 */
function registerAppEvents(app: App, { confirmToken, log }: { confirmToken: () => Promise<unknown>; log: Log }): void {
  const look = async (what: string) => {
    try {
      await confirmToken();
    } catch (error) {
      log.error({ error }, `${what}: install the app again and set its token, or remove the bot`);
    }
  };
  app.event('app_uninstalled', async () => look('the workspace has removed the app'));
  app.event('tokens_revoked', async ({ event: { tokens } }) => {
    if ((tokens.bot?.length ?? 0) > 0) await look('Slack has revoked the bot token');
  });
}
