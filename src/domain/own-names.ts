import { inEnglish } from './said.ts';

/**
 * What the bot and its commands are called in a workspace. The code says the standard names everywhere; they are replaced once,
 * where a text leaves the bot.
 */
export interface OwnNames {
  /** What every command begins with, without the slash: `quiz` in `/quiz-user`. */
  commandPrefix: string;
  botName: string;
}

/** The names in the code. */
export const standardNames: OwnNames = { commandPrefix: 'quiz', botName: 'Invigilator' };

/** What stands after the prefix in the names of the commands. */
export const commandEndings = ['', '-user', '-group', '-alerts', '-campaign', '-admin'] as const;

/**
 * Stands within words that came from outside and look like the bot’s own, such as a quiz called “/quiz close all”, and keeps
 * them as they are. Unicode reserves the character for use within a program: https://www.unicode.org/faq/private_use.html#nonchar1
 */
export const mark = '\uFFFE';

const anyName = /\/(?=quiz)|Invigi(?=lator)/g;
const ownName = new RegExp(
  String.raw`(?<![\w/.])/quiz(${commandEndings.filter((ending) => ending !== '').join('|')})?(?![\w-])|(?<!\w)Invigilator(?!\w)`,
  'g',
);
/** Names within a sentence (`domain/sentence.ts`), and what it quotes. */
const quoted = /\u2068[^\u2069]*\u2069?|“[^”\u2068]*”?/gu;

export function isStandard({ commandPrefix, botName }: OwnNames): boolean {
  return commandPrefix === standardNames.commandPrefix && botName === standardNames.botName;
}

/** Marks a text from outside, so that nothing in it is taken for a name of the bot. */
export function fromOutside(text: string): string {
  return text.replaceAll(anyName, `$&${mark}`);
}

/** Marks the names in a sentence of the bot, and what it quotes. */
export function inOwnWords(sentence: string): string {
  return sentence.replaceAll(quoted, fromOutside);
}

/** Makes the function that puts a bot’s names into a text, except into what is marked, and removes all marks. */
export function createRename(names: OwnNames): (text: string) => string {
  const { commandPrefix, botName } = names;
  const renamed = (text: string) =>
    text.replaceAll(ownName, (name: string, ending: string | undefined) =>
      name.startsWith('/') ? `/${commandPrefix}${ending ?? ''}` : botName,
    );
  return (text) => (isStandard(names) ? inEnglish(text) : renamed(inEnglish(text))).replaceAll(mark, '');
}

/** Likewise for sentences of the bot that were not marked before. */
export function createRenameSentence(names: OwnNames): (sentence: string) => string {
  const rename = createRename(names);
  return (sentence) => rename(inOwnWords(sentence));
}
