import type { KnownBlock } from '@slack/types';
import { marked, say } from '../../domain/said.ts';
import { chooseLanguage, languageNote } from '../../features/administration/own-settings.ts';
import { runStep } from '../../operations/next-step.ts';
import { languageCodes, languages, type Language } from '../../words/languages.ts';
import { menuActionId, menuOptions } from './blocks/item-actions.ts';
import { plain, section } from './blocks/mrkdwn.ts';

/** What a person chose, and what they read if they choose nothing. */
export interface LanguageChoice {
  chosen: Language | undefined;
  inSlack: Language;
}

/** A line about the reader’s language, with a menu that changes it. Each language has the name that its speakers write. */
export function languageBlock({ chosen, inSlack }: LanguageChoice): KnownBlock {
  const choice = (label: string, language: Language | 'default') => ({
    ...runStep(label, chooseLanguage, { language: [language] }),
    opens: 'button' as const,
  });
  const options = menuOptions([
    choice(say`As in Slack (${languages[inSlack]})`, 'default'),
    ...languageCodes.map((code) => choice(marked('part', languages[code]), code)),
  ]);
  const initial = options[chosen === undefined ? 0 : languageCodes.indexOf(chosen) + 1];
  return {
    ...section(languageNote),
    accessory: {
      type: 'static_select',
      action_id: `${menuActionId}:language`,
      placeholder: plain(say`Language`),
      options,
      ...(initial && { initial_option: initial }),
    },
  };
}
