import type { App, BlockAction, ButtonAction, StaticSelectAction } from '@slack/bolt';
import type { MessagePreferences } from '../../features/alerts/direct-messages/preferences.ts';
import type { PersonLanguages } from '../people/person-languages.ts';
import { isTyped } from '../verbs.ts';
import { commandsActionId, commandsView } from '../views/home.ts';
import { notOpenedMessage, openModalOrAnswer, answerBeside, clickedMessage, shownMessage } from './answers.ts';
import type { Home } from '../home.ts';
import { registerApprovals } from './approvals.ts';
import { registerCampaignAnswers, type MemberAnswers } from './campaign-answers.ts';
import { registerAttempts, registerChoices } from './clicks.ts';
import { registerCommands } from './commands.ts';
import { registerForms } from './forms.ts';
import { registerImports } from './imports.ts';
import type { ListenerContext } from './listener-context.ts';
import { registerManagerAnswers } from './manager-answers.ts';
import { registerMessages } from './messages.ts';
import { registerPeopleEvents, type PeopleEventDeps } from './people-events.ts';
import { registerPasswords } from './passwords.ts';
import { registerPickers } from './pickers.ts';
import { registerShortcuts } from './shortcuts.ts';
import { registerWorkflowSteps, type StepListenerDeps } from '../workflow-steps/register.ts';
import type { Log } from '../../observability/log.ts';
import { textMessage } from '../views/blocks/message.ts';
import { afterTurning, messagesActionIds } from '../views/direct-message.ts';
import { languageCodes, type Language } from '../../words/languages.ts';
import { asInSlack, languageActionId } from '../views/language-select.ts';

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

/** Turns direct messages on or off for the person who clicks, and shows it where they clicked. */
function registerRespondents(
  app: App,
  listenerContext: ListenerContext,
  { preferences, home }: { preferences: MessagePreferences; home: Home },
): void {
  for (const to of ['on', 'off'] as const) {
    app.action<BlockAction<ButtonAction>>(
      { type: 'block_actions', action_id: messagesActionIds[to] },
      async ({ ack, body, client, context }) => {
        await ack();
        const personId = body.user.id;
        const responseTarget = clickedMessage(body, true);
        try {
          await preferences.turn(context.teamId ?? '', personId, to);
        } catch (error) {
          return answerBeside(
            listenerContext,
            { client, personId, responseTarget },
            textMessage('⚠️', listenerContext.logAndExplain(error)),
          );
        }
        const shown = shownMessage(body);
        if (responseTarget && shown)
          await listenerContext.answerAt(responseTarget, { ...shown, blocks: afterTurning(shown.blocks, to) });
        await home.refresh(personId);
      },
    );
  }
}

/** Takes the language that a person chooses on their Home tab, for this person alone, and shows the tab in it. */
function registerLanguages(
  app: App,
  listenerContext: ListenerContext,
  { languages, home }: { languages: Pick<PersonLanguages, 'choose'>; home: Home },
): void {
  app.action<BlockAction<StaticSelectAction>>(
    { type: 'block_actions', action_id: languageActionId },
    async ({ ack, action, body, client }) => {
      await ack();
      const personId = body.user.id;
      const choice = choiceIn(action.selected_option?.value);
      if (choice === undefined) return;
      try {
        await languages.choose(personId, choice === asInSlack ? undefined : choice);
      } catch (error) {
        return answerBeside(
          listenerContext,
          { client, personId },
          textMessage('⚠️', listenerContext.logAndExplain(error)),
        );
      }
      await home.open(personId);
    },
  );
}

/** A tab that is months old can offer a language that the bot doesn’t speak any more. */
function choiceIn(value: string | undefined): Language | typeof asInSlack | undefined {
  return ([asInSlack, ...languageCodes] as const).find((known) => known === value);
}
