/** A few emoji, by name: the bot sends the characters themselves. The page shows the others by their names. */
const emoji: Readonly<Record<string, string>> = {
  white_check_mark: '✅',
  x: '❌',
  tada: '🎉',
  fire: '🔥',
  bell: '🔔',
  new: '🆕',
};

/** @returns `:name:` when the emoji is not in the table */
export const emojiFor = (name: string): string => emoji[name] ?? `:${name}:`;

/** Replaces emoji names in plain text. */
export const withEmoji = (text: string): string =>
  text.replaceAll(/:([a-z0-9_+'-]+):/g, (_whole, name: string) => emojiFor(name));
