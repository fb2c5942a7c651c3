import type { KnownBlock, PlainTextOption } from '@slack/types';
import { say } from '../../domain/said.ts';
import { languageCodes, languages, type Language } from '../../words/languages.ts';
import { plain, section } from './blocks/mrkdwn.ts';

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
  const slack = option(asInSlack, plain(say`As in Slack (${languages[inSlack]})`));
  const spoken = languageCodes.map((code) => option(code, plain(languages[code])));
  return {
    ...section(say`🌐 Messages, forms and answers that only you see are in this language.`),
    accessory: {
      type: 'static_select',
      action_id: languageActionId,
      placeholder: plain(say`Language`),
      options: [slack, ...spoken],
      initial_option: spoken.find(({ value }) => value === chosen) ?? slack,
    },
  };
}

function option(value: string, text: PlainTextOption['text']): PlainTextOption {
  return { text, value };
}
