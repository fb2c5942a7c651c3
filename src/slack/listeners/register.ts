import type { App } from '@slack/bolt';
import type { MessagePreferences } from '../../features/alerts/direct-messages/preferences.ts';
import type { PersonLanguages } from '../people/person-languages.ts';
import { isTyped } from '../verbs.ts';
import { commandsActionId, commandsView } from '../views/home.ts';
import { notOpenedMessage, openModalOrAnswer } from './answers.ts';
import { registerAppEvents } from './app-events.ts';
import type { Home } from '../home.ts';
import { registerApprovals } from './approvals.ts';
import { registerCampaignAnswers, type MemberAnswers } from './campaign-answers.ts';
import { registerAttempts, registerChoices } from './clicks.ts';
import { registerCommands } from './commands.ts';
import { registerForms } from './forms.ts';
import { registerImports } from './imports.ts';
import { registerLanguages } from './languages.ts';
import type { ListenerContext } from './listener-context.ts';
import { registerManagerAnswers } from './manager-answers.ts';
import { registerMessages } from './messages.ts';
import { registerPeopleEvents, type PeopleEventDeps } from './people-events.ts';
import { registerPasswords } from './passwords.ts';
import { registerPickers } from './pickers.ts';
import { registerRespondents } from './respondents.ts';
import { registerShortcuts } from './shortcuts.ts';
import { registerWorkflowSteps, type StepListenerDeps } from '../workflow-steps/register.ts';

/** Registers all listeners. */
export function registerListeners(
  app: App,
  listenerContext: ListenerContext,
  {
    home,
    preferences,
    languages,
    memberAnswers,
    people,
    workflowSteps,
    appEvents,
    botUserId,
    commandPrefix,
    now,
  }: {
    home: Home;
    preferences: MessagePreferences;
    languages: PersonLanguages;
    memberAnswers: MemberAnswers;
    people: Omit<PeopleEventDeps, 'identity' | 'languages'>;
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
  registerAttempts(app, listenerContext);
  registerApprovals(app, listenerContext);
  registerPasswords(app, listenerContext);
  registerRespondents(app, listenerContext, { preferences, home });
  registerLanguages(app, listenerContext, { languages, home });
  registerCampaignAnswers(app, listenerContext, memberAnswers);
  registerManagerAnswers(app, listenerContext, memberAnswers);
  registerWorkflowSteps(app, listenerContext, workflowSteps);
  registerHome(app, listenerContext, home);
  registerAppEvents(app, appEvents);
  registerPeopleEvents(app, { identity: memberAnswers.identity, languages, ...people });
}

/** Publishes the Home tab when a person opens it, and opens the commands that its button is about. */
export function registerHome(app: App, listenerContext: ListenerContext, home: Home): void {
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
