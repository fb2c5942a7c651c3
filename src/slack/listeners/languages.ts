import type { App, BlockAction, StaticSelectAction } from '@slack/bolt';
import { languageCodes, type Language } from '../../words/languages.ts';
import type { Home } from '../home.ts';
import type { PersonLanguages } from '../people/person-languages.ts';
import { asInSlack, languageActionId } from '../views/language-select.ts';
import { textMessage } from '../views/blocks/message.ts';
import { answerBeside } from './answers.ts';
import type { ListenerContext } from './listener-context.ts';

/** Takes the language that a person chooses on their Home tab, for this person alone, and shows the tab in it. */
export function registerLanguages(
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
