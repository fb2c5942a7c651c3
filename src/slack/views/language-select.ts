import type { KnownBlock, PlainTextOption } from '@slack/types';
import { say } from '../../domain/said.ts';
import { languageCodes, languages, type Language } from '../../words/languages.ts';
import { md, ownPlain, plain, section } from './blocks/mrkdwn.ts';

/** The action ID of the menu with which people choose their language. */
export const languageActionId = 'choose-language';

/** The value of the option that chooses none. */
export const asInSlack = 'slack';

/** What a person chose, and what they read if they choose nothing. */
export interface LanguageChoice {
  chosen: Language | undefined;
  inSlack: Language;
}

/** A line about the reader’s language, with a menu that changes it. Each language has the name that its speakers write. */
export function languageBlock({ chosen, inSlack }: LanguageChoice): KnownBlock {
  const slack = option(asInSlack, ownPlain(say`As in Slack (${languages[inSlack]})`, 75));
  const spoken = languageCodes.map((code) => option(code, plain(languages[code], 75)));
  return {
    ...section(md`🌐 Messages, forms and answers that only you see are in this language.`),
    accessory: {
      type: 'static_select',
      action_id: languageActionId,
      placeholder: ownPlain(say`Language`, 150),
      options: [slack, ...spoken],
      initial_option: spoken.find(({ value }) => value === chosen) ?? slack,
    },
  };
}

function option(value: string, text: PlainTextOption['text']): PlainTextOption {
  return { text, value };
}
