import type { Campaign } from '../../../domain/campaign.ts';
import { say } from '../../../domain/said.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { InvalidInputError } from '../../../operations/errors.ts';
import { languageChoice, type LanguageChoice } from '../../../operations/language-choice.ts';
import { inChosenLanguage, inLanguage, languageWillBe } from '../../../operations/wording/language-words.ts';

/** What a plan says of the language of its channel, such as “in German”. */
export function plannedLanguage(boardLanguage: string): string {
  return inLanguage(planned(boardLanguage));
}

export function boardChannel(): string {
  return say`the channel that shows progress`;
}

/** Sets the language of the channel as a plan has it. Its first message there is in it, so this comes before. @returns what to say of it */
export async function setBoardLanguage(
  { channelLanguages, channelId }: OperationContext<'channelLanguages'>,
  { board, boardLanguage }: { board: Campaign['board']; boardLanguage?: string },
): Promise<string[]> {
  if (board === null || boardLanguage === undefined) return [];
  const choice = planned(boardLanguage);
  await channelLanguages.choose(board.channelId, choice);
  return [
    languageWillBe({
      channel: boardChannel(),
      isHere: board.channelId === channelId,
      language: inChosenLanguage(choice, channelLanguages.defaultLanguage),
    }),
  ];
}

/** The language of a campaign is that of a channel, since people read it in their own. */
export function withoutBoard(): InvalidInputError {
  return new InvalidInputError(
    'language',
    say`Each person reads the campaign in their own language. For the channel that shows progress, name it, too: board #training language de.`,
  );
}

/** A later version may have planned it. */
function planned(boardLanguage: string): LanguageChoice {
  return languageChoice(boardLanguage) ?? 'default';
}
