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

const ownName = new RegExp(
  String.raw`(?<![\w/.])/quiz(${commandEndings.filter((ending) => ending !== '').join('|')})?(?![\w-])|(?<!\w)Invigilator(?!\w)`,
  'g',
);
export function isStandard({ commandPrefix, botName }: OwnNames): boolean {
  return commandPrefix === standardNames.commandPrefix && botName === standardNames.botName;
}

/** Makes the function that puts a bot’s names into its own words. */
export function createRename(names: OwnNames): (text: string) => string {
  if (isStandard(names)) return (text) => text;
  const { commandPrefix, botName } = names;
  return (text) =>
    text.replaceAll(ownName, (name: string, ending: string | undefined) =>
      name.startsWith('/') ? `/${commandPrefix}${ending ?? ''}` : botName,
    );
}
