import { inEnglish } from '../domain/said.ts';

/** Puts what the bot said into a language, without its marks. */
export type Translate = (said: string) => string;

/** English is what was said. */
export const toEnglish: Translate = inEnglish;
