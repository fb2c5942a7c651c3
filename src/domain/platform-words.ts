/** What texts for people call the platform on which they use the bot. */
export interface PlatformWords {
  /** Goes before “account”, “profile”, “e-mail address”. */
  name: string;
}
