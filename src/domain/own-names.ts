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

export function isStandard({ commandPrefix, botName }: OwnNames): boolean {
  return commandPrefix === standardNames.commandPrefix && botName === standardNames.botName;
}
