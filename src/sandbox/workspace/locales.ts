/** The language of Slack for people who changed nothing in their preferences. */
export const usualLocale = 'en-US';

/** The languages of Slack that the page offers, with their names. The bot does not speak the last one. */
export const locales = {
  'en-US': 'English (US)',
  'en-GB': 'English (UK)',
  'de-DE': 'Deutsch',
  'fr-FR': 'Français',
  'es-ES': 'Español',
  'nl-NL': 'Nederlands',
  'pl-PL': 'Polski',
  'it-IT': 'Italiano',
} as const;
